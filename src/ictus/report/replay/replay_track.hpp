#pragma once

#include <array>
#include <cstdint>
#include <ictus/files/vtu/frame_list.hpp>
#include <ictus/files/vtu/vtu_reader.hpp>
#include <ictus/report/replay/replay_mesh.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::report {

/// A field of a body over the frames kept: one value ≥ 0 per frame and point; 0 where there is none.
struct FieldTrack {
  std::string name;
  std::vector<float> values;
  float largest = 0;
};

/// A body over the frames kept.
struct BodyTrack {
  std::string name;
  bool unbounded = false;
  ReplayMesh mesh;
  std::vector<double> radius;                     ///< of each point, NaN where it has none; empty: none has any
  std::vector<std::array<double, 3>> origins;     ///< least x, y and z of each frame
  std::array<std::vector<float>, 3> from_origin;  ///< x, y, z: one per frame and point
  std::array<float, 3> extent{};                  ///< largest x, y, z of from_origin
  /// Width and height of the section at each point, and its axes d₁ and d₂, x, y, z each, one per frame and point;
  /// empty where the body has none, or round ones only. A section is round where its point has a radius.
  std::vector<double> section;
  std::array<std::vector<float>, 6> axes;
  std::vector<FieldTrack> fields;
};

/// Every body over the frames given: speed, strain energy density and contact impulse where it has them.
std::vector<BodyTrack> read_tracks(std::span<const files::ListedFrame> frames);

}  // namespace ictus::report
