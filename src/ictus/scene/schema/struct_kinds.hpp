#pragma once

#include <ictus/scene/schema/kind.hpp>

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace ictus::scene {

/// Where a struct keeps the value of a key. Functions of the few types of values, not closures of each key's own: the
/// schema has hundreds of keys, and compiling those was half of what this module cost.
struct Member {
  std::ptrdiff_t offset;                     ///< from the struct, in bytes
  void* (*value_to_read)(void* member);      ///< makes place where there is none
  const void* (*value)(const void* member);  ///< nullptr if absent

  void* open(void* object) const { return value_to_read(static_cast<char*>(object) + offset); }
  const void* look(const void* object) const { return value(static_cast<const char*>(object) + offset); }
};

/// One key of a struct.
struct Field {
  std::string name;
  std::string doc;
  std::shared_ptr<const Kind> kind;
  bool required = false;
  std::optional<Node> fallback;  ///< the default; none where the key may be absent
  Member member;
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

  /// `initial` is the value of the member in a fresh struct, the default of the key; nullptr where there is none.
  void add(std::string_view name, std::string_view doc, const std::shared_ptr<const Kind>& kind, const Member& member,
           bool required, const void* initial);
  void add_choice(std::vector<std::vector<std::string>> groups) { choices_.push_back(std::move(groups)); }
  void add_together(std::vector<std::string> keys) { together_.push_back(std::move(keys)); }
  void add_either(std::string first, std::string second) { either_.push_back({std::move(first), std::move(second)}); }
  /// What to say of a key that is not one here, where a person may look for it.
  void explain(std::string name, std::string why) { explained_.emplace_back(std::move(name), std::move(why)); }
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
  std::vector<std::pair<std::string, std::string>> either_;
  std::vector<std::pair<std::string, std::string>> explained_;
  std::vector<Check> checks_;
};

/// Builds the description of a struct S.
template <class S>
class Object {
 public:
  Object(std::string name, std::string doc) : kind_(std::make_shared<ObjectKind>(std::move(name), std::move(doc))) {}

  /// A key that must be given.
  template <class M>
  Object& required(std::string_view name, M S::*member, const std::type_identity_t<Typed<M>>& kind,
                   std::string_view doc) {
    kind_->add(name, doc, kind.kind, always(member), true, nullptr);
    return *this;
  }
  /// A key whose default is the member's initialiser.
  template <class M>
  Object& field(std::string_view name, M S::*member, const std::type_identity_t<Typed<M>>& kind, std::string_view doc) {
    kind_->add(name, doc, kind.kind, always(member), false, &(fresh().*member));
    return *this;
  }
  /// A key that may be absent; the documentation says what holds then.
  template <class M>
  Object& field(std::string_view name, std::optional<M> S::*member, const std::type_identity_t<Typed<M>>& kind,
                std::string_view doc) {
    const Member access{offset(member),
                        [](void* value) -> void* { return &static_cast<std::optional<M>*>(value)->emplace(); },
                        [](const void* value) -> const void* {
                          const auto* optional = static_cast<const std::optional<M>*>(value);
                          return *optional ? &**optional : nullptr;
                        }};
    kind_->add(name, doc, kind.kind, access, false, nullptr);
    return *this;
  }
  /// Says why a key that others have is none here.
  Object& without(std::string name, std::string why) {
    kind_->explain(std::move(name), std::move(why));
    return *this;
  }
  /// Keys of exactly one of the groups are given.
  Object& exactly_one_of(std::vector<std::vector<std::string>> groups) {
    kind_->add_choice(std::move(groups));
    return *this;
  }
  /// One of the keys is given, or neither; the documentation says what holds then.
  Object& either(std::string first, std::string second) {
    kind_->add_either(std::move(first), std::move(second));
    return *this;
  }
  /// If one of the keys is given, all are.
  Object& together(std::vector<std::string> keys) {
    kind_->add_together(std::move(keys));
    return *this;
  }
  /// A rule on the whole struct, checked even when parts of it have mistakes.
  template <class Rule>
  Object& check(Rule rule) {
    kind_->add_check([rule](const void* object, const std::string& path, Reading& reading) {
      rule(*static_cast<const S*>(object), path, reading);
    });
    return *this;
  }

  operator Typed<S>() const { return {kind_}; }  // NOLINT(google-explicit-constructor)
  const std::shared_ptr<ObjectKind>& kind() const { return kind_; }

 private:
  static const S& fresh() {
    static const S value{};
    return value;
  }
  template <class M>
  static std::ptrdiff_t offset(M S::*member) {
    return reinterpret_cast<const char*>(&(fresh().*member)) - reinterpret_cast<const char*>(&fresh());
  }
  template <class M>
  static Member always(M S::*member) {
    return {offset(member), [](void* value) { return value; }, [](const void* value) { return value; }};
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
