#include <ictus/scene/describe/describe.hpp>

#include <ictus/scene/schema/scalar_kinds.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ictus::scene {

namespace {

Typed<SolidLaw> law() {
  return one_of<SolidLaw>(
      {{SolidLaw::linear, "linear", "Hooke's law of small strains and rotations"},
       {SolidLaw::st_venant_kirchhoff, "st-venant-kirchhoff",
        "Hooke's law of the Green-Lagrange strain: any rotation, moderate strain"},
       {SolidLaw::neo_hookean, "neo-hookean", "compressible neo-Hookean: any rotation, large strain"},
       {SolidLaw::hencky, "hencky", "Hooke's law of the logarithmic strain, the elastic part of j2"},
       {SolidLaw::j2, "j2",
        "metal that yields at von Mises' stress `yield_stress` and hardens; any rotation and strain"},
       {SolidLaw::own, "own",
        "one that a program brings under the name of the material, with its stiffness; the program `ictus` has none"}});
}

constexpr const char* kinematic_text =
    "Slope of the back stress over the plastic strain, by which a metal that was pulled yields sooner when it is "
    "pressed. Good to shears of about one; three times dearer.";

Object<LinearHardeningSpec> linear_hardening() {
  Object<LinearHardeningSpec> object("linear", "Flow stress = yield_stress + modulus · plastic strain.");
  object
      .required("modulus", &LinearHardeningSpec::modulus, quantity(dimension::stress).at_least(0),
                "Slope of the flow stress over the plastic strain; 0: ideal plasticity.")
      .field("kinematic_modulus", &LinearHardeningSpec::kinematic_modulus, quantity(dimension::stress).at_least(0),
             kinematic_text);
  return object;
}

Object<VoceHardeningSpec> voce_hardening() {
  Object<VoceHardeningSpec> object(
      "voce", "Flow stress = yield_stress + modulus · α + saturation · (1 − exp(−rate · α)), α plastic strain.");
  object
      .required("saturation", &VoceHardeningSpec::saturation, quantity(dimension::stress).positive(),
                "By how much the flow stress rises until it is saturated.")
      .required("rate", &VoceHardeningSpec::rate, number().positive(), "How fast it does, per plastic strain.")
      .field("modulus", &VoceHardeningSpec::modulus, quantity(dimension::stress).at_least(0),
             "Slope that stays behind saturation.")
      .field("kinematic_modulus", &VoceHardeningSpec::kinematic_modulus, quantity(dimension::stress).at_least(0),
             kinematic_text);
  return object;
}

Object<TableHardeningSpec> table_hardening() {
  Object<TableHardeningSpec> object("table",
                                    "Straight lines between points of a measured curve, level behind the last.");
  object
      .required(
          "points", &TableHardeningSpec::points,
          list(Typed<std::array<double, 2>>{
              std::make_shared<ListKindOf<std::array<double, 2>>>(Typed<double>(number()).kind, 2)}),
          "Pairs of plastic strain and true flow stress in Pa, the first at plastic strain 0 with the yield_stress.")
      .check([](const TableHardeningSpec& spec, const std::string& path, Reading& reading) {
        constexpr std::size_t max_points = 32;
        const auto& points = spec.points;
        if (points.size() < 2 || points.size() > max_points)
          return reading.mistake(path + ".points",
                                 fmt::format("must have 2 to {} points, not {}", max_points, points.size()));
        if (points[0][0] != 0) reading.mistake(path + ".points.0", "must begin at plastic strain 0");
        for (std::size_t i = 0; i < points.size(); ++i) {
          const std::string at = fmt::format("{}.points.{}", path, i);
          if (!(points[i][1] > 0)) reading.mistake(at, "must have a flow stress > 0");
          if (i == 0) continue;
          if (!(points[i][0] > points[i - 1][0]))
            reading.mistake(
                at, fmt::format("must have a plastic strain above {:g}, that of the point before", points[i - 1][0]));
          if (points[i][1] < points[i - 1][1])
            reading.mistake(at,
                            fmt::format("must not have a flow stress below {:g} Pa, that of the point before: a metal "
                                        "that softens without bound has no solution",
                                        points[i - 1][1]));
        }
      });
  return object;
}

Object<SofteningSpec> softening() {
  Object<SofteningSpec> object("softening",
                               "Share 1 − T*^exponent of the flow stress that is left, T* = (T − start)/(melting − "
                               "start); heat stays where it arises.");
  object
      .required("melting", &SofteningSpec::melting, quantity(dimension::temperature).positive(),
                "Temperature at which the metal has no strength. The heat of melting is left out.")
      .required("heat_capacity", &SofteningSpec::heat_capacity, quantity(dimension::heat_capacity).positive(),
                "Heat that a mass takes per kelvin.")
      .field("exponent", &SofteningSpec::exponent, number().positive(), "How late it softens: m of Johnson and Cook.")
      .field("start", &SofteningSpec::start, quantity(dimension::temperature).at_least(0),
             "Temperature of the body at the start, for which yield_stress and modulus hold.")
      .check([](const SofteningSpec& spec, const std::string& path, Reading& reading) {
        if (!(spec.melting > spec.start))
          reading.mistake(path + ".melting", fmt::format("must be above start, {:g} K", spec.start));
      });
  return object;
}

Object<JohnsonCookHardeningSpec> johnson_cook_hardening() {
  Object<JohnsonCookHardeningSpec> object(
      "johnson-cook",
      "Flow stress = (yield_stress + modulus · α^exponent) · (1 + rate_factor · ln(rate/reference_rate)) · (1 − "
      "T*^m), α plastic strain, T* the way to melting; of Johnson and Cook.");
  object
      .required("modulus", &JohnsonCookHardeningSpec::modulus, quantity(dimension::stress).at_least(0),
                "B: what the flow stress gains at a plastic strain of 1.")
      .required("exponent", &JohnsonCookHardeningSpec::exponent, number().positive().at_most(2), "n.")
      .field("rate_factor", &JohnsonCookHardeningSpec::rate_factor, number().at_least(0).at_most(1),
             "C: what it gains when the rate of plastic strain grows by e, above the reference_rate.")
      .field("reference_rate", &JohnsonCookHardeningSpec::reference_rate, quantity(dimension::frequency).positive(),
             "Rate up to which it does not matter.")
      .field("softening", &JohnsonCookHardeningSpec::softening, softening(),
             "How it softens with the heat of its flow, of which heat_share is given or 0.9. Absent: it does not.");
  return object;
}

Object<RelaxationSpec> relaxation() {
  Object<RelaxationSpec> object("relaxation", "Stress of shape that fades, one term of a Prony series.");
  object
      .required("shear_modulus", &RelaxationSpec::shear_modulus, quantity(dimension::stress).positive(),
                "By how much the shear modulus of fast motion is above that of slow motion.")
      .required("time", &RelaxationSpec::time, quantity(dimension::time).positive(),
                "Time in which the stress of a strain that stays falls to 1/e.");
  return object;
}

Object<StrainFailureSpec> strain_failure() {
  Object<StrainFailureSpec> object("plastic-strain", "Breaks at a plastic strain.");
  object.required("strain", &StrainFailureSpec::strain, number().positive(), "That strain.");
  return object;
}

Object<JohnsonCookFailureSpec> johnson_cook_failure() {
  Object<JohnsonCookFailureSpec> object(
      "johnson-cook",
      "Breaks when the plastic strain, divided by ε_f = (d1 + d2 exp(d3 η)) (1 + d4 ln(rate/reference_rate)) (1 + d5 "
      "T*), adds up to one; η is the mean stress over von Mises' stress, positive in tension.");
  object.required("d1", &JohnsonCookFailureSpec::d1, number().at_least(0), "Strain that is left under high tension.")
      .field("d2", &JohnsonCookFailureSpec::d2, number().at_least(0), "What more there is at η = 0.")
      .field("d3", &JohnsonCookFailureSpec::d3, number().at_least(-20).at_most(0),
             "How it falls with η: not above zero, since tension breaks sooner than pressure.")
      .field("d4", &JohnsonCookFailureSpec::d4, number().at_least(-1).at_most(1),
             "What it gains when the rate grows by e, above the reference_rate.")
      .field("d5", &JohnsonCookFailureSpec::d5, number().at_least(-1), "What it gains on the way to melting.")
      .field("reference_rate", &JohnsonCookFailureSpec::reference_rate, quantity(dimension::frequency).positive(),
             "Rate up to which it does not matter.")
      .check([](const JohnsonCookFailureSpec& spec, const std::string& path, Reading& reading) {
        if (!(spec.d1 + spec.d2 > 0)) reading.mistake(path + ".d1", "d1 + d2 must be above 0, or it breaks at once");
      });
  return object;
}

void check_material(const MaterialSpec& spec, const std::string& path, Reading& reading) {
  if (!spec.relaxation.empty() && (spec.law == SolidLaw::j2 || spec.law == SolidLaw::own))
    reading.mistake(path + ".relaxation", "goes with elastic laws alone: not with j2, which yields, nor with own");
  if (spec.law == SolidLaw::j2) {
    if (!spec.yield_stress) reading.mistake(path + ".yield_stress", "is missing, law: j2 needs it");
    if (spec.yield_stress && spec.youngs_modulus && *spec.yield_stress > 0.1 * *spec.youngs_modulus)
      reading.mistake(
          path + ".yield_stress",
          fmt::format("must be at most a tenth of youngs_modulus, {:g} Pa: metals yield at elastic strains of "
                      "less than a per cent; are the units right?",
                      0.1 * *spec.youngs_modulus));
    const auto* table = spec.hardening ? std::get_if<TableHardeningSpec>(&*spec.hardening) : nullptr;
    if (table && spec.yield_stress && !table->points.empty() && table->points[0][1] != *spec.yield_stress)
      reading.mistake(path + ".hardening.points.0", fmt::format("must have the yield_stress, {:g} Pa, not {:g} Pa",
                                                                *spec.yield_stress, table->points[0][1]));
    return;
  }
  const auto has_no_meaning = [&](const char* key, bool given) {
    if (given) reading.mistake(fmt::format("{}.{}", path, key), "has a meaning with law: j2 alone");
  };
  has_no_meaning("yield_stress", spec.yield_stress.has_value());
  has_no_meaning("hardening", spec.hardening.has_value());
  has_no_meaning("heat_share", spec.heat_share.has_value());
  has_no_meaning("failure", spec.failure.has_value());
  if (spec.law != SolidLaw::own) return;
  for (const auto& [key, given] : {std::pair{"youngs_modulus", spec.youngs_modulus.has_value()},
                                   std::pair{"poissons_ratio", spec.poissons_ratio.has_value()}}) {
    if (given) reading.mistake(fmt::format("{}.{}", path, key), "has no meaning with law: own, which has its own");
  }
}

/// A law, a name or a map; j2 and own are no words by themselves.
class MaterialUseKind final : public EnumKind {
 public:
  MaterialUseKind() : EnumKind(words()), own_(describe_material().kind()) {}

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override {
    auto& use = *static_cast<MaterialUse*>(value);
    use = {};
    if (node.is_map()) return own_->read(node, path, reading, &use.own.emplace());
    if (!node.is_scalar() || node.text.empty()) return report_wrong(node, path, reading, allowed());
    const auto word =
        std::find_if(choices().begin(), choices().end(), [&](const auto& c) { return c.name == node.text; });
    if (word != choices().end()) return store(value, word->value);
    if (node.text == "j2")
      return reading.mistake(node, path,
                             "law j2 needs a yield_stress: give a map such as {law: j2, yield_stress: 355 MPa}, or the "
                             "name of a material");
    if (node.text == "own")
      return reading.mistake(node, path,
                             "law own needs a name by which a program brings it: give the name of a material with "
                             "{law: own, density: ...}");
    use.name = node.text;
  }
  Node write(const void* value) const override {
    const auto& use = *static_cast<const MaterialUse*>(value);
    if (use.own) return own_->write(&*use.own);
    return use.name.empty() ? EnumKind::write(value) : Node::scalar(use.name);
  }
  std::string allowed() const override {
    return EnumKind::allowed() + ", the name of a material, or a map as in materials";
  }
  nlohmann::ordered_json json_schema() const override {
    return {{"anyOf", {nlohmann::ordered_json{{"type", "string"}}, own_->json_schema()}}};
  }

 private:
  static std::vector<Choice> words() {
    std::vector<Choice> words = dynamic_cast<const EnumKind&>(*law().kind).choices();
    std::erase_if(words, [](const Choice& choice) {
      return choice.value == static_cast<int>(SolidLaw::j2) || choice.value == static_cast<int>(SolidLaw::own);
    });
    return words;
  }
  void store(void* value, int choice) const override {
    static_cast<MaterialUse*>(value)->law = static_cast<SolidLaw>(choice);
  }
  int load(const void* value) const override { return static_cast<int>(static_cast<const MaterialUse*>(value)->law); }

  std::shared_ptr<const ObjectKind> own_;
};

}  // namespace

Object<MaterialSpec> describe_material() {
  Object<MaterialSpec> object("material", "What bodies are made of.");
  object.field("law", &MaterialSpec::law, law(), "Law between deformation and stress; all agree for small strains.")
      .field("density", &MaterialSpec::density, quantity(dimension::density).positive(),
             "Mass per volume. Absent: that of the body.")
      .field("youngs_modulus", &MaterialSpec::youngs_modulus, quantity(dimension::stress).positive(),
             "Young's modulus. Absent: that of the body.")
      .field("poissons_ratio", &MaterialSpec::poissons_ratio, number().at_least(0).at_most(0.4999),
             "Poisson's ratio. Absent: that of the body.")
      .field("yield_stress", &MaterialSpec::yield_stress, quantity(dimension::stress).positive(),
             "Von Mises' stress at which it begins to flow. Absent: it never does; j2 needs it.")
      .field("hardening", &MaterialSpec::hardening,
             variant(linear_hardening(), voce_hardening(), table_hardening(), johnson_cook_hardening()),
             "How the flow stress grows with plastic strain; of j2. Absent: it does not, ideal plasticity.")
      .field(
          "heat_share", &MaterialSpec::heat_share, number().at_least(0).at_most(1),
          "Share of plastic work that becomes heat; the rest stays in the material as `hardening`; of j2. Absent: what "
          "ideal plasticity at the yield_stress would take is heat, and 0.9 with johnson-cook.")
      .field("relaxation", &MaterialSpec::relaxation, list(Typed<RelaxationSpec>(relaxation())),
             "Terms of a Prony series, of elastic laws: youngs_modulus and poissons_ratio are those of slow motion, to "
             "which stress relaxes. What fades is booked as `viscous`.")
      .field("failure", &MaterialSpec::failure, variant(strain_failure(), johnson_cook_failure()),
             "When it breaks; of j2. Elements whose mean damage reaches one are removed: what they stored is booked as "
             "`failure`, their mass stays at their nodes. Absent: never.")
      .check(check_material);
  return object;
}

Typed<MaterialUse> describe_material_use() { return {std::make_shared<MaterialUseKind>()}; }

namespace {

/// What solids and shells say of their material.
struct Matter {
  const MaterialUse& use;
  const std::optional<double>&density, &youngs_modulus, &poissons_ratio;
};

/// Whether the name of a material is known.
bool check_name(const Scene& scene, const Matter& body, const std::string& path, Reading& reading) {
  if (find_material(scene, body.use) || body.use.name.empty()) return true;
  std::vector<std::string> names = scene.materials.names();
  for (const char* word : {"linear", "st-venant-kirchhoff", "neo-hookean", "hencky"}) names.emplace_back(word);
  for (const LibraryMaterial& one : material_library()) names.emplace_back(one.name);
  std::string near = suggestion(body.use.name, names);
  if (near.empty()) near = "; `ictus materials` lists those that come with the program";
  reading.mistake(path + ".material", fmt::format("no law and no material is named '{}'{}", body.use.name, near));
  return false;
}

/// Each figure is given once, by the body or by its material.
void check_figures(const Matter& body, const MaterialSpec* material, bool is_own, const std::string& path,
                   Reading& reading) {
  const auto check = [&](const char* key, bool in_body, bool in_material, bool is_needed) {
    const std::string at = fmt::format("{}.{}", path, key);
    if (in_body && in_material) reading.mistake(at, "is given by the material too; leave it out here, or there");
    if (is_needed && !in_body && !in_material)
      reading.mistake(at, material ? "is missing, and the material does not give it" : "is missing");
  };
  check("density", body.density.has_value(), material && material->density, true);
  if (is_own) {
    for (const auto& [key, given] : {std::pair{"youngs_modulus", body.youngs_modulus.has_value()},
                                     std::pair{"poissons_ratio", body.poissons_ratio.has_value()}}) {
      if (given) reading.mistake(fmt::format("{}.{}", path, key), "has no meaning with law: own, which has its own");
    }
    return;
  }
  check("youngs_modulus", body.youngs_modulus.has_value(), material && material->youngs_modulus, true);
  check("poissons_ratio", body.poissons_ratio.has_value(), material && material->poissons_ratio, false);
}

void check_solid(const Scene& scene, const SolidSpec& solid, const std::string& path, Reading& reading) {
  const Matter body{solid.material, solid.density, solid.youngs_modulus, solid.poissons_ratio};
  if (!check_name(scene, body, path, reading)) return;
  const MaterialSpec* material = find_material(scene, solid.material);
  const bool is_own = material && material->law == SolidLaw::own;
  if (is_own && solid.material.own)
    reading.mistake(path + ".material",
                    "law own needs a name by which a program brings it: put it among the materials of the scene");
  check_figures(body, material, is_own, path, reading);
}

void check_shell(const Scene& scene, const ShellSpec& shell, const std::string& path, Reading& reading) {
  const Matter body{shell.material, shell.density, shell.youngs_modulus, shell.poissons_ratio};
  if (!check_name(scene, body, path, reading)) return;
  const MaterialSpec* material = find_material(scene, shell.material);
  const SolidLaw law = material ? material->law : shell.material.law;
  const bool is_word = !material && (law == SolidLaw::linear || law == SolidLaw::neo_hookean);
  if (is_word || law == SolidLaw::own)
    return reading.mistake(path + ".material",
                           "is not for shells, which know st-venant-kirchhoff, hencky, and materials of law j2");
  const auto has_back_stress = [](const auto& hardening) {
    if constexpr (requires { hardening.kinematic_modulus; }) return hardening.kinematic_modulus > 0;
    return false;
  };
  if (law == SolidLaw::j2 && material->hardening && std::visit(has_back_stress, *material->hardening))
    reading.mistake(path + ".material", "has a kinematic_modulus, and layers of shells harden isotropically alone");
  if (material && material->failure)
    reading.mistake(path + ".material", "has a failure, and shells do not break: only elements of solids are removed");
  if (material && !material->relaxation.empty())
    reading.mistake(path + ".material", "has a relaxation, which solids know alone");
  if (shell.layers && law != SolidLaw::j2 && law != SolidLaw::hencky)
    reading.mistake(path + ".layers", "has a meaning with materials of law hencky and j2 alone");
  check_figures(body, material, false, path, reading);
}

}  // namespace

void check_materials(const Scene& scene, Reading& reading) {
  for (const auto& [name, body] : scene.bodies) {
    const std::string path = fmt::format("bodies.{}", name);
    if (const auto* solid = std::get_if<SolidSpec>(&body)) check_solid(scene, *solid, path, reading);
    if (const auto* shell = std::get_if<ShellSpec>(&body)) check_shell(scene, *shell, path, reading);
  }
}

const MaterialSpec* find_material(const Scene& scene, const MaterialUse& use) {
  if (use.own) return &*use.own;
  if (use.name.empty()) return nullptr;
  if (const MaterialSpec* own = scene.materials.find(use.name)) return own;
  for (const LibraryMaterial& one : material_library())
    if (one.name == use.name) return &one.material;
  return nullptr;
}

}  // namespace ictus::scene
