#pragma once

#include <ictus/solve/formats/contact_problem_file.hpp>
#include <ictus/solve/linear/sparse_blocks.hpp>
#include <span>
#include <string>
#include <string_view>

// The formats behind read_contact_problem(), and what they share; `file` is the name used in messages.

namespace ictus::solve {

SavedProblem parse_text_problem(const std::string& file, std::string_view content);
SavedProblem read_fclib_problem(const std::string& file, std::string_view content);

/// W = HᵀM⁻¹H and q = w + HᵀM⁻¹f [eq. contact-solvers-3] of a global problem; `q` holds w before. M need not be
/// symmetric (gyroscopic terms). Throws base::InputError where M is singular, or symmetric and not positive definite.
SparseMatrix condense(const SparseMatrix& mass, const SparseMatrix& h, std::span<const double> f, std::span<double> q);

/// The problem of W, q and μ, whose sizes fit together.
SavedProblem saved_problem(std::string title, int dimension, const SparseMatrix& w, std::span<const double> q,
                           std::span<const double> mu);

}  // namespace ictus::solve
