#pragma once

#include <filesystem>
#include <ictus/solve/cone/cone_problem.hpp>
#include <string>

namespace ictus::solve {

/// A frictional contact problem as others save it, made ready to solve.
struct SavedProblem {
  std::string title;  ///< as the file gives it; empty in text files
  int dimension = 3;  ///< of space; planar problems get a second tangent without friction or velocity
  BlockProblem problem;
};

/// Reads a problem in FCLIB format (HDF5: groups `fclib_local`, with W and q, or `fclib_global`, with M, H, f and w,
/// which is condensed to W = HᵀM⁻¹H, q = w + HᵀM⁻¹f) or in the text format of Siconos, local (W, q, μ) or global
/// (M, H, q, b, μ with q for f and b for w), with dense, sparse or sparse block matrices. The content decides, not the
/// name. Throws base::InputError naming the line or dataset of whatever is missing, cut off, left over, out of range or
/// not finite.
SavedProblem read_contact_problem(const std::filesystem::path& path);

}  // namespace ictus::solve
