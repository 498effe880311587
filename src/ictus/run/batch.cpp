#include <ictus/run/batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>

namespace ictus::run {

namespace {

/// Members that a thread takes at a time: enough to make the taking cheap, few enough to share them evenly.
constexpr std::size_t block = 8;

std::span<double> row(std::vector<double>& all, std::size_t i, std::size_t length) {
  return std::span(all).subspan(i * length, length);
}

void copy(std::span<const double> from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }

}  // namespace

/// Calls f(i) for each member, whatever those before it throw; the exception of the first goes on.
template <class F>
void Batch::for_each(F&& f) {
  exec_.for_items(failures_.size(), [&](std::size_t b) {
    failures_[b] = nullptr;
    for (std::size_t i = b * block; i < std::min((b + 1) * block, size()); ++i) {
      try {
        f(i);
      } catch (...) {
        if (!failures_[b]) failures_[b] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

Batch::Batch(std::span<const scene::Document> scenes, int threads, std::span<const build::Own> own)
    : members_(scenes.size()), exec_(threads), failures_((scenes.size() + block - 1) / block) {
  if (scenes.empty()) throw base::InputError({"", 0, "batch", "must have at least one scene"});
  for_each([&](std::size_t i) {
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
  for_each([&](std::size_t i) {
    std::exception_ptr failure;
    try {
      scatter(i);
      members_[i]->step(count);
    } catch (...) {
      failure = std::current_exception();
    }
    gather(i);
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
