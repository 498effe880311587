// MuJoCo: elliptic friction cones, contacts with a time constant of a millisecond; shorter ones make the chain hop.
//
//   sliding_rod [LINKS] [STEPS]
#include <sstream>

#include "../sliding_rod.hpp"
#include "chain.hpp"

int main(int count, char** words) {
  const rod::Links links(rod::links_of(count, words));
  const double step = sliding_rod::end / (count > 2 ? std::atof(words[2]) : 7500);
  std::ostringstream options;
  options.precision(17);
  options << "<option timestep='" << step << "' cone='elliptic' gravity='0 0 " << -sliding_rod::gravity << "'/>"
          << "<default><geom friction='" << sliding_rod::friction << "' solref='" << std::max(1e-3, 2 * step)
          << " 1'/></default>"
          << "<size nconmax='1000' njmax='4000'/>";
  const double height = rod::side / 2;
  race_mujoco::Chain chain(std::string(words[0]) + ".xml", links, options.str(), "<geom type='plane' size='20 20 1'/>",
                           "0 0 " + std::to_string(height));
  chain.data().qvel[0] = sliding_rod::speed;
  sliding_rod::run(
      step, [&] { chain.step(); },
      [&] {
        const auto end = chain.end();
        return sliding_rod::Last{end.x - rod::length, end.velocity_x, end.z - height};
      });
}
