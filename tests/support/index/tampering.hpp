// Makes indexes that are wrong on purpose although all their checksums are right.
#pragma once

#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "index/files/container/container.hpp"
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

}  // namespace gannet::test
