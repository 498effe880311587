#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ictus/files/vtu/frame_list.hpp>
#include <ictus/files/vtu/vtu_reader.hpp>
#include <ictus/report/base64.hpp>
#include <ictus/report/report_page.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "other_program.hpp"

namespace ictus::program {

namespace fs = std::filesystem;

namespace {

struct RenderArguments {
  std::string folder;
  std::string out;
  std::string video;
  std::string time;
  std::string colour;
  std::string view = "oblique";
  std::vector<std::string> hide, see_through;  // names of bodies
  int width = 1280;
  int height = 720;
  int rate = 25;
  int seconds = 8;
  bool dark = false;
};

const std::vector<std::string> picture_endings{".png", ".jpg", ".jpeg", ".webp"};
const std::vector<std::string> video_endings{".mp4", ".webm", ".gif"};

/// The ending of a file that a person names, which says what to write.
std::string ending(const std::string& option, const std::string& file, const std::vector<std::string>& known) {
  std::string found = fs::path(file).extension().string();
  std::transform(found.begin(), found.end(), found.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::find(known.begin(), known.end(), found) == known.end())
    throw base::InputError({file, 0, option, fmt::format("must end in one of {}", fmt::join(known, ", "))});
  return found;
}

/// ICTUS_CHROMIUM, or the first browser of the search path that draws pages without a screen.
std::string find_browser() {
  if (const char* chosen = std::getenv("ICTUS_CHROMIUM")) return chosen;
  const auto found = find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"});
  if (found) return *found;
  throw base::InputError({"", 0, "",
                          "pictures are drawn by Chromium, which is not installed: `apt-get install chromium`, or name "
                          "one in the variable ICTUS_CHROMIUM"});
}

/// The frames of a run, at least one.
std::vector<files::ListedFrame> frames_of(const fs::path& folder) {
  std::vector<files::ListedFrame> frames = files::list_frames(folder);
  if (frames.empty()) {
    throw base::InputError(
        {folder.string(), 0, "",
         "has no frames to draw: it is no run, or one with `output.frames_every: none`; leave that key "
         "out and run it again"});
  }
  return frames;
}

double time_to_show(const RenderArguments& arguments, const std::vector<files::ListedFrame>& frames) {
  const double first = frames.front().time, last = frames.back().time;
  if (arguments.time.empty()) return last;
  const double time = scene::parse_quantity(arguments.time, scene::quantity(scene::dimension::time), "--time");
  const double rounding = 1e-9 * (last - first);
  if (time < first - rounding || time > last + rounding) {
    throw base::InputError(
        {"", 0, "--time",
         fmt::format("{:g} s is outside of the run, which has frames from {:g} s to {:g} s", time, first, last)});
  }
  return time;
}

/// Refuses bodies that are not in a frame.
void check_bodies(const RenderArguments& arguments, const fs::path& frame) {
  const std::vector<std::string> known = files::VtuReader(frame).words("FieldData", "body_names");
  for (const auto& [option, wanted] :
       {std::pair{"--hide", &arguments.hide}, std::pair{"--see-through", &arguments.see_through}}) {
    for (const std::string& name : *wanted) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      std::string near = scene::suggestion(name, known);
      if (near.empty()) near = fmt::format(", the bodies are {}", fmt::join(known, ", "));
      throw base::InputError({"", 0, option, fmt::format("no body is named '{}'{}", name, near)});
    }
  }
}

/// Puts a finished file in its place.
void deliver(const fs::path& made, const std::string& target) {
  const fs::path aside = target + ".part";
  std::error_code error;
  fs::copy_file(made, aside, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(aside, target, error);
  if (error) throw base::InputError({target, 0, "", fmt::format("cannot be written: {}", error.message())});
  fmt::print("{}\n", fs::absolute(target).string());
}

/// A browser that draws the page of a run.
class Painter {
 public:
  explicit Painter(const RenderArguments& arguments) : arguments_(arguments), browser_(find_browser()) {
    std::ofstream(page(), std::ios::binary) << report::report_page(arguments.folder);
  }

  const fs::path& folder() const { return scratch_.path(); }

  /// Lets the browser show what stands behind '#' in the address, and do with it what `order` says.
  void show(const std::string& wish, const std::string& order, const fs::path& output = "/dev/null") const {
    std::vector<std::string> command{browser_,
                                     "--headless",
                                     "--disable-gpu",
                                     "--enable-unsafe-swiftshader",
                                     "--hide-scrollbars",
                                     "--no-first-run",
                                     "--force-device-scale-factor=1",
                                     "--virtual-time-budget=20000",
                                     fmt::format("--user-data-dir={}", (folder() / "profile").string()),
                                     fmt::format("--window-size={},{}", arguments_.width, arguments_.height),
                                     order};
    if (geteuid() == 0) command.emplace_back("--no-sandbox");  // Chromium refuses its sandbox to root
    if (arguments_.dark) command.emplace_back("--blink-settings=preferredColorScheme=0");
    std::string address = fmt::format("file://{}#{}&view={}", page().string(), wish, arguments_.view);
    if (!arguments_.colour.empty()) address += fmt::format("&colour={}", arguments_.colour);
    for (const std::string& body : arguments_.hide) address += fmt::format("&hide={}", body);
    for (const std::string& body : arguments_.see_through) address += fmt::format("&see-through={}", body);
    command.push_back(std::move(address));
    if (!run_program(command, output)) throw base::InputError({browser_, 0, "", "did not draw the picture"});
  }

 private:
  fs::path page() const { return folder() / "page.html"; }

  const RenderArguments& arguments_;
  std::string browser_;
  ScratchFolder scratch_;
};

void render_picture(const RenderArguments& arguments) {
  const std::string kind = ending("--out", arguments.out, picture_endings);
  const std::vector<files::ListedFrame> frames = frames_of(arguments.folder);
  const double time = time_to_show(arguments, frames);
  check_bodies(arguments, frames.front().file);
  const Painter painter(arguments);
  const fs::path picture = painter.folder() / ("picture" + kind);
  painter.show(fmt::format("picture&time={}", time), fmt::format("--screenshot={}", picture.string()));
  if (!fs::exists(picture)) throw base::InputError({arguments.out, 0, "", "was not drawn by the browser"});
  deliver(picture, arguments.out);
}

/// The pictures that a page has left in its text, as files numbered from `first` on; returns how many.
std::size_t unpack_pictures(const fs::path& text, const fs::path& folder, std::size_t first) {
  static constexpr std::string_view mark = "data:image/png;base64,";
  std::ifstream file(text, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::size_t count = 0;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at)) {
    at += mark.size();
    const std::size_t end = std::min(page.find_first_of("\"\n<", at), page.size());
    std::ofstream(folder / fmt::format("{:06}.png", first + count), std::ios::binary)
        << report::from_base64(std::string_view(page).substr(at, end - at));
    ++count;
  }
  return count;
}

/// The pictures of a video, a few at a time: a page holds them all until it is read.
void draw_pictures(const RenderArguments& arguments, const Painter& painter, double begin, double end) {
  constexpr std::size_t at_once = 25;
  const auto count = static_cast<std::size_t>(arguments.rate) * static_cast<std::size_t>(arguments.seconds);
  const double step = (end - begin) / static_cast<double>(std::max<std::size_t>(count - 1, 1));
  const fs::path text = painter.folder() / "pictures.html";
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t some = std::min(at_once, count - first);
    painter.show(fmt::format("pictures={}&time={}&step={}&width={}&height={}", some,
                             begin + static_cast<double>(first) * step, step, arguments.width, arguments.height),
                 "--dump-dom", text);
    if (unpack_pictures(text, painter.folder(), first) != some)
      throw base::InputError({arguments.video, 0, "", "the browser did not draw all pictures"});
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{} of {} pictures", first + some, count);
  }
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\n");
}

/// What ffmpeg is reported of a kind of video; pictures of odd size get a row or column more, as MPEG wants it.
std::vector<std::string> encoding(const std::string& kind) {
  if (kind == ".gif") return {"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"};
  if (kind == ".webm") return {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1"};
  return {
      "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags",
      "+faststart"};
}

void render_video(const RenderArguments& arguments) {
  const std::string kind = ending("--video", arguments.video, video_endings);
  if (!arguments.time.empty()) throw base::InputError({"", 0, "--time", "has no meaning for a video, which shows all"});
  const auto ffmpeg = find_program({"ffmpeg"});
  if (!ffmpeg) {
    throw base::InputError(
        {"", 0, "--video", "videos are put together by ffmpeg, which is not installed: `apt-get install ffmpeg`"});
  }
  const std::vector<files::ListedFrame> frames = frames_of(arguments.folder);
  check_bodies(arguments, frames.front().file);
  const Painter painter(arguments);
  draw_pictures(arguments, painter, frames.front().time, frames.back().time);
  const fs::path video = painter.folder() / ("video" + kind);
  std::vector<std::string> command{*ffmpeg,      "-y",
                                   "-loglevel",  "error",
                                   "-framerate", std::to_string(arguments.rate),
                                   "-i",         (painter.folder() / "%06d.png").string()};
  for (const std::string& word : encoding(kind)) command.push_back(word);
  command.push_back(video.string());
  if (!run_program(command) || !fs::exists(video)) throw base::InputError({*ffmpeg, 0, "", "did not make the video"});
  deliver(video, arguments.video);
}

void render(const RenderArguments& arguments) {
  if (arguments.out.empty() == arguments.video.empty())
    throw base::InputError({"", 0, "", "render needs one of --out FILE, a picture, and --video FILE"});
  if (arguments.video.empty())
    render_picture(arguments);
  else
    render_video(arguments);
}

}  // namespace

void add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw a picture or a video of a run");
  const auto arguments = std::make_shared<RenderArguments>();
  command->add_option("DIR", arguments->folder, "Folder with the results of a run")->type_name("")->required();
  command->add_option("--out", arguments->out, "The picture to write: .png, .jpg or .webp")->type_name("FILE");
  command->add_option("--video", arguments->video, "The video to write: .mp4, .webm or .gif")->type_name("FILE");
  command->add_option("--time", arguments->time, "Time to show, with or without unit [the end]")->type_name("TIME");
  command->add_option("--seconds", arguments->seconds, "How long the video is [8]")
      ->type_name("N")
      ->check(whole_number(1, 600));
  command->add_option("--rate", arguments->rate, "Pictures in a second of the video [25]")
      ->type_name("N")
      ->check(whole_number(1, 60));
  command->add_option("--colour", arguments->colour, "What the colours show [speed]")
      ->type_name("FIELD")
      ->check(CLI::IsMember({"body", "displacement", "speed", "strain_energy_density", "plastic_strain", "plastic_work",
                             "thickness", "temperature", "contact_impulse", "contact_pressure"}));
  command->add_option("--view", arguments->view, "Where to look from [oblique]")
      ->type_name("VIEW")
      ->check(CLI::IsMember({"oblique", "front", "side", "top"}));
  command->add_option("--hide", arguments->hide, "Leave a body out; may be given several times")
      ->type_name("BODY")
      ->allow_extra_args(false);
  command->add_option("--see-through", arguments->see_through, "Draw a body translucent; may be given several times")
      ->type_name("BODY")
      ->allow_extra_args(false);
  command->add_option("--width", arguments->width, "Pixels [1280]")->type_name("N")->check(whole_number(100, 8000));
  command->add_option("--height", arguments->height, "Pixels [720]")->type_name("N")->check(whole_number(100, 8000));
  command->add_flag("--dark", arguments->dark, "On a dark ground");
  command->footer(
      "Needs Chromium, but no screen; videos need ffmpeg, too.\n"
      "Examples:  ictus render runs/bars/cradle --time \"0.4 ms\" --colour strain_energy_density --out cradle.png\n"
      "           ictus render runs/bars/cradle --video cradle.mp4");
  command->callback([arguments] { render(*arguments); });
}

}  // namespace ictus::program
