#include <ictus/observe/history/joint_log.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ictus::observe {

using dynamics::JointType;
using math::Vec3;

namespace {

bool has_displacement(JointType type) {
  return type == JointType::prismatic || type == JointType::cylindrical || type == JointType::distance;
}

}  // namespace

JointLog::JointLog(const dynamics::System& system) {
  int before = -1;
  for (const dynamics::Joint& joint : system.joints()) {
    if (joint.number != before || names_.empty()) {
      names_.push_back(joint.name);
      type_.push_back(joint.type);
      before = joint.number;
    }
    joint_of_.push_back(names_.size() - 1);
  }
  numbers_.assign(count * names_.size(), 0.0);
}

/// Moments are about the first of those that are one.
void JointLog::observe(const dynamics::StepReport& report) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < report.joints.size(); ++i) {
    const dynamics::JointReaction& reaction = report.joints[i];
    if (i == 0 || joint_of_[i] != joint_of_[i - 1]) first = i;
    double* own = of(joint_of_[i]);
    const Vec3 about = reaction.moment + (reaction.place - report.joints[first].place).cross(reaction.impulse);
    Vec3::Map(own + impulse) += reaction.impulse;
    Vec3::Map(own + moment) += about;
    own[gap] = std::max(own[gap], reaction.gap);
    own[gap_max] = std::max(own[gap_max], reaction.gap);
    own[angle] = reaction.angle;
    own[displacement] = reaction.displacement;
  }
}

std::vector<std::string> JointLog::columns() const {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (const char* what : {"force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z", "gap"})
      result.push_back(fmt::format("joint.{}.{}", names_[k], what));
    if (turns_freely(type_[k])) result.push_back(fmt::format("joint.{}.angle", names_[k]));
    if (has_displacement(type_[k])) result.push_back(fmt::format("joint.{}.displacement", names_[k]));
  }
  return result;
}

void JointLog::take(double duration, std::vector<double>& values) {
  const double share = duration > 0 ? 1 / duration : 0;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    double* own = of(k);
    for (std::size_t c = impulse; c < gap; ++c) values.push_back(share * own[c]);
    own[force_max] = std::max(own[force_max], share * Vec3::Map(own + impulse).norm());
    own[moment_max] = std::max(own[moment_max], share * Vec3::Map(own + moment).norm());
    values.push_back(own[gap]);
    if (turns_freely(type_[k])) values.push_back(own[angle]);
    if (has_displacement(type_[k])) values.push_back(own[displacement]);
    std::fill(own + impulse, own + gap_max, 0.0);
  }
}

nlohmann::ordered_json JointLog::summary() const {
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const double* own = &numbers_[count * k];
    nlohmann::ordered_json& joint = result[names_[k]];
    joint = {{"force_max", own[force_max]}, {"moment_max", own[moment_max]}, {"gap_max", own[gap_max]}};
    if (turns_freely(type_[k])) joint["angle"] = own[angle];
    if (has_displacement(type_[k])) joint["displacement"] = own[displacement];
  }
  return result;
}

}  // namespace ictus::observe
