// MuJoCo: the fourth-order integrator, which keeps energy best.
//
//   rod [LINKS] [STEPS]
#include <sstream>

#include "chain.hpp"

int main(int count, char** words) {
  const rod::Links links(rod::links_of(count, words));
  const double step = rod::step_of(count, words);
  std::ostringstream options;
  options.precision(17);
  options << "<option timestep='" << step << "' integrator='RK4' gravity='0 0 0'><flag contact='disable'/></option>"
          << "<size nconmax='10' njmax='100'/>";
  race_mujoco::Chain chain(std::string(words[0]) + ".xml", links, options.str(), "", "0 0 0");
  mjData& data = chain.data();
  data.qvel[2] = rod::speed;
  for (int i = 0; i < links.count; ++i)
    data.qvel[i == 0 ? 4 : 5 + i] = -links.slope(i) + (i == 0 ? 0 : links.slope(i - 1));  // z falls as y turns
  rod::run(
      step, [&] { chain.step(); },
      [&] {
        const auto end = chain.end();
        return std::pair<double, double>(end.z, end.velocity_z);
      });
}
