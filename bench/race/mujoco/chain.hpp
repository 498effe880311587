#pragma once

// The rod in MuJoCo: a chain of stiff links with springs in its hinges, EI over the length of a link.
#include <mujoco/mujoco.h>

#include <fstream>
#include <memory>
#include <string>

#include "../rod.hpp"

namespace race_mujoco {

struct Free {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// A chain along x whose start is at `place`; `options` come before its bodies, `beside` is in the world with it.
class Chain {
 public:
  Chain(const std::string& path, const rod::Links& links, const std::string& options, const std::string& beside,
        const std::string& place) {
    {
      std::ofstream file(path);
      file.precision(17);
      file << "<mujoco>" << options << "<worldbody>" << beside;
      for (int i = 0; i < links.count; ++i) {
        file << "<body pos='";
        if (i == 0) {
          file << place << "'><freejoint/>";
        } else {
          file << links.link << " 0 0'><joint type='hinge' axis='0 1 0' stiffness='" << links.stiffness << "'/>";
        }
        file << "<geom type='box' pos='" << links.link / 2 << " 0 0' size='" << links.link / 2 << ' ' << rod::side / 2
             << ' ' << rod::side / 2 << "' density='" << rod::density << "'/>";
      }
      file << "<site name='end' pos='" << links.link << " 0 0'/>";
      for (int i = 0; i < links.count; ++i) file << "</body>";
      file << "</worldbody></mujoco>";
    }
    char error[1000] = "";
    model_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    if (!model_) {
      std::fprintf(stderr, "%s\n", error);
      std::exit(1);
    }
    data_.reset(mj_makeData(model_.get()));
  }
  mjModel* model() { return model_.get(); }
  mjData& data() { return *data_; }
  void step() { mj_step(model_.get(), data_.get()); }

  struct End {
    double x, z, velocity_x, velocity_z;
  };
  /// The end of the last link.
  End end() {
    mj_forward(model_.get(), data_.get());
    mjtNum velocity[6];
    mj_objectVelocity(model_.get(), data_.get(), mjOBJ_SITE, 0, velocity, 0);
    return {data_->site_xpos[0], data_->site_xpos[2], velocity[3], velocity[5]};
  }

 private:
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace race_mujoco
