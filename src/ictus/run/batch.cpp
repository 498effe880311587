#include <ictus/run/batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/exec/jobs.hpp>
#include <numeric>

namespace ictus::run {

namespace {

/// Members that a thread takes at a time: enough to make the taking cheap, few enough to share them evenly.
constexpr std::size_t block = 8;

std::span<double> row(std::vector<double>& all, std::size_t i, std::size_t length) {
  return std::span(all).subspan(i * length, length);
}

void copy(std::span<const double> from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }

}  // namespace

Batch::Batch(std::span<const scene::Document> scenes, int threads, std::span<const build::Own> own)
    : members_(scenes.size()), threads_(threads), blocks_((scenes.size() + block - 1) / block) {
  if (scenes.empty()) throw base::InputError({"", 0, "batch", "must have at least one scene"});
  std::iota(blocks_.begin(), blocks_.end(), std::size_t{0});
  exec::run_jobs(blocks_, threads_, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min((b + 1) * block, scenes.size()); ++i)
      members_[i] = std::make_unique<Simulation>(scenes[i], own.empty() ? build::Own{} : own[i]);
  });
  dofs_ = members_.front()->system().dofs();
  contacts_ = members_.front()->contact_forces().size();
  for (std::size_t i = 0; i < size(); ++i) {
    if (members_[i]->system().dofs() != dofs_ || members_[i]->contact_forces().size() != contacts_)
      throw base::InputError(
          {"", 0, "batch",
           fmt::format("the scenes must be alike in the number of unknowns and contacts; scene {} has "
                       "{} and {}, the first {} and {}",
                       i, members_[i]->system().dofs(), members_[i]->contact_forces().size(), dofs_, contacts_)});
  }
}

void Batch::step(std::int64_t count) {
  exec::run_jobs(blocks_, threads_, [&](std::size_t b) {
    std::exception_ptr failure;
    for (std::size_t i = b * block; i < std::min((b + 1) * block, size()); ++i) {
      try {
        scatter(i);
        members_[i]->step(count);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
      gather(i);
    }
    if (failure) std::rethrow_exception(failure);
  });
}

void Batch::scatter(std::size_t i) {
  if (!positions_.empty()) copy(row(positions_, i, dofs_), members_[i]->positions());
  if (!velocities_.empty()) copy(row(velocities_, i, dofs_), members_[i]->velocities());
}

void Batch::gather(std::size_t i) {
  if (!positions_.empty()) copy(members_[i]->positions(), row(positions_, i, dofs_));
  if (!velocities_.empty()) copy(members_[i]->velocities(), row(velocities_, i, dofs_));
  if (!forces_.empty()) copy(members_[i]->contact_forces(), row(forces_, i, contacts_));
}

std::span<double> Batch::positions() {
  if (positions_.empty()) {
    positions_.resize(size() * dofs_);
    for (std::size_t i = 0; i < size(); ++i) copy(members_[i]->positions(), row(positions_, i, dofs_));
  }
  return positions_;
}

std::span<double> Batch::velocities() {
  if (velocities_.empty()) {
    velocities_.resize(size() * dofs_);
    for (std::size_t i = 0; i < size(); ++i) copy(members_[i]->velocities(), row(velocities_, i, dofs_));
  }
  return velocities_;
}

std::span<const double> Batch::contact_forces() {
  if (forces_.empty()) {
    forces_.resize(size() * contacts_);
    for (std::size_t i = 0; i < size(); ++i) copy(members_[i]->contact_forces(), row(forces_, i, contacts_));
  }
  return forces_;
}

void Batch::restore(std::size_t i, const model::State& state) {
  members_.at(i)->restore(state);
  gather(i);
}

}  // namespace ictus::run
