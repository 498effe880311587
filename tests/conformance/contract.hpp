#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "allocation_count.hpp"
#include "support/started.hpp"

namespace ictus::testing {

/// A state that is copied on the way goes on to the same bits in an integrator that knows nothing of the run.
template <class Make>
void expect_copies_go_on_to_the_same_bits(const dynamics::System& system, Make&& make, double h, int steps, int every) {
  const auto integrator = make();
  model::State state = started(system, *integrator, h);
  std::vector<model::State> copies;
  for (int n = 0; n < steps; ++n) {
    if (n % every == 0) copies.push_back(state);
    integrator->step(system, h, state);
  }
  for (model::State& copy : copies) {
    const auto fresh = make();
    fresh->prepare(system);
    while (copy.step < state.step) fresh->step(system, h, copy);
    ASSERT_EQ(copy, state);
    EXPECT_EQ(fresh->energy(system, h, copy), integrator->energy(system, h, state));
    EXPECT_EQ(fresh->extras(copy), integrator->extras(state));
  }
}

/// A system on one thread and the same on two have the same bits. Answers with the contacts that they met.
template <class Make>
int expect_same_bits(const dynamics::System& one, const dynamics::System& two, Make&& make, double h, int steps) {
  const auto integrator = make(), other = make();
  model::State a = started(one, *integrator, h), b = started(two, *other, h);
  int contacts = 0;
  for (int n = 0; n < steps; ++n) {
    contacts += integrator->step(one, h, a).contacts;
    other->step(two, h, b);
  }
  EXPECT_EQ(a, b);
  EXPECT_EQ(integrator->energy(one, h, a), other->energy(two, h, b));
  return contacts;
}

/// Steps after the first `steps` allocate nothing, in as many more. Answers with the contacts that those met.
inline int expect_no_allocation(const dynamics::System& system, dynamics::Integrator& integrator, double h, int steps) {
  model::State state = started(system, integrator, h);
  for (int n = 0; n < steps; ++n) integrator.step(system, h, state);
  int contacts = 0;
  const std::size_t before = allocation_count();
  for (int n = 0; n < steps; ++n) contacts += integrator.step(system, h, state).contacts;
  EXPECT_EQ(allocation_count(), before);
  return contacts;
}

}  // namespace ictus::testing
