#pragma once

#include <cstddef>
#include <ictus/math/pack.hpp>
#include <ictus/math/se3.hpp>
#include <span>

namespace ictus::mechanics {

/// How the nodes of a Lie-group beam lie in State::q and State::p: blocks of eight nodes, within a block one component
/// after the other. A block is one stretch of memory and its rows are vector registers; the neighbour of a node is the
/// next lane. Components of q: the quaternion s, v and the position r. Components of p at the same positions: nothing,
/// the spin about r, the linear momentum, all in space. So the momentum conjugate to a coordinate of r has its index.
/// Lanes after the last node hold the identity and no momentum.
struct LieBeamLayout {
  static constexpr std::size_t lanes = math::Pack::lanes;
  static constexpr std::size_t components = 7;
  static constexpr std::size_t block = lanes * components;
  static constexpr std::size_t rotation = 0, rotation_vector = 1, position = 4;  ///< first components of a pose
  static constexpr std::size_t spin = 1, linear = 4;                             ///< first components of a momentum

  static constexpr std::size_t blocks(std::size_t nodes) { return (nodes + lanes - 1) / lanes; }
  static constexpr std::size_t size(std::size_t nodes) { return blocks(nodes) * block; }
  static constexpr std::size_t at(std::size_t node, std::size_t component) {
    return node / lanes * block + component * lanes + node % lanes;
  }

  static math::Vector3<double> get(std::span<const double> x, std::size_t node, std::size_t component) {
    return {x[at(node, component)], x[at(node, component + 1)], x[at(node, component + 2)]};
  }
  static void set(std::span<double> x, std::size_t node, std::size_t component, const math::Vector3<double>& v) {
    x[at(node, component)] = v.x;
    x[at(node, component + 1)] = v.y;
    x[at(node, component + 2)] = v.z;
  }

  static math::Pose<double> pose(std::span<const double> q, std::size_t node) {
    return {{q[at(node, rotation)], get(q, node, rotation_vector)}, get(q, node, position)};
  }
  static void set_pose(std::span<double> q, std::size_t node, const math::Pose<double>& g) {
    q[at(node, rotation)] = g.q.s;
    set(q, node, rotation_vector, g.q.v);
    set(q, node, position, g.r);
  }

  /// (spin about the node's position, linear momentum), in space.
  static math::Wrench<double> momentum(std::span<const double> p, std::size_t node) {
    return {get(p, node, spin), get(p, node, linear)};
  }
  static void set_momentum(std::span<double> p, std::size_t node, const math::Wrench<double>& momentum) {
    set(p, node, spin, momentum.m);
    set(p, node, linear, momentum.n);
  }
};

}  // namespace ictus::mechanics
