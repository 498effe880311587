#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <span>
#include <string>

namespace ictus::observe {

/// What one body contributes to a frame.
struct FramePart {
  mechanics::Picture picture;
  bool moves;  ///< false: a rigid obstacle
  std::string name = {};
  bool unbounded = false;  ///< a piece of something endless: a plane
};

/// An UnstructuredGrid in VTK's XML format (.vtu) with the parts one after the other, arrays appended raw. Field
/// data: the time, the names of the parts (`body_names`: UTF-8, each ended by a zero), and which are endless
/// (`body_unbounded`). Cell data `body` is the number of the part. A field that a part does not have is NaN there,
/// except the displacement and velocity of what does not move, which are zero.
std::string vtu(std::span<const FramePart> parts, double time);

}  // namespace ictus::observe
