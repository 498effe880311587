// MuJoCo: a chain of stiff links with springs in its hinges, EI over the length of a link, and the fourth-order
// integrator, which keeps energy best.
//
//   rod [LINKS] [STEPS]
#include <mujoco/mujoco.h>

#include <fstream>
#include <string>

#include "../rod.hpp"

int main(int count, char** words) {
  const rod::Links links(rod::links_of(count, words));
  const double step = rod::step_of(count, words);
  const std::string path = std::string(words[0]) + ".xml";
  {
    std::ofstream model(path);
    model.precision(17);
    model << "<mujoco><option timestep='" << step
          << "' integrator='RK4' gravity='0 0 0'><flag contact='disable'/></option>"
          << "<size nconmax='10' njmax='100'/><worldbody>";
    for (int i = 0; i < links.count; ++i) {
      model << "<body pos='" << (i == 0 ? 0 : links.link) << " 0 0'>";
      if (i == 0) {
        model << "<freejoint/>";
      } else {
        model << "<joint type='hinge' axis='0 1 0' stiffness='" << links.stiffness << "'/>";
      }
      model << "<geom type='box' pos='" << links.link / 2 << " 0 0' size='" << links.link / 2 << ' ' << rod::side / 2
            << ' ' << rod::side / 2 << "' density='" << rod::density << "'/>";
    }
    model << "<site name='end' pos='" << links.link << " 0 0'/>";
    for (int i = 0; i < links.count; ++i) model << "</body>";
    model << "</worldbody></mujoco>";
  }
  char error[1000] = "";
  mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  data->qvel[2] = rod::speed;
  for (int i = 0; i < links.count; ++i)
    data->qvel[i == 0 ? 4 : 5 + i] = -links.slope(i) + (i == 0 ? 0 : links.slope(i - 1));  // z falls as y turns
  rod::run(
      step, [&] { mj_step(model, data); },
      [&] {
        mj_forward(model, data);
        mjtNum velocity[6];
        mj_objectVelocity(model, data, mjOBJ_SITE, 0, velocity, 0);
        return std::pair<double, double>(data->site_xpos[2], velocity[5]);
      });
  mj_deleteData(data);
  mj_deleteModel(model);
}
