#include "interrupt.hpp"

#include <csignal>

namespace ictus::program {

namespace {

std::atomic<bool> stop_requested{false};  // a signal handler reaches nothing but what is static

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  stop_requested = false;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& Interrupt::requested() const { return stop_requested; }

}  // namespace ictus::program
