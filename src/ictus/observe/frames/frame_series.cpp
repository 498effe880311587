#include <ictus/observe/frames/frame_series.hpp>

#include <fmt/format.h>

#include <ictus/files/atomic_file.hpp>
#include <ictus/files/csv_text.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/frames/vtu.hpp>
#include <ictus/observe/probe/probe.hpp>

namespace ictus::observe {

using dynamics::Snapshot;

namespace {

std::string frame_name(std::size_t number) {
  return fmt::format("{}/{}", files::result_files::frame_folder, files::result_files::frame(number));
}

}  // namespace

FrameSeries::FrameSeries(std::filesystem::path folder, double every) : folder_(std::move(folder)), schedule_(every) {}

bool FrameSeries::due(const Snapshot& snapshot) const { return schedule_.due(snapshot.state.time, snapshot.step); }

std::int64_t FrameSeries::patience(const Snapshot& snapshot) const {
  return schedule_.steps_until_due(snapshot.state.step, snapshot.step);
}

std::vector<FramePart> FrameSeries::drawn_parts(const Snapshot& snapshot, bool is_frame) {
  const std::vector<double> v = velocities(snapshot);
  std::vector<FramePart> parts;
  for (const dynamics::BodyPtr& body : snapshot.system.bodies())
    parts.push_back(
        {body->draw(snapshot.state.q, v), body->dofs().size > 0, body->name(), body->surface().plane().has_value()});
  impulses_.add_fields(snapshot.system, snapshot.state.time, is_frame, parts);
  return parts;
}

void FrameSeries::write_frame(const Snapshot& snapshot) {
  files::make_folder(folder_ / files::result_files::frame_folder);
  waiting_.write(folder_ / frame_name(times_.size()), vtu(drawn_parts(snapshot, true), snapshot.state.time));
  times_.push_back(snapshot.state.time);
  last_step_ = snapshot.state.step;
  schedule_.advance(snapshot.state.time, snapshot.step);
}

void FrameSeries::publish() {
  waiting_.commit();
  std::string xml = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t i = 0; i < times_.size(); ++i) {
    xml += "<DataSet timestep=\"";
    files::append_number(xml, times_[i]);
    xml += fmt::format("\" part=\"0\" file=\"{}\"/>\n", frame_name(i));
  }
  xml += "</Collection>\n</VTKFile>\n";
  files::write_file(folder_ / files::result_files::frames, xml);
}

void FrameSeries::exchange(Archive& archive) {
  archive.number("frames.next", schedule_.next());
  archive.number("frames.last_step", last_step_);
  archive.numbers("frames.times", times_, false);
  impulses_.exchange(archive);
}

}  // namespace ictus::observe
