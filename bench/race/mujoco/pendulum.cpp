// MuJoCo: a hinge and a sliding joint with a spring carry the mass, with its fourth-order integrator. It has no
// coefficient of restitution; the elastic wall is a stiff contact without damping whose impact lasts ten steps.
//
//   pendulum STEP: the spring pendulum of pendulum/wall, its first second
#include <mujoco/mujoco.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int count, char** words) {
  const int steps = static_cast<int>(std::lround(1 / (count > 1 ? std::atof(words[1]) : 1e-3)));
  const double step = 1.0 / steps, radius = 0.01, stiffness = std::pow(M_PI / (10 * step), 2);
  const std::string path = std::string(words[0]) + ".xml";
  std::ofstream(path) << "<mujoco><compiler angle='radian'/><option timestep='" << step
                      << "' integrator='RK4' gravity='0 0 -9.81'/><default><geom condim='1' solref='" << -stiffness
                      << " 0' solimp='0.99 0.99 0.001'/></default><worldbody><geom type='plane' size='5 5 1' pos='"
                      << -radius << " 0 0' zaxis='1 0 0'/><body><joint type='hinge' axis='0 -1 0'/>"
                      << "<joint type='slide' axis='0 0 -1' stiffness='100'/><inertial pos='0 0 -1' mass='1' "
                      << "diaginertia='1e-9 1e-9 1e-9'/><geom type='sphere' pos='0 0 -1' size='" << radius
                      << "'/></body></worldbody></mujoco>";
  char error[1000] = "";
  mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* data = mj_makeData(model);
  data->qpos[0] = M_PI / 4;
  data->qpos[1] = 0.1;
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < steps; ++n) mj_step(model, data);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf(
      "{\"seconds\": %.6g, \"length\": %.12g, \"angle\": %.12g, \"length_rate\": %.12g, \"angular_velocity\": %.12g}\n",
      seconds, 1 + data->qpos[1], data->qpos[0], data->qvel[1], data->qvel[0]);
  mj_deleteData(data);
  mj_deleteModel(model);
}
