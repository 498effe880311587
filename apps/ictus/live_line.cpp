#include "live_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "text.hpp"

namespace ictus::program {

namespace {

constexpr double in_place_seconds = 0.1;
constexpr double log_seconds = 5;

/// Columns of the terminal; unlimited where it does not say.
std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : std::string::npos;
}

std::string figure(const std::optional<double>& value, double factor, int digits) {
  return value ? fmt::format("{:.{}e}", factor * *value, digits) : "-";
}

}  // namespace

LiveLine::LiveLine(std::int64_t steps, const dynamics::StepLimit& limit, std::function<observe::LiveFigures()> figures)
    : steps_(steps),
      limit_(std::isfinite(limit.step) ? limit.reason : "stable at any step"),
      figures_(std::move(figures)),
      in_place_(isatty(STDERR_FILENO) == 1),
      timer_(in_place_ ? in_place_seconds : log_seconds) {}

LiveLine::~LiveLine() { close(); }

void LiveLine::observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) {
  if (!began_) began_ = snapshot.state.time - snapshot.step;
  if (timer_.due()) show(snapshot, report);
}

void LiveLine::show(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) {
  const double end = static_cast<double>(steps_) * snapshot.step, now = snapshot.state.time;
  const double seconds_left =
      std::chrono::duration<double>(Clock::now() - started_).count() / (now - *began_) * (end - now);
  const double percent = 100.0 * now / end;
  const observe::LiveFigures figures = figures_();
  const std::string line =
      fmt::format("t {:.4g} s {:3.0f} %  h {:.3g} s ({})  energy error {} %  momentum drift {}  contacts {}  {} left",
                  snapshot.state.time, percent, snapshot.step, limit_, figure(figures.energy_error, 100, 1),
                  figure(figures.momentum_drift, 1, 1), report.contacts, duration(seconds_left));
  const std::string brief =
      fmt::format("{:.3g} s {:.0f}%  {} left  ΔE {}%  Δp {}  n {}  h {:.2g} {}", snapshot.state.time, percent,
                  rough_duration(seconds_left), figure(figures.energy_error, 100, 0),
                  figure(figures.momentum_drift, 1, 0), report.contacts, snapshot.step, limit_);
  if (in_place_) {
    // A line that reaches the right edge goes on in the next row, and could not be written over.
    const std::size_t width = terminal_width();
    fmt::print(stderr, "\r\x1b[2K{}", line.size() < width ? line : shortened(brief, width - 1));
    open_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

void LiveLine::close() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

}  // namespace ictus::program
