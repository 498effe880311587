#pragma once

#include <ictus/scene/schema/kind.hpp>
#include <ictus/scene/schema/scalar_kinds.hpp>

#include <array>
#include <functional>

namespace ictus::scene {

/// A list of any length (`size` 0) or of a fixed one.
class ListKind : public Kind {
 public:
  ListKind(std::shared_ptr<const Kind> item, std::size_t size) : item_(std::move(item)), size_(size) {}
  const Kind& item() const { return *item_; }

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;

 protected:
  virtual std::size_t count(const void* list) const = 0;
  virtual void resize(void* list, std::size_t count) const = 0;
  virtual void* at(void* list, std::size_t index) const = 0;
  const void* at(const void* list, std::size_t index) const { return at(const_cast<void*>(list), index); }

 private:
  std::shared_ptr<const Kind> item_;
  std::size_t size_;
};

template <class Container>
class ListKindOf : public ListKind {
 public:
  using ListKind::ListKind;

 protected:
  static Container& cast(void* list) { return *static_cast<Container*>(list); }
  std::size_t count(const void* list) const override { return static_cast<const Container*>(list)->size(); }
  void resize([[maybe_unused]] void* list, [[maybe_unused]] std::size_t count) const override {
    if constexpr (requires(Container c) { c.resize(count); }) cast(list).resize(count);
  }
  void* at(void* list, std::size_t index) const override { return &cast(list)[index]; }
};

template <class T>
Typed<std::vector<T>> list(Typed<T> item) {
  return {std::make_shared<ListKindOf<std::vector<T>>>(item.kind, 0)};
}
inline Typed<Vec3> vector(const Quantity& component) {
  return {std::make_shared<ListKindOf<Vec3>>(Typed<double>(component).kind, 3)};
}
/// Six plain numbers: the parts of a twist have different units.
inline Typed<Twist> twist() { return {std::make_shared<ListKindOf<Twist>>(Typed<double>(number()).kind, 6)}; }
inline Typed<std::array<std::string, 2>> pair(const Typed<std::string>& item) {
  return {std::make_shared<ListKindOf<std::array<std::string, 2>>>(item.kind, 2)};
}
/// Three numbers, not all zero.
Typed<Vec3> direction();

class NamedKind : public Kind {
 public:
  /// How names look: single words (bodies, probes), or words joined by dots (paths of the summary).
  enum class Names { words, dotted };

  NamedKind(std::shared_ptr<const Kind> item, Names names, std::size_t at_least)
      : item_(std::move(item)), names_(names), at_least_(at_least) {}
  const Kind& item() const { return *item_; }
  Names names() const { return names_; }

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;

 protected:
  virtual void* add(void* map, const std::string& name) const = 0;
  virtual void for_each(const void* map, const std::function<void(const std::string&, const void*)>& visit) const = 0;

 private:
  std::shared_ptr<const Kind> item_;
  Names names_;
  std::size_t at_least_;
};

template <class T>
Typed<OrderedMap<T>> named(Typed<T> item, std::size_t at_least = 0) {
  class Bound final : public NamedKind {
   public:
    using NamedKind::NamedKind;
    void* add(void* map, const std::string& name) const override {
      return &static_cast<OrderedMap<T>*>(map)->add(name, T{});
    }
    void for_each(const void* map, const std::function<void(const std::string&, const void*)>& visit) const override {
      for (const auto& entry : *static_cast<const OrderedMap<T>*>(map)) visit(entry.name, &entry.value);
    }
  };
  return {std::make_shared<Bound>(item.kind, NamedKind::Names::words, at_least)};
}
Typed<std::vector<Expectation>> expectations(const Typed<Condition>& condition);

}  // namespace ictus::scene
