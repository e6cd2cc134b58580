// What a type of fields is.
//
// A value has a *key*, an unsigned number of 64 bits: a < b if and only if key(a) < key(b), so that
// a range of values is a range of keys. A type is a struct with static members that says how values
// become keys and texts, and what can be done with them. It is registered by one line in all.hpp,
// where its contract is asserted. Columns, filters, sorting and counting know keys and codes only:
// a query looks a type up once, never in a loop over documents. Building looks it up for each
// value.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/fields/types/base/field_spec.hpp"

namespace gannet::index {

/// Keys from `first` to `last`, both included.
struct KeySpan {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool operator==(const KeySpan&) const = default;
};

/// Members:
///   - traits: see FieldTraits;
///   - names: of the type in a schema, as messages list them, with commas between;
///   - take_name(field, name): whether the name is the type's. Sets those of bits, is_signed and
///     scale that the name gives; all have their standard values before;
///   - name(field): the name that take_name() takes;
///   - problem(field): what is wrong with members of the field that belong to a type;
///   - key(field, text, why): of a value as documents and queries spell it; nothing if it is none,
///     and then `why` goes on behind the text: "must be a whole number";
///   - span(field, text, why): the keys that a text means in a filter, where it may stand for
///     several values; at least key(). `why` is as above;
///   - text(field, key): the shortest text that has this key. Damaged files may have any key, so
///     that it must give some text for all;
///   - number(field, key): the value as a number, for means and histograms;
///   - zero_key(field): where Sums::kMean, Sums::kWhole or bins of whole numbers: the key of the
///     number 0, and keys are zero_key() plus the number;
///   - limits(field): the least and the greatest key of documents, fewer than 2^64 keys. All keys
///     between have a value;
///   - filter_examples(name): what a filter can say of a field, `name` with its colon: "a range as
///     in year:[10 TO 20]";
///   - bin_widths(field): where `bins`: what a width must be: "whole number > 0".
/// All but take_name() are pure, and safe from any number of threads. Of types without numbers
/// (Storage) key() is nothing, and `why` says what they are.
template <class T>
concept IsFieldType = requires(FieldSpec& changed, const FieldSpec& field, std::string_view text,
                               const std::string& name, std::string& why, std::uint64_t key) {
  requires std::same_as<decltype(T::traits), const FieldTraits>;
  { T::names } -> std::convertible_to<std::string_view>;
  { T::take_name(changed, text) } -> std::same_as<bool>;
  { T::name(field) } -> std::same_as<std::string>;
  { T::problem(field) } -> std::same_as<std::optional<std::string>>;
  { T::key(field, text, why) } -> std::same_as<std::optional<std::uint64_t>>;
  { T::span(field, text, why) } -> std::same_as<std::optional<KeySpan>>;
  { T::text(field, key) } -> std::same_as<std::string>;
  { T::number(field, key) } -> std::same_as<double>;
  { T::zero_key(field) } -> std::same_as<std::uint64_t>;
  { T::limits(field) } -> std::same_as<KeySpan>;
  { T::filter_examples(name) } -> std::same_as<std::string>;
  { T::bin_widths(field) } -> std::same_as<std::string>;
};

namespace types {

/// What most types have in common: one name, keys that are the numbers themselves. A type `T` says
/// traits, names, key(), and what differs.
template <class T>
struct Defaults {
  static bool take_name(FieldSpec&, std::string_view name) { return name == T::names; }
  static std::string name(const FieldSpec&) { return std::string(T::names); }
  static std::optional<std::string> problem(const FieldSpec& field) {
    if (field.scale == 0) return std::nullopt;
    return "only decimals have a number of digits";
  }
  static std::optional<KeySpan> span(const FieldSpec& field, std::string_view text,
                                     std::string& why) {
    const std::optional<std::uint64_t> key = T::key(field, text, why);
    return key ? std::optional(KeySpan{*key, *key}) : std::nullopt;
  }
  static std::string text(const FieldSpec&, std::uint64_t key) { return std::to_string(key); }
  static double number(const FieldSpec&, std::uint64_t key) { return static_cast<double>(key); }
  static std::uint64_t zero_key(const FieldSpec&) { return 0; }
  static KeySpan limits(const FieldSpec&) { return {0, ~std::uint64_t{0} - 1}; }
  /// A range of values, for filter_examples().
  static constexpr std::string_view range = "[10 TO 20]";
  static std::string filter_examples(const std::string& name) {
    return "a range as in " + name + std::string(T::range);
  }
  static std::string bin_widths(const FieldSpec&) { return "whole number > 0"; }
};

/// Types whose values are texts. `T` also says `reason`, which key() gives.
template <class T>
struct Texts : Defaults<T> {
  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view, std::string& why) {
    why = T::reason;
    return std::nullopt;
  }
};

}  // namespace types
}  // namespace gannet::index
