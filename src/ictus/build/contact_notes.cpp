#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ictus/build/bodies.hpp>
#include <ictus/build/contact_notes.hpp>
#include <ictus/mechanics/rigid_bodies.hpp>
#include <map>
#include <set>

namespace ictus::build {

namespace {

std::int64_t members(const dynamics::System& system, const std::string& name) {
  const auto* rigid = dynamic_cast<const mechanics::RigidBodies*>(system.find_body(name));
  return rigid ? static_cast<std::int64_t>(rigid->unknowns().size / mechanics::RigidBodies::stride) : 1;
}

/// What a body is; what belongs to another body, such as the pole of a woodpecker, is what it is called.
std::string kind_of(const scene::Scene& scene, const std::string& name) {
  const scene::Body* body = scene.bodies.find(name);
  return body ? std::string(scene::type_name(*body)) : name;
}

/// Those that are in a pair or in a tie.
std::set<std::string> bodies_met(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs) {
  std::set<std::string> met;
  for (const contact::ContactPair& pair : pairs) met.insert({pair.first, pair.second});
  for (const scene::TieSpec& tie : scene.ties) met.insert(tie.between.begin(), tie.between.end());
  return met;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  if (names.size() > most) {
    const std::vector<std::string> first(names.begin(), names.begin() + most);
    return fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - most);
  }
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace

std::vector<PairCount> count_pairs(const scene::Scene& scene, const dynamics::System& system) {
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  for (const contact::ContactPair& pair : system.pairs()) {
    const std::int64_t first = members(system, pair.first), second = members(system, pair.second);
    const bool one_name = pair.first == pair.second;
    counts[std::minmax(kind_of(scene, pair.first), kind_of(scene, pair.second))] +=
        one_name ? std::max<std::int64_t>(first * (first - 1) / 2, 1) : first * second;
  }
  std::vector<PairCount> result;
  for (const auto& [kinds, pairs] : counts) result.push_back({kinds.first, kinds.second, pairs});
  return result;
}

std::vector<std::string> contactless_notes(const scene::Document& document,
                                           const std::vector<dynamics::BodyPtr>& bodies,
                                           const std::vector<contact::ContactPair>& pairs) {
  const std::set<std::string> met = bodies_met(document.scene, pairs);
  const bool all_met = std::all_of(document.scene.bodies.begin(), document.scene.bodies.end(),
                                   [&](const auto& entry) { return met.contains(entry.name); });
  if (all_met) return {};
  scene::Document everything{document.scene, document.where, document.file};
  everything.scene.contacts = {
      {.between = {std::string(scene::any_body), std::string(scene::any_body)}, .restitution = std::nullopt}};
  Mistakes ignored(everything);
  Overlaps overlaps;
  std::map<std::string, std::vector<std::string>> partners;
  for (const contact::ContactPair& pair : possible_pairs(everything, bodies, overlaps, ignored)) {
    if (pair.first == pair.second) continue;
    partners[pair.first].push_back(pair.second);
    partners[pair.second].push_back(pair.first);
  }
  std::vector<std::string> notes;
  for (const auto& [name, spec] : document.scene.bodies) {
    const bool moves = !std::holds_alternative<scene::PlaneSpec>(spec);
    if (!moves || met.contains(name) || !partners.contains(name)) continue;
    notes.push_back(fmt::format("{} is in no contact and would pass through {}; name it in `contacts` if it may touch",
                                name, listed(partners[name])));
  }
  return notes;
}

}  // namespace ictus::build
