#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <span>
#include <thread>
#include <vector>

namespace ictus::exec {

/// Calls job(i) once for each i of `order`, begun in that order, at most `at_a_time` at a time. The jobs must not touch
/// each other's data. Returns when all have ended; then the exception of the first in `order` that threw goes on.
template <class Job>
void run_jobs(std::span<const std::size_t> order, int at_a_time, Job&& job) {
  std::vector<std::exception_ptr> failures(order.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < order.size(); k = next++) {
      try {
        job(order[k]);
      } catch (...) {
        failures[k] = std::current_exception();
      }
    }
  };
  {
    const std::size_t workers = std::min(order.size(), static_cast<std::size_t>(std::max(at_a_time, 1)));
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ictus::exec
