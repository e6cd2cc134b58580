#include "index/fields/fields_reader.hpp"

#include <utility>

#include "codecs/error.hpp"
#include "index/fields/mapped_texts.hpp"

namespace gannet::index {
namespace {

std::vector<Tag> known_sections(std::size_t fields) {
  std::vector<Tag> known{kFieldRows};
  for (std::size_t field = 0; field < fields; ++field) {
    for (const FieldSection section : kFieldSections) known.push_back(field_tag(section, field));
  }
  return known;
}

}  // namespace

FieldsReader::FieldsReader(std::filesystem::path path, MappedFile file, const Schema& schema,
                           std::uint64_t documents)
    : file_(std::move(path), std::move(file), kFieldsFile, known_sections(schema.fields().size())),
      schema_(schema),
      documents_(documents),
      rows_(file_.section<FieldRow>(kFieldRows, schema.fields().size())),
      once_(new Once[schema.fields().size()]),
      columns_(schema.fields().size()) {}

const FieldColumn& FieldsReader::column(std::size_t number) const {
  if (number >= size()) {
    throw UsageError("the segment has no field " + std::to_string(number) + "; it has " +
                     std::to_string(size()));
  }
  once_[number]([&] {
    const FieldSpec& spec = schema_.fields()[number];
    if (spec.type == FieldType::kStored) {
      columns_[number] =
          std::make_unique<const MappedTexts>(file_, spec, number, rows_[number], documents_);
    } else {
      columns_[number] =
          std::make_unique<const MappedColumn>(file_, spec, number, rows_[number], documents_);
    }
  });
  return *columns_[number];
}

}  // namespace gannet::index
