#include <ictus/model/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus::model {

namespace {

/// ∫ z² dA of a rectangle about its centre.
double inertia(double height, double width) { return width * height * height * height / 12; }

}  // namespace

Section box_section(double height, double width, double thickness) {
  const double t = thickness, inner_height = height - 2 * t, inner_width = width - 2 * t;
  const double h = height - t, b = width - t;  // between the mid-lines
  Section section;
  section.width = width;
  section.height = height;
  section.area = height * width - inner_height * inner_width;
  section.inertia_y = inertia(height, width) - inertia(inner_height, inner_width);
  section.inertia_z = inertia(width, height) - inertia(inner_width, inner_height);
  section.torsion = 2 * t * b * b * h * h / (b + h);
  section.shear_area_y = 2 * t * width;
  section.shear_area_z = 2 * t * height;
  return section;
}

Section i_section(double height, double width, double web_thickness, double flange_thickness) {
  const double web_height = height - 2 * flange_thickness, tw = web_thickness, tf = flange_thickness;
  Section section;
  section.width = width;
  section.height = height;
  section.area = 2 * width * tf + web_height * tw;
  section.inertia_y = inertia(height, width) - inertia(web_height, width - tw);
  section.inertia_z = 2 * inertia(width, tf) + inertia(tw, web_height);
  section.torsion = (2 * width * tf * tf * tf + web_height * tw * tw * tw) / 3;
  section.shear_area_y = 2 * width * tf * 5 / 6;
  section.shear_area_z = height * tw;
  return section;
}

Section pipe_section(double diameter, double thickness) {
  const double outer = diameter / 2, inner = outer - thickness;
  const double outer_sq = outer * outer, inner_sq = inner * inner;
  Section section;
  section.width = section.height = diameter;
  section.round = true;
  section.area = std::numbers::pi * (outer_sq - inner_sq);
  section.inertia_y = section.inertia_z = std::numbers::pi / 4 * (outer_sq * outer_sq - inner_sq * inner_sq);
  section.torsion = 2 * section.inertia_y;
  section.shear_area_y = section.shear_area_z = section.area / 2;
  return section;
}

Section rectangle_section(double height, double width) {
  const double a = std::max(height, width), b = std::min(height, width), r = b / a;
  Section section;
  section.width = width;
  section.height = height;
  section.area = height * width;
  section.inertia_y = inertia(height, width);
  section.inertia_z = inertia(width, height);
  section.torsion = a * b * b * b * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
  section.shear_area_y = section.shear_area_z = section.area * 5 / 6;
  return section;
}

}  // namespace ictus::model
