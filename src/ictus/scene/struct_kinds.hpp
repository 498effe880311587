#pragma once

#include <ictus/scene/kind.hpp>

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace ictus::scene {

/// One key of a struct.
struct Field {
  std::string name;
  std::string doc;
  std::shared_ptr<const Kind> kind;
  bool required = false;
  std::optional<Node> fallback;                         ///< the default; none where the key may be absent
  std::function<void*(void* object)> open;              ///< the member to read into
  std::function<const void*(const void* object)> look;  ///< the member to write, nullptr if absent
};

/// The documentation with that of each word that may be chosen.
std::string full_doc(const Field& field);

class ObjectKind : public Kind {
 public:
  ObjectKind(std::string name, std::string doc) : name_(std::move(name)), doc_(std::move(doc)) {}
  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  const std::vector<Field>& fields() const { return fields_; }
  const Field* find(std::string_view name) const;
  /// One line for each rule that holds between keys.
  std::vector<std::string> rules() const;

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;

  /// The same for a struct chosen by `type:`, whose map has that key too.
  void read_chosen(const Node& node, const std::string& path, Reading& reading, void* value) const;
  nlohmann::ordered_json json_schema_chosen() const;

  void add(Field field) { fields_.push_back(std::move(field)); }
  void add_choice(std::vector<std::vector<std::string>> groups) { choices_.push_back(std::move(groups)); }
  void add_together(std::vector<std::string> keys) { together_.push_back(std::move(keys)); }
  using Check = std::function<void(const void* object, const std::string& path, Reading& reading)>;
  void add_check(Check check) { checks_.push_back(std::move(check)); }

 private:
  void read_keys(const Node& node, const std::string& path, Reading& reading, void* value, bool chosen) const;
  nlohmann::ordered_json describe(bool chosen) const;
  void check_rules(const Node& node, const std::string& path, Reading& reading) const;

  std::string name_;
  std::string doc_;
  std::vector<Field> fields_;
  std::vector<std::vector<std::vector<std::string>>> choices_;
  std::vector<std::vector<std::string>> together_;
  std::vector<Check> checks_;
};

/// Builds the description of a struct S.
template <class S>
class Object {
 public:
  Object(std::string name, std::string doc) : kind_(std::make_shared<ObjectKind>(std::move(name), std::move(doc))) {}

  /// A key that must be given.
  template <class M>
  Object& required(std::string name, M S::*member, std::type_identity_t<Typed<M>> kind, std::string doc) {
    return bind(std::move(name), member, std::move(kind), std::move(doc), true);
  }
  /// A key whose default is the member's initialiser.
  template <class M>
  Object& field(std::string name, M S::*member, std::type_identity_t<Typed<M>> kind, std::string doc) {
    return bind(std::move(name), member, std::move(kind), std::move(doc), false);
  }
  /// A key that may be absent; the documentation says what holds then.
  template <class M>
  Object& field(std::string name, std::optional<M> S::*member, std::type_identity_t<Typed<M>> kind, std::string doc) {
    Field field{std::move(name), std::move(doc), std::move(kind.kind), false, std::nullopt, {}, {}};
    field.open = [member](void* object) -> void* { return &(static_cast<S*>(object)->*member).emplace(); };
    field.look = [member](const void* object) -> const void* {
      const std::optional<M>& value = static_cast<const S*>(object)->*member;
      return value ? &*value : nullptr;
    };
    kind_->add(std::move(field));
    return *this;
  }
  /// Keys of exactly one of the groups are given.
  Object& exactly_one_of(std::vector<std::vector<std::string>> groups) {
    kind_->add_choice(std::move(groups));
    return *this;
  }
  /// If one of the keys is given, all are.
  Object& together(std::vector<std::string> keys) {
    kind_->add_together(std::move(keys));
    return *this;
  }
  /// A rule on the whole struct, checked even when parts of it have mistakes.
  Object& check(std::function<void(const S&, const std::string& path, Reading&)> rule) {
    kind_->add_check([rule = std::move(rule)](const void* object, const std::string& path, Reading& reading) {
      rule(*static_cast<const S*>(object), path, reading);
    });
    return *this;
  }

  operator Typed<S>() const { return {kind_}; }  // NOLINT(google-explicit-constructor)
  const std::shared_ptr<ObjectKind>& kind() const { return kind_; }

 private:
  template <class M>
  Object& bind(std::string name, M S::*member, Typed<M> kind, std::string doc, bool is_required) {
    Field field{std::move(name), std::move(doc), std::move(kind.kind), is_required, std::nullopt, {}, {}};
    field.open = [member](void* object) -> void* { return &(static_cast<S*>(object)->*member); };
    field.look = [member](const void* object) -> const void* { return &(static_cast<const S*>(object)->*member); };
    const S defaults{};
    if (!is_required) field.fallback = field.kind->write(&(defaults.*member));
    kind_->add(std::move(field));
    return *this;
  }

  std::shared_ptr<ObjectKind> kind_;
};

/// Structs chosen by `type:`.
class VariantKind : public Kind {
 public:
  explicit VariantKind(std::vector<std::shared_ptr<const ObjectKind>> alternatives)
      : alternatives_(std::move(alternatives)) {}
  const std::vector<std::shared_ptr<const ObjectKind>>& alternatives() const { return alternatives_; }
  std::vector<std::string> type_names() const;

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;

 protected:
  virtual void* emplace(void* value, std::size_t index) const = 0;
  virtual std::size_t index(const void* value) const = 0;
  virtual const void* look(const void* value) const = 0;

 private:
  std::vector<std::shared_ptr<const ObjectKind>> alternatives_;
};

/// A std::variant of structs, described in the order of its alternatives; the name of each is its `type:`.
template <class... S>
Typed<std::variant<S...>> variant(const Object<S>&... alternatives) {
  using V = std::variant<S...>;
  class Bound final : public VariantKind {
   public:
    using VariantKind::VariantKind;
    void* emplace(void* value, std::size_t index) const override {
      using Make = void* (*)(V&);
      static constexpr Make make[] = {[](V& v) -> void* { return &v.template emplace<S>(); }...};
      return make[index](*static_cast<V*>(value));
    }
    std::size_t index(const void* value) const override { return static_cast<const V*>(value)->index(); }
    const void* look(const void* value) const override {
      return std::visit([](const auto& v) -> const void* { return &v; }, *static_cast<const V*>(value));
    }
  };
  return {std::make_shared<Bound>(std::vector<std::shared_ptr<const ObjectKind>>{alternatives.kind()...})};
}

}  // namespace ictus::scene
