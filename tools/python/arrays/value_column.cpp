#include "tools/python/arrays/value_column.hpp"

#include <cstdlib>

namespace gannet::python {

ValueColumn::Kind ValueColumn::kind_of(const index::FieldSpec& field) {
  switch (field.traits().form) {
    case index::ValueForm::kWhole:
      return field.bits == 64 && !field.is_signed ? Kind::kUnsigned : Kind::kSigned;
    case index::ValueForm::kFloat:
      return Kind::kFloat;
    case index::ValueForm::kTruth:
      return Kind::kTruth;
    case index::ValueForm::kString:
      break;
  }
  return Kind::kText;
}

ValueColumn::ValueColumn(const index::FieldSpec& field)
    : ValueColumn(kind_of(field), field.multi) {}

void ValueColumn::add(std::string_view value) {
  ++count_;
  switch (kind_) {
    case Kind::kSigned:
      signed_.push_back(std::strtoll(std::string(value).c_str(), nullptr, 10));
      return;
    case Kind::kUnsigned:
      unsigned_.push_back(std::strtoull(std::string(value).c_str(), nullptr, 10));
      return;
    case Kind::kFloat:
      floats_.push_back(std::strtod(std::string(value).c_str(), nullptr));
      return;
    case Kind::kTruth:
      bytes_.push_back(value == "true" ? 1 : 0);
      return;
    case Kind::kText:
      bytes_.insert(bytes_.end(), value.begin(), value.end());
      text_offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  }
}

void ValueColumn::add_document(std::span<const std::string> values) {
  valid_.push_back(lists_ || !values.empty() ? 1 : 0);
  if (valid_.back() == 0) {
    any_missing_ = true;
    add(kind_ == Kind::kText ? "" : "0");
    return;
  }
  for (const std::string& value : values) add(value);
  if (lists_) offsets_.push_back(count_);
}

nb::dict ValueColumn::arrays() && {
  constexpr const char* kNames[] = {"i64", "u64", "f64", "bool", "text"};
  nb::dict made;
  made["kind"] = kNames[static_cast<std::size_t>(kind_)];
  made["text_offsets"] =
      kind_ == Kind::kText ? nb::object(array_of(std::move(text_offsets_))) : nb::none();
  switch (kind_) {
    case Kind::kSigned:
      made["values"] = array_of(std::move(signed_));
      break;
    case Kind::kUnsigned:
      made["values"] = array_of(std::move(unsigned_));
      break;
    case Kind::kFloat:
      made["values"] = array_of(std::move(floats_));
      break;
    case Kind::kTruth:
    case Kind::kText:
      made["values"] = array_of(std::move(bytes_));
  }
  made["valid"] = any_missing_ ? nb::object(array_of(std::move(valid_))) : nb::none();
  made["offsets"] = lists_ ? nb::object(array_of(std::move(offsets_))) : nb::none();
  return made;
}

}  // namespace gannet::python
