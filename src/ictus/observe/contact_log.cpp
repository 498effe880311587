#include <ictus/observe/contact_log.hpp>
#include <ictus/observe/csv_text.hpp>
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
    append_number(row, energy);
  }
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
    append_words(names, pair.first);
    names += ',';
    append_words(names, pair.second);
  }
}

void ContactLog::observe(const dynamics::StepReport& report, double step) {
  for (const dynamics::Impulse& impulse : report.impulses) {
    double& last = last_[static_cast<std::size_t>(impulse.pair)];
    const bool is_impact = impulse.time - last > 1.5 * step;
    last = impulse.time;
    if (rows_ == ContactRows::impulses || (rows_ == ContactRows::impacts && is_impact)) write(impulse);
  }
}

void ContactLog::write(const dynamics::Impulse& impulse) {
  std::string& row = file_.row();
  const auto append = [&](double value) {
    row += ',';
    append_number(row, value);
  };
  append_number(row, impulse.time);
  row += names_[static_cast<std::size_t>(impulse.pair)];
  for (const double x : impulse.point) append(x);
  for (const double n : impulse.normal) append(n);
  append(impulse.normal_impulse);
  append(impulse.tangential_impulse);
  append(impulse.energy_lost);
  append_kinetic_parts(row, impulse);
  file_.end_row();
}

void ContactLog::exchange(Archive& archive) {
  archive.numbers("contacts.last", last_);
  file_.exchange(archive, "contacts");
}

}  // namespace ictus::observe
