#pragma once

#include <ictus/model/surface.hpp>

namespace ictus::model {

/// An elastic layer of a surface under load: its skin lies closer to the mass behind it than at rest.
struct LayerLoad {
  const Surface* surface;
  std::size_t point;
  double compression;       ///< m
  double compression_rate;  ///< m/s
  double force;             ///< N, pressing
};

}  // namespace ictus::model
