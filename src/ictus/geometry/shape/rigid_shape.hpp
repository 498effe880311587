#pragma once

#include <ictus/geometry/mesh/triangle_mesh.hpp>
#include <ictus/math/so3.hpp>
#include <memory>
#include <vector>

namespace ictus::geometry {

using Vec = math::Vector3<double>;
using Mat = math::Matrix3<double>;

/// Where a rigid shape is: x = position + axes · X, with the axes of the shape as columns.
struct Pose {
  Vec position;
  Mat axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  Vec position_of(const Vec& local) const { return position + axes * local; }
  Vec local(const Vec& world) const { return math::transpose_times(axes, world - position); }
};

/// A convex polyhedron about its own origin. Faces are planes n·x = offset with n outward; their corners run
/// anticlockwise seen from outside.
struct Polytope {
  struct Face {
    Vec normal;
    double offset = 0;
    std::vector<int> corners;
  };
  struct Edge {
    int from = 0, to = 0;
    int direction = 0;  ///< index into directions
  };

  std::vector<Vec> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vec> directions;  ///< of the edges, unit, each once up to sign
};

/// The convex hull of points, with coplanar points in one face; vertices that are no corners are dropped. For up to
/// some hundred points: contact compares the edges of two bodies in pairs. Throws base::InputError (without a location)
/// where the points lie in a plane, are too many or not finite.
Polytope convex_hull(const std::vector<Vec>& points);
/// A box with the given edge lengths about the origin.
Polytope box_polytope(const Vec& size);

/// A shape of rigid bodies. The axis of a capsule is z. Detection among rigid bodies alone knows the convex ones; a
/// mesh is met by its skin.
struct RigidShape {
  enum class Kind { sphere, capsule, polytope, mesh };

  Kind kind = Kind::sphere;
  double radius = 0;       ///< of spheres and capsules, and around the triangles of a mesh (m)
  double half_length = 0;  ///< from the middle of a capsule to the centre of a cap (m)
  std::shared_ptr<const Polytope> polytope;
  std::shared_ptr<const TriangleMesh> mesh;     ///< what touches: triangles, of which corners may coincide
  std::shared_ptr<const TriangleMesh> picture;  ///< what a mesh looks like with its radius

  static RigidShape sphere(double radius);
  static RigidShape capsule(double radius, double length);
  static RigidShape convex(Polytope polytope);
  static RigidShape triangles(TriangleMesh mesh, TriangleMesh picture, double radius);

  /// The same shape, so many times larger about the origin.
  RigidShape scaled(double times) const;

  /// Radius of the smallest sphere about the origin that holds the shape (m).
  double reach() const { return reach_; }
  /// Radius of the largest sphere about the origin within the shape; 0 where the origin is outside (m).
  double inner_radius() const { return inner_radius_; }
  /// Half the edge lengths of the smallest box with world axes around the shape at this orientation (m).
  Vec half_extent(const Mat& axes) const;

 private:
  double reach_ = 0;
  double inner_radius_ = 0;
};

/// Volume, centroid and inertia of a body of density 1.
struct VolumeProperties {
  double volume = 0;  ///< m³
  Vec centroid;       ///< m
  Mat inertia;        ///< ∫ (|x|² 1 − x xᵀ) dV about the centroid (m⁵)
};

VolumeProperties volume_properties(const RigidShape& shape);
/// Of the body within a closed mesh whose triangles are wound outwards; negative where they are wound inwards.
VolumeProperties volume_properties(const TriangleMesh& mesh);
/// Of a solid cylinder about z, about its middle.
VolumeProperties cylinder_properties(double radius, double length);
/// Of a solid cone about z, its base in z = 0 and its tip at z = length.
VolumeProperties cone_properties(double radius, double length);
/// A body at a pose.
VolumeProperties moved(const VolumeProperties& body, const Pose& pose);
/// Several together, each of a density: `volume` is their mass. Where they overlap both count.
VolumeProperties combined(const std::vector<VolumeProperties>& bodies, const std::vector<double>& densities);

/// The prism of as many sides inscribed to a cylinder about z, about its middle, and the pyramid inscribed to a cone.
Polytope prism_polytope(double radius, double length, int around);
Polytope pyramid_polytope(double radius, double length, int around);

/// The surface of a shape, for pictures; round ones are cut finer with a higher level.
TriangleMesh surface_of(const RigidShape& shape, int level);

/// The same polytope moved so that `origin` becomes the origin and the columns of `axes` the axes.
Polytope relocated(const Polytope& polytope, const Vec& origin, const Mat& axes);
RigidShape relocated(const RigidShape& mesh, const Vec& origin, const Mat& axes);

}  // namespace ictus::geometry
