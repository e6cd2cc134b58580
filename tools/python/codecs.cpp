// Codecs for arrays: encoded columns in memory and in files.
#include <filesystem>
#include <span>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "codecs/described_column.hpp"
#include "index/columns/column_file.hpp"
#include "tools/options/output_files.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {
namespace {

using codecs::ValueType;

std::span<const std::byte> bytes_of(const Bytes& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.shape(0)};
}

nb::any owned(std::vector<std::uint32_t> words) {
  const auto owner = std::make_shared<const std::vector<std::uint32_t>>(std::move(words));
  return array_of(reinterpret_cast<const std::uint8_t*>(owner->data()), owner->size() * 4, owner);
}

/// Encodes raw values to a described column.
nb::any encode(const Bytes& values, const std::string& type_name, const std::string& codec,
               const std::string& parameters) {
  const ValueType type = codecs::value_type_named(type_name);
  const codecs::Parameters given(parameters);
  return owned(interruptible([&](const std::stop_token& stop) {
    const StopScope scope(stop);
    const codecs::Codec* chosen = nullptr;
    if (codec == codecs::kAuto) {
      if (!parameters.empty()) throw UsageError("codec auto takes no parameters");
      // The first part stands for all: a described column has one codec.
      const std::size_t part = std::size_t{codecs::kPartValues} * codecs::size_of(type);
      const auto first = bytes_of(values).first(std::min(part, values.shape(0)));
      chosen = codecs::encode_smallest(type, first, codecs::auto_candidates(type), stop).codec;
    } else {
      chosen = &codecs::codec_named(codec, type);
    }
    return codecs::encode_column(*chosen, type, bytes_of(values), given);
  }));
}

/// An encoded column in memory: its bytes, kept on 16, and checked when it was made.
class Column {
 public:
  explicit Column(const Bytes& bytes) : size_(bytes.shape(0)) {
    if (size_ % 4 != 0)
      throw FormatError("an encoded column is whole words, and " + std::to_string(size_) +
                        " bytes are not");
    units_.resize((size_ + sizeof(Unit) - 1) / sizeof(Unit));
    std::memcpy(units_.data(), bytes.data(), size_);
    const nb::gil_scoped_release unlocked;
    codecs::validate_column(words());
  }

  std::uint64_t count() const { return header().count; }
  std::string type() const { return std::string(codecs::name_of(ValueType{header().type})); }
  std::string codec() const {
    return std::string(codecs::codec_with(static_cast<codecs::CodecId>(header().codec)).name);
  }
  /// Values [first, first + count) as bytes.
  nb::any decode(std::uint64_t first, std::uint64_t count) const {
    if (first > this->count() || count > this->count() - first) {
      throw UsageError("the column has " + std::to_string(this->count()) + " values, and " +
                       std::to_string(first) + " + " + std::to_string(count) + " are asked for");
    }
    const std::size_t size = codecs::size_of(ValueType{header().type});
    std::vector<std::uint64_t> out((count * size + 7) / 8);
    interruptible([&](const std::stop_token& stop) {
      const StopScope scope(stop);
      codecs::decode_column(words(), first, count, reinterpret_cast<std::byte*>(out.data()));
    });
    const auto owner = std::make_shared<const std::vector<std::uint64_t>>(std::move(out));
    return array_of(reinterpret_cast<const std::uint8_t*>(owner->data()), count * size, owner);
  }

 private:
  struct alignas(codecs::kColumnUnit) Unit {
    std::byte bytes[codecs::kColumnUnit];
  };
  std::span<const std::uint32_t> words() const {
    return {reinterpret_cast<const std::uint32_t*>(units_.data()), size_ / 4};
  }
  codecs::ColumnHeader header() const { return codecs::read_header(words()); }

  std::size_t size_;
  std::vector<Unit> units_;
};

nb::dict write_file(const Bytes& values, const std::string& type_name, const std::string& path,
                    const std::string& codec, const std::string& parameters, unsigned threads,
                    bool overwrite) {
  tools::check_file_output(path, overwrite);
  index::ColumnOptions options;
  options.codec = codec;
  options.parameters = codecs::Parameters(parameters);
  options.threads = threads;
  const index::ColumnSummary summary = interruptible([&](const std::stop_token& stop) {
    options.stop = stop;
    index::ColumnWriter writer(path, codecs::value_type_named(type_name), options);
    writer.append(bytes_of(values));
    index::ColumnSummary made = writer.finish();
    writer.publish(tools::existing_output(overwrite));
    return made;
  });
  nb::dict made;
  made["values"] = summary.values;
  made["segments"] = summary.segments;
  made["file_bytes"] = summary.file_bytes;
  nb::dict by_codec;
  for (const auto& [name, count] : summary.codec_values) by_codec[name.c_str()] = count;
  made["codecs"] = by_codec;
  return made;
}

nb::any read_file(const index::ColumnFile& file, std::uint64_t first, std::uint64_t count) {
  if (first > file.count() || count > file.count() - first) {
    throw UsageError(file.name() + " has " + std::to_string(file.count()) + " values, and " +
                     std::to_string(first) + " + " + std::to_string(count) + " are asked for");
  }
  const std::size_t size = codecs::size_of(file.type());
  std::vector<std::uint64_t> out((count * size + 7) / 8);
  interruptible([&](const std::stop_token& stop) {
    auto* to = reinterpret_cast<std::byte*>(out.data());
    file.decode(
        first, count,
        [&](std::span<const std::byte> piece) {
          std::memcpy(to, piece.data(), piece.size());
          to += piece.size();
        },
        stop);
  });
  const auto owner = std::make_shared<const std::vector<std::uint64_t>>(std::move(out));
  return array_of(reinterpret_cast<const std::uint8_t*>(owner->data()), count * size, owner);
}

/// (name, types, decodes single tiles) of every codec.
nb::list codec_table() {
  nb::list rows;
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    nb::list types;
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (codec.takes(type)) types.append(nb::str(name.data(), name.size()));
    }
    rows.append(nb::make_tuple(std::string(codec.name), types, codec.tiles));
  }
  return rows;
}

}  // namespace

void bind_codecs(nb::module_& module) {
  module.def("encode", encode, nb::arg("values"), nb::arg("type"), nb::arg("codec"),
             nb::arg("parameters"));
  nb::class_<Column>(module, "ColumnHandle")
      .def(nb::init<const Bytes&>(), nb::arg("data"))
      .def_prop_ro("count", &Column::count)
      .def_prop_ro("type", &Column::type)
      .def_prop_ro("codec", &Column::codec)
      .def("decode", &Column::decode, nb::arg("first"), nb::arg("count"));
  nb::class_<index::ColumnFile>(module, "ColumnFileHandle")
      .def(
          "__init__",
          [](index::ColumnFile* self, const std::string& path) {
            new (self) index::ColumnFile(std::filesystem::path(path));
          },
          nb::arg("path"))
      .def_prop_ro("count", &index::ColumnFile::count)
      .def_prop_ro(
          "type",
          [](const index::ColumnFile& self) { return std::string(codecs::name_of(self.type())); })
      .def("decode", read_file, nb::arg("first"), nb::arg("count"));
  module.def("write_column_file", write_file, nb::arg("values"), nb::arg("type"), nb::arg("path"),
             nb::arg("codec"), nb::arg("parameters"), nb::arg("threads"), nb::arg("overwrite"));
  module.def("codec_table", codec_table);
}

}  // namespace gannet::python
