#pragma once

#include <ictus/scene/schema/kind.hpp>
#include <ictus/scene/text/units.hpp>

#include <initializer_list>
#include <limits>
#include <optional>

namespace ictus::scene {

/// A number with a dimension and a range, and words that stand for values of it.
class Quantity {
 public:
  struct Word {
    std::string name;
    double value;
  };

  explicit Quantity(Dimension dimension) : dimension_(dimension) {}
  Quantity positive() const { return above(0); }
  Quantity above(double low) const;
  Quantity at_least(double low) const;
  Quantity at_most(double high) const;
  Quantity word(std::string name, double value) const;

  operator Typed<double>() const;  // NOLINT(google-explicit-constructor): lets descriptions read as a sentence

  const Dimension& dimension() const { return dimension_; }
  const std::vector<Word>& words() const { return words_; }
  std::optional<double> low() const { return low_; }
  std::optional<double> high() const { return high_; }
  bool low_is_allowed() const { return low_is_allowed_; }
  bool holds(double value) const;
  std::string allowed() const;

 private:
  Dimension dimension_;
  std::optional<double> low_;
  std::optional<double> high_;
  bool low_is_allowed_ = true;
  std::vector<Word> words_;
};

inline Quantity quantity(Dimension dimension) { return Quantity(dimension); }
inline Quantity number() { return Quantity(dimension::none); }

/// The value of one piece of text ("1 us"), by the rules of the quantity. Throws base::InputError with `key`, the
/// option that it was given to.
double parse_quantity(std::string_view text, const Quantity& rules, const std::string& key);

Typed<int> integer(int low, int high = std::numeric_limits<int>::max());
Typed<bool> boolean();
/// Any text, also none.
Typed<std::string> text();
/// Text that must say something; `what` is what it is for messages: "the name of a body".
Typed<std::string> text(std::string what);

/// null, true, false, a number or text: the only kind for which null is a value.
class AnyScalarKind final : public Kind {
 public:
  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;
};
inline Typed<Scalar> any_scalar() { return {std::make_shared<AnyScalarKind>()}; }

/// A word from a list. EnumKind sees the values as integers.
class EnumKind : public Kind {
 public:
  struct Choice {
    int value;
    std::string name;
    std::string doc;
  };
  explicit EnumKind(std::vector<Choice> choices) : choices_(std::move(choices)) {}
  const std::vector<Choice>& choices() const { return choices_; }

  void read(const Node& node, const std::string& path, Reading& reading, void* value) const override;
  Node write(const void* value) const override;
  std::string allowed() const override;
  nlohmann::ordered_json json_schema() const override;

 protected:
  virtual void store(void* value, int choice) const = 0;
  virtual int load(const void* value) const = 0;

 private:
  std::vector<Choice> choices_;
};

template <class E>
struct NamedValue {
  E value;
  std::string name;
  std::string doc;
};

template <class E>
Typed<E> one_of(std::initializer_list<NamedValue<E>> values) {
  class Bound final : public EnumKind {
   public:
    using EnumKind::EnumKind;
    void store(void* value, int choice) const override { *static_cast<E*>(value) = static_cast<E>(choice); }
    int load(const void* value) const override { return static_cast<int>(*static_cast<const E*>(value)); }
  };
  std::vector<EnumKind::Choice> choices;
  for (const NamedValue<E>& value : values) choices.push_back({static_cast<int>(value.value), value.name, value.doc});
  return {std::make_shared<Bound>(std::move(choices))};
}

}  // namespace ictus::scene
