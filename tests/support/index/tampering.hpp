// Makes indexes that are wrong on purpose although all their checksums are right.
#pragma once

#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/lists/list_table.hpp"
#include "index/manifest/manifest.hpp"
#include "tests/support/files.hpp"

namespace gannet::test {

/// Replaces the manifest by what `change` makes of it.
inline void change_manifest(const std::filesystem::path& directory,
                            const std::function<void(index::Manifest&)>& change) {
  index::Manifest manifest = index::read_manifest(directory);
  change(manifest);
  write_file(directory / index::kManifestName, index::to_json(manifest));
}

/// A section as bytes, with its name.
struct SectionBytes {
  index::Tag id;
  std::uint32_t flags;
  std::string bytes;
};

/// Rewrites a file of the index with the sections that `change` leaves; the manifest follows suit.
inline void change_file(const std::filesystem::path& directory, index::FileKind kind,
                        const std::function<void(std::vector<SectionBytes>&)>& change) {
  change_manifest(directory, [&](index::Manifest& manifest) {
    index::SegmentRecord& segment = manifest.segments.front();
    const std::filesystem::path path = directory / index::file_name(segment, kind.name);
    std::vector<SectionBytes> sections;
    {
      const index::ContainerReader file(path, kind);
      for (const index::SectionRow& row : file.sections()) {
        const auto content = file.content(row);
        sections.push_back(
            {row.id, row.flags,
             std::string(reinterpret_cast<const char*>(content.data()), content.size())});
      }
    }
    change(sections);
    index::ContainerWriter writer(path, kind);
    for (const SectionBytes& section : sections) {
      writer.begin_section(section.id, section.flags);
      writer.append(index::bytes_of(std::string_view(section.bytes)));
      writer.end_section();
    }
    for (index::FileRecord& file : segment.files) {
      if (file.kind == kind.name) file.summary = writer.finish();
    }
    writer.publish();
  });
}

/// The values of a section, changed by `change`.
template <class T>
void change_values(const std::filesystem::path& directory, index::FileKind kind, index::Tag id,
                   const std::function<void(std::vector<T>&)>& change) {
  bool found = false;
  change_file(directory, kind, [&](std::vector<SectionBytes>& sections) {
    for (SectionBytes& section : sections) {
      if (section.id != id) continue;
      found = true;
      std::vector<T> values(section.bytes.size() / sizeof(T));
      std::memcpy(values.data(), section.bytes.data(), values.size() * sizeof(T));
      change(values);
      section.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
  });
  ASSERT_TRUE(found) << index::to_string(id);
}

/// Gives the first segment's lists a third stream with a codec that nobody knows: of short lists
/// two bytes each, of the others a word.
inline void add_unknown_stream(const std::filesystem::path& directory) {
  const std::uint64_t documents =
      index::read_manifest(directory).segments.front().statistics.documents;
  change_file(directory, index::kPostingsFile, [&](std::vector<SectionBytes>& sections) {
    std::string& rows = sections[1].bytes;
    const std::string old_rows = std::exchange(rows, {});
    std::vector<index::RowBlock> blocks;
    index::ByteReader reader(
        std::span(reinterpret_cast<const std::uint8_t*>(old_rows.data()), old_rows.size()));
    std::uint64_t old_words = 0, words = 0, tiles = 0;
    std::string new_words;
    index::ListRow row;
    for (std::uint64_t list = 0; reader.left() > 0; ++list) {
      if (list % index::ListTable::kBlock == 0) blocks.push_back({rows.size(), words, tiles});
      const std::uint8_t* const start = reader.position();
      ASSERT_TRUE(index::read_row(reader, index::RowShape::of(documents, 2), row));
      std::vector<std::uint8_t> bytes(start, reader.position());
      if (row.is_short()) {
        bytes.insert(bytes.end(), {2, 0xff, 0xff});
      } else {
        new_words += sections[0].bytes.substr(4 * old_words, 4 * row.words());
        old_words += row.words();
        row.streams[2].words = 1;
        bytes.clear();
        index::append_row(index::RowShape::of(documents, 3), row, bytes);
        new_words += std::string(4, '\xff');
      }
      words += row.words();
      tiles += row.tiles();
      rows.append(bytes.begin(), bytes.end());
      row = {};
    }
    blocks.push_back({rows.size(), words, tiles});
    sections[0].bytes = new_words;
    sections[2].bytes.assign(reinterpret_cast<const char*>(blocks.data()),
                             blocks.size() * sizeof(index::RowBlock));
  });
  change_manifest(directory, [](index::Manifest& manifest) {
    manifest.segments.front().streams.push_back(
        {"payloads", nullptr, R"({"codec":{"name":"of-the-future","id":77},"unit":"token"})"});
  });
}

}  // namespace gannet::test
