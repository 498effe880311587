#include <ictus/observe/history/contact_log.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/index.hpp>
#include <ictus/files/csv_text.hpp>
#include <ictus/math/whole.hpp>
#include <limits>

namespace ictus::observe {

namespace {

/// Appends the kinetic energy in the parts of the momentum before the impulse; the cells are empty where the scheme
/// does not work with them.
void append_kinetic_parts(std::string& row, const dynamics::Impulse& impulse) {
  if (!impulse.split) {
    row += ",,,,,";
    return;
  }
  const dynamics::Impulse::Split& split = *impulse.split;
  for (const double energy : {split.normal, split.slide, split.rigid + split.shape, split.rigid, split.shape}) {
    row += ',';
    files::append_number(row, energy);
  }
}

/// Numbers of a sum in a checkpoint.
constexpr std::size_t sum_numbers = 17;

void flatten(const ContactLog::Sum& sum, std::vector<double>& numbers) {
  const dynamics::Impulse& impulse = sum.impulse;
  const dynamics::Impulse::Split split = impulse.split.value_or(dynamics::Impulse::Split{});
  numbers.insert(numbers.end(), {static_cast<double>(sum.pair), static_cast<double>(sum.node), impulse.time});
  numbers.insert(numbers.end(), impulse.point.begin(), impulse.point.end());
  numbers.insert(numbers.end(), impulse.normal.begin(), impulse.normal.end());
  numbers.insert(numbers.end(), {impulse.normal_impulse, impulse.tangential_impulse, impulse.energy_lost,
                                 impulse.split ? 1.0 : 0.0, split.normal, split.slide, split.rigid, split.shape});
}

/// Reads what `flatten` wrote, and moves on behind it.
ContactLog::Sum unflatten(const double*& from) {
  const auto next = [&] { return *from++; };
  const auto vector = [&] {
    const double x = next(), y = next(), z = next();
    return math::Vec3(x, y, z);
  };
  ContactLog::Sum sum;
  sum.impulse.pair = sum.pair = math::whole<int>(next());
  sum.node = math::whole<int>(next());
  sum.impulse.time = next();
  sum.impulse.point = vector();
  sum.impulse.normal = vector();
  sum.impulse.normal_impulse = next();
  sum.impulse.tangential_impulse = next();
  sum.impulse.energy_lost = next();
  const bool has_split = next() != 0;
  dynamics::Impulse::Split split;
  for (double* part : {&split.normal, &split.slide, &split.rigid, &split.shape}) *part = next();
  if (has_split) sum.impulse.split = split;
  return sum;
}

}  // namespace

ContactLog::ContactLog(const std::filesystem::path& file, const dynamics::System& system, ContactRows rows)
    : rows_(rows),
      last_(system.pairs().size(), std::numeric_limits<double>::lowest()),
      file_(file,
            "time,first,second,x,y,z,nx,ny,nz,normal_impulse,tangential_impulse,energy_lost,"
            "kinetic_norm,kinetic_slide,kinetic_fix,kinetic_rigid,kinetic_shape") {
  for (const contact::ContactPair& pair : system.pairs()) {
    std::string& names = names_.emplace_back(",");
    files::append_words(names, pair.first);
    names += ',';
    files::append_words(names, pair.second);
  }
}

void ContactLog::observe(const dynamics::StepReport& report, double step) {
  step_ = step;
  for (const dynamics::Impulse& impulse : report.impulses) {
    ++impulses_;
    double& last = last_[static_cast<std::size_t>(impulse.pair)];
    const bool is_impact = impulse.time - last > 1.5 * step;
    last = impulse.time;
    if (rows_ == ContactRows::merged) {
      gather(impulse);
    } else if (rows_ == ContactRows::impulses || (rows_ == ContactRows::impacts && is_impact)) {
      write(impulse);
    }
  }
}

/// The time over which impulses share rows now (s).
double ContactLog::stretch() const {
  const std::int64_t doublings = file_.position().rows / rows_per_stretch;
  return doublings == 0 ? 0 : std::ldexp(step_, static_cast<int>(doublings));
}

void ContactLog::gather(const dynamics::Impulse& impulse) {
  if (!gathered_.empty() && impulse.time >= stretch_end_) write_gathered();
  if (gathered_.empty()) {
    const double length = stretch();
    if (length == 0) return write(impulse);
    stretch_end_ = impulse.time + length - 0.5 * step_;
  }
  int node = -1;
  if (impulse.node[0] >= 0) {
    const auto largest = std::max_element(impulse.share.begin(), impulse.share.end()) - impulse.share.begin();
    node = impulse.node[static_cast<std::size_t>(largest)];
  }
  const auto [found, is_new] = slot_.try_emplace({impulse.pair, node}, gathered_.size());
  if (is_new) {
    dynamics::Impulse first = impulse;
    first.point *= impulse.normal_impulse;
    first.normal *= impulse.normal_impulse;
    gathered_.push_back({impulse.pair, node, first});
    return;
  }
  dynamics::Impulse& sum = gathered_[found->second].impulse;
  sum.point += impulse.normal_impulse * impulse.point;
  sum.normal += impulse.normal_impulse * impulse.normal;
  sum.normal_impulse += impulse.normal_impulse;
  sum.tangential_impulse += impulse.tangential_impulse;
  sum.energy_lost += impulse.energy_lost;
  if (!sum.split || !impulse.split) return;
  sum.split->normal += impulse.split->normal;
  sum.split->slide += impulse.split->slide;
  sum.split->rigid += impulse.split->rigid;
  sum.split->shape += impulse.split->shape;
}

void ContactLog::write_gathered() {
  for (Sum& sum : gathered_) {
    if (sum.impulse.normal_impulse != 0) sum.impulse.point /= sum.impulse.normal_impulse;
    if (sum.impulse.normal.norm() > 0) sum.impulse.normal.normalize();
    write(sum.impulse);
  }
  gathered_.clear();
  slot_.clear();
}

void ContactLog::write(const dynamics::Impulse& impulse) {
  std::string& row = file_.row();
  const auto append = [&](double value) {
    row += ',';
    files::append_number(row, value);
  };
  files::append_number(row, impulse.time);
  row += names_[static_cast<std::size_t>(impulse.pair)];
  for (const double x : impulse.point) append(x);
  for (const double n : impulse.normal) append(n);
  append(impulse.normal_impulse);
  append(impulse.tangential_impulse);
  append(impulse.energy_lost);
  append_kinetic_parts(row, impulse);
  file_.end_row();
}

ContactLog::Figures ContactLog::figures() const {
  return {impulses_, file_.position().rows, rows_ == ContactRows::merged ? stretch() : 0};
}

void ContactLog::go_back(const Position& position) {
  file_.go_back(position.file);
  gathered_ = position.gathered;
  last_ = position.last;
  stretch_end_ = position.stretch_end;
  impulses_ = position.impulses;
  find_slots();
}

void ContactLog::find_slots() {
  slot_.clear();
  for (std::size_t i = 0; i < gathered_.size(); ++i) slot_[{gathered_[i].pair, gathered_[i].node}] = i;
}

void ContactLog::exchange(Archive& archive) {
  archive.numbers("contacts.last", last_);
  archive.number("contacts.stretch_end", stretch_end_);
  archive.number("contacts.impulses", impulses_);
  archive.number("contacts.step", step_);
  std::vector<double> numbers;
  for (const Sum& sum : gathered_) flatten(sum, numbers);
  archive.records("contacts.gathered", numbers, sum_numbers);
  gathered_.clear();
  for (const double* from = numbers.data(); from != numbers.data() + numbers.size();)
    gathered_.push_back(unflatten(from));
  for (const Sum& sum : gathered_) {
    if (sum.pair < 0 || base::index(sum.pair) >= names_.size())
      archive.refuse("contacts.gathered", fmt::format("names contact {}, of {}", sum.pair, names_.size()));
  }
  find_slots();
  file_.exchange(archive, "contacts");
}

}  // namespace ictus::observe
