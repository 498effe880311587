// MuJoCo: it has no coefficient of restitution; an elastic impact is a stiff contact without damping, solref =
// (-stiffness, -0) with an impedance near 1, as its documentation says, and its fourth-order integrator, which keeps
// energy best. The stiffness lets an impact last some ten steps of 1 ms.
#include <mujoco/mujoco.h>

#include <cstring>
#include <fstream>
#include <string>

#include "../bouncing.hpp"

int main(int count, char** words) {
  const double step = bouncing::step_of(count, words);
  const std::string path = std::string(words[0]) + ".xml";
  {
    std::ofstream model(path);
    model << "<mujoco><option timestep='" << step << "' integrator='RK4' gravity='0 0 -9.81'/>"
          << "<default><geom condim='1' solref='-100000 0' solimp='0.99 0.99 0.001'/></default>"
          << "<size nconmax='1000' njmax='4000'/>"
          << "<worldbody><geom type='plane' size='20 20 1'/>";
    for (int i = 0; i < bouncing::balls; ++i)
      model << "<body pos='" << i % bouncing::side << ' ' << i / bouncing::side << ' ' << bouncing::height
            << "'><freejoint/><geom type='sphere' size='" << bouncing::radius << "' mass='" << bouncing::mass
            << "'/></body>";
    model << "</worldbody></mujoco>";
  }
  char error[1000] = "";
  mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  bouncing::run(
      step, [&] { mj_step(model, data); },
      [&](bouncing::Judge& judge) {
        judge.look([&](int i) { return data->qpos[7 * i + 2]; },
                   [&](int i) {
                     const mjtNum* v = data->qvel + 6 * i;
                     return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
                   });
      });
  mj_deleteData(data);
  mj_deleteModel(model);
}
