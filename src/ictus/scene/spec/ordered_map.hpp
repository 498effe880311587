#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::scene {

/// Values by name, kept in the order in which they were added. Lookup is linear: scenes hold tens of names.
template <class T>
class OrderedMap {
 public:
  struct Entry {
    std::string name;
    T value;
    bool operator==(const Entry&) const = default;
  };

  /// Adds an entry; the caller makes sure that the name is new.
  T& add(std::string name, T value) { return entries_.emplace_back(Entry{std::move(name), std::move(value)}).value; }

  const T* find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return &entry.value;
    return nullptr;
  }
  T* find(std::string_view name) { return const_cast<T*>(std::as_const(*this).find(name)); }

  bool contains(std::string_view name) const { return find(name) != nullptr; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }

  /// The names in order.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Entry& entry : entries_) result.push_back(entry.name);
    return result;
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

  bool operator==(const OrderedMap&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace ictus::scene
