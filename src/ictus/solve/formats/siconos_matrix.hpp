#pragma once

#include <ictus/solve/formats/number_text.hpp>
#include <ictus/solve/linear/sparse_blocks.hpp>
#include <string_view>

namespace ictus::solve {

/// Reads a matrix as Siconos prints it: storage (0 dense, 1 sparse blocks, 2 sparse), rows and columns, and then
///
/// - dense: rows and columns once more, and the values column by column;
/// - sparse blocks: how many blocks, block rows and block columns, cumulative sizes of these, how many pointers and
///   indices follow, the pointers of block rows, the columns of the blocks, and of each block its number and its values
///   column by column; nothing but the count if there is no block;
/// - sparse: what the lists are (1 triplets, 2 compressed columns; older files leave this out), and what CSparse
/// prints.
///
/// `name` is how messages call the matrix.
SparseMatrix read_siconos_matrix(NumberText& text, std::string_view name);

/// Whether a matrix of `rows` and `columns` may begin at the next word.
bool siconos_matrix_follows(NumberText text, int rows, int columns);

}  // namespace ictus::solve
