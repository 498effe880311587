// MuJoCo: elliptic friction cones and Newton's solver, as its documentation advises for accuracy; contacts as stiff as
// it advises, with a time constant of twice the step.
#include <mujoco/mujoco.h>

#include <fstream>
#include <string>

#include "../stack.hpp"

int main(int, char** words) {
  const std::string path = std::string(words[0]) + ".xml";
  {
    std::ofstream model(path);
    model << "<mujoco><option timestep='" << stack::step << "' cone='elliptic' gravity='0 0 " << -stack::gravity << "'>"
          << "<flag energy='enable'/></option><default><geom friction='" << stack::friction << "' solref='"
          << 2 * stack::step << " 1'/></default>"
          << "<size nconmax='1000' njmax='4000'/><worldbody><geom type='plane' size='20 20 1'/>";
    for (int i = 0; i < stack::cubes; ++i)
      model << "<body pos='0 0 " << stack::height(i) << "'><freejoint/><geom type='box' size='" << stack::side / 2
            << ' ' << stack::side / 2 << ' ' << stack::side / 2 << "' density='" << stack::density << "'/></body>";
    model << "</worldbody></mujoco>";
  }
  char error[1000] = "";
  mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  stack::run([&] { mj_step(model, data); },
             [&](int i) {
               const mjtNum* x = data->qpos + 7 * i;
               return stack::Point{x[0], x[1], x[2]};
             },
             [&] { return data->energy[1]; });
  mj_deleteData(data);
  mj_deleteModel(model);
}
