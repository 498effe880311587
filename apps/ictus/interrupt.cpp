#include "interrupt.hpp"

#include <csignal>

namespace ictus::program {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> stop_requested{false};  // a signal handler reaches nothing but what is static

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  stop_requested = false;
  for (const int signal : signals) {
    if (std::signal(signal, request_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  for (const int signal : signals) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

const std::atomic<bool>& Interrupt::requested() const { return stop_requested; }

}  // namespace ictus::program
