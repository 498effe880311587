#include <ictus/build/contacts/contact_notes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/mechanics/rigid/rigid_bodies.hpp>
#include <map>
#include <set>

namespace ictus::build {

namespace {

std::int64_t members(const dynamics::System& system, const std::string& name) {
  const mechanics::Body* body = system.find_body(name);
  const mechanics::RigidBodies* rigid = body ? body->rigid_bodies() : nullptr;
  return rigid ? static_cast<std::int64_t>(rigid->dofs().size / mechanics::RigidBodies::stride) : 1;
}

/// What a body is; what belongs to another body, such as the pole of a woodpecker, is what it is called.
std::string kind_of(const scene::Scene& scene, const std::string& name) {
  const scene::Body* body = scene.bodies.find(name);
  return body ? std::string(scene::type_name(*body)) : name;
}

using NamePair = std::pair<std::string, std::string>;

NamePair unordered(const std::string& first, const std::string& second) { return std::minmax(first, second); }

/// Names of bodies that have a law of contact or a tie between them.
std::set<NamePair> bodies_met(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs) {
  std::set<NamePair> met;
  for (const contact::ContactPair& pair : pairs) met.insert(unordered(pair.first, pair.second));
  for (const scene::TieSpec& tie : scene.ties) met.insert(unordered(tie.between[0], tie.between[1]));
  return met;
}

/// Bodies that touch each other in a row, as the balls of a cradle do, cannot pass those in between: of each body the
/// row that it belongs to, named after one of its bodies. Planes belong to rows of bars alone, which are on one line.
class Rows {
 public:
  Rows(const scene::Scene& scene, const std::set<NamePair>& met) {
    for (const auto& [name, body] : scene.bodies) {
      row_[name] = name;
      if (std::holds_alternative<scene::PlaneSpec>(body)) planes_.insert(name);
      if (std::holds_alternative<scene::BarSpec>(body)) bars_.insert(name);
    }
    for (const auto& [first, second] : met) {
      if (joins(first, second)) row_[row_of(second)] = row_of(first);
    }
  }
  bool share(const std::string& first, const std::string& second) const {
    return joins(first, second) && row_of(first) == row_of(second);
  }

 private:
  /// What belongs to another body, such as the pole of a woodpecker, is in no row.
  bool joins(const std::string& first, const std::string& second) const {
    if (!row_.contains(first) || !row_.contains(second)) return false;
    const bool with_plane = planes_.contains(first) || planes_.contains(second);
    return !with_plane || bars_.contains(first) || bars_.contains(second);
  }
  const std::string& row_of(const std::string& name) const {
    const std::string& next = row_.at(name);
    return next == name ? next : row_of(next);
  }
  std::map<std::string, std::string> row_;
  std::set<std::string> planes_, bars_;
};

/// Whether nothing moves a body: planes, rigid bodies that are held, and what belongs to another body.
bool stands_still(const std::string& name, const std::vector<dynamics::BodyPtr>& bodies) {
  const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const auto& b) { return b->name() == name; });
  if (body == bodies.end()) return true;
  const auto* rigid = (*body)->rigid_bodies();
  return (*body)->dofs().size == 0 || (rigid && rigid->properties().fixed);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t max_count = 3;
  if (names.size() > max_count) {
    const std::vector<std::string> first(names.begin(), names.begin() + max_count);
    return fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - max_count);
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
  const std::set<NamePair> met = bodies_met(document.scene, pairs);
  const Rows rows(document.scene, met);
  scene::Document everything{document.scene, document.where, document.file};
  everything.scene.contacts = {
      {.between = {std::string(scene::any_body), std::string(scene::any_body)}, .restitution = std::nullopt}};
  Mistakes ignored(everything);
  Overlaps overlaps;
  std::set<NamePair> strangers;
  for (const contact::ContactPair& pair : possible_pairs(everything, bodies, overlaps, ignored)) {
    const bool still = stands_still(pair.first, bodies) && stands_still(pair.second, bodies);
    if (pair.first != pair.second && !still && !met.contains(unordered(pair.first, pair.second)) &&
        !rows.share(pair.first, pair.second))
      strangers.insert(unordered(pair.first, pair.second));
  }
  const auto is_met = [&](const std::string& name) {
    return std::any_of(met.begin(), met.end(), [&](const NamePair& p) { return p.first == name || p.second == name; });
  };
  std::vector<std::string> notes;
  std::map<std::string, std::vector<std::string>> passed;
  for (const auto& [first, second] : strangers) {
    if (is_met(first) && is_met(second)) {
      notes.push_back(fmt::format("{} would pass through {}: no contact is between them", first, second));
      continue;
    }
    if (!is_met(first) && !stands_still(first, bodies)) passed[first].push_back(second);
    if (!is_met(second) && !stands_still(second, bodies)) passed[second].push_back(first);
  }
  for (const auto& [name, others] : passed) {
    notes.push_back(fmt::format("{} is in no contact and would pass through {}; name it in `contacts` if it may touch",
                                name, listed(others)));
  }
  return notes;
}

}  // namespace ictus::build
