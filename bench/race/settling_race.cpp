// Bodies that settle in a box, by Ictus at two tolerances, by ODE and by Bullet, one core each and in turns of a few
// steps, so that what else the machine does meets all alike. A second run of the others judges their impulses by the
// error of [eq. contact-solvers-6].
//
//   race_settling [side 8] [spheres | boxes] [steps 1500]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <ictus/build/build.hpp>
#include <ictus/dynamics/rigid/rigid_system.hpp>
#include <ictus/scene/text/document.hpp>

#include "race/racer.hpp"

namespace ictus::race {
namespace {

class IctusRacer final : public Racer {
 public:
  explicit IctusRacer(const Settling& settling)
      : name_(fmt::format("Ictus, {:g}", settling.tolerance)),
        tolerance_(settling.tolerance),
        simulation_(build::build(scene::read_text(settling.scene(), "race"), 1)),
        now_(simulation_.system.initial_state()) {
    simulation_.integrator->prepare(simulation_.system);
    simulation_.integrator->start(simulation_.system, simulation_.step, now_);
  }
  std::string_view name() const override { return name_; }
  void step() override { report_ = simulation_.integrator->step(simulation_.system, simulation_.step, now_); }
  /// Steps within the tolerance count as that.
  double error() override { return report_.fallbacks > 0 ? report_.fallback_error : tolerance_; }
  double kinetic_energy() const override {
    return simulation_.integrator->energy(simulation_.system, simulation_.step, now_)[model::Store::kinetic];
  }
  const build::Simulation& simulation() const { return simulation_; }

 private:
  std::string name_;
  double tolerance_;
  build::Simulation simulation_;
  model::State now_;
  dynamics::StepReport report_;
};

Start start_of(const Settling& settling) {
  const IctusRacer racer(settling);
  const dynamics::RigidSystem rigid(racer.simulation().system);
  const model::State state = racer.simulation().system.initial_state();
  Start start{settling, {}, rigid.units.front().mass, rigid.units.front().inertia.x, 9.81};
  for (const dynamics::RigidUnit& unit : rigid.units) {
    start.positions.push_back(mechanics::rigid_position(&state.q[unit.first_dof]));
  }
  return start;
}

/// Times and errors of a racer, falling until `arrival` and from then on a pile.
struct Lane {
  std::unique_ptr<Racer> timed, judged;
  double fall = 0, pile = 0;  ///< s
  std::vector<double> errors;
  double unexplained = 0;
};

void race(const Settling& settling, int steps) {
  using Clock = std::chrono::steady_clock;
  constexpr int turn = 10;
  constexpr double arrival = 0.6;
  const Start start = start_of(settling);
  std::vector<Lane> lanes;
  for (const double tolerance : {1e-3, 1e-4}) {
    Settling own = settling;
    own.tolerance = tolerance;
    lanes.push_back({std::make_unique<IctusRacer>(own), nullptr});
  }
  lanes.push_back({make_ode(start, false), make_ode(start, true)});
  lanes.push_back({make_bullet(start, false), make_bullet(start, true)});
  for (int first = 0; first < steps; first += turn) {
    for (Lane& lane : lanes) {
      const auto begin = Clock::now();
      for (int n = first; n < std::min(steps, first + turn); ++n) {
        lane.timed->step();
        if (lane.judged == nullptr) lane.errors.push_back(lane.timed->error());
      }
      (first * Settling::step < arrival ? lane.fall : lane.pile) +=
          std::chrono::duration<double>(Clock::now() - begin).count();
    }
  }
  for (Lane& lane : lanes) {
    for (int n = 0; n < steps && lane.judged != nullptr; ++n) {
      lane.judged->step();
      lane.errors.push_back(lane.judged->error());
      lane.unexplained = std::max(lane.unexplained, lane.judged->unexplained());
    }
  }
  const auto bodies = static_cast<double>(settling.bodies());
  const double falling = std::min<double>(steps, arrival / Settling::step);
  fmt::print("{} {}, {} steps of {:g} s, friction {}\n", settling.bodies(), settling.boxes ? "boxes" : "spheres", steps,
             Settling::step, Settling::friction);
  fmt::print("{:<14}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>14}\n", "", "fall", "pile", "all", "> 1.01e-3",
             "> 1.01e-4", "median", "largest", "kinetic J", "unexplained");
  for (Lane& lane : lanes) {
    const auto share_above = [&](double bound) {
      const auto count = std::count_if(lane.errors.begin(), lane.errors.end(), [&](double e) { return e > bound; });
      return static_cast<double>(count) / static_cast<double>(lane.errors.size());
    };
    std::sort(lane.errors.begin(), lane.errors.end());
    fmt::print("{:<14}{:>12.3g}{:>12.3g}{:>12.3g}{:>12.3g}{:>12.3g}{:>12.2g}{:>12.2g}{:>12.2g}{:>14.2g}\n",
               lane.timed->name(), bodies * falling / lane.fall, bodies * (steps - falling) / lane.pile,
               bodies * steps / (lane.fall + lane.pile), share_above(1.01e-3), share_above(1.01e-4),
               lane.errors[lane.errors.size() / 2], lane.errors.back(), lane.timed->kinetic_energy(), lane.unexplained);
  }
}

}  // namespace
}  // namespace ictus::race

int main(int count, char** words) {
  ictus::Settling settling;
  if (count > 1) settling.side = std::atoi(words[1]);
  settling.boxes = count > 2 && std::string_view(words[2]) == "boxes";
  const int steps = count > 3 ? std::atoi(words[3]) : 1500;
  if (settling.side < 1 || steps < 1) {
    fmt::print(stderr, "race_settling [side 8] [spheres | boxes] [steps 1500]\n");
    return 2;
  }
  ictus::race::race(settling, steps);
  return 0;
}
