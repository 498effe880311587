#include "live_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "text.hpp"

namespace ictus::program {

namespace {

constexpr double in_place_seconds = 0.1;
constexpr double log_seconds = 5;

std::string figure(const std::optional<double>& value, double factor) {
  return value ? fmt::format("{:.1e}", factor * *value) : "-";
}

}  // namespace

LiveLine::LiveLine(std::int64_t steps, dynamics::StepLimit limit, std::function<observe::LiveFigures()> figures)
    : steps_(steps),
      limit_(std::move(limit)),
      figures_(std::move(figures)),
      in_place_(isatty(STDERR_FILENO) == 1),
      timer_(in_place_ ? in_place_seconds : log_seconds) {}

LiveLine::~LiveLine() { close(); }

void LiveLine::observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) {
  if (first_step_ < 0) first_step_ = snapshot.state.step - 1;
  if (timer_.due()) show(snapshot, report);
}

void LiveLine::show(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) {
  const auto done = static_cast<double>(snapshot.state.step - first_step_);
  const auto left = static_cast<double>(steps_ - snapshot.state.step);
  const double seconds_left = std::chrono::duration<double>(Clock::now() - started_).count() / done * left;
  const observe::LiveFigures figures = figures_();
  const std::string line = fmt::format(
      "t {:.4g} s {:3.0f} %  h {:.3g} s ({})  energy residual {} %  momentum drift {}  contacts {}  {} left",
      snapshot.state.time, 100.0 * static_cast<double>(snapshot.state.step) / static_cast<double>(steps_),
      snapshot.step, limit_.reason, figure(figures.energy_residual, 100), figure(figures.momentum_drift, 1),
      report.contacts, duration(seconds_left));
  if (in_place_) {
    fmt::print(stderr, "\r\x1b[2K{}", line);
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
