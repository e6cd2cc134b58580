// Bits of an index's files that are flipped at random, and put back.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::test {

/// How many flips a test makes: `usual`, or what the environment asks for (GANNET_DAMAGE_FLIPS).
inline std::uint64_t damage_flips(std::uint64_t usual) {
  const char* const wanted = std::getenv("GANNET_DAMAGE_FLIPS");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

/// Every section of every file is as likely, and so are what stands between them and the manifest.
class Flips {
 public:
  Flips(std::filesystem::path index, std::uint64_t seed) : index_(std::move(index)), random_(seed) {
    const index::Manifest manifest = index::read_manifest(index_);
    places_.push_back({index_ / index::kManifestName, "manifest", 0,
                       std::filesystem::file_size(index_ / index::kManifestName)});
    for (const index::SegmentRecord& segment : manifest.segments) {
      for (const index::FileRecord& file : segment.files) add_file(segment, file);
    }
  }

  /// Flips a bit; says where.
  std::string flip() {
    const Place& place = places_[random_() % places_.size()];
    path_ = place.path;
    at_ = place.begin + random_() % (place.end - place.begin);
    mask_ = 1u << random_() % 8;
    change();
    return path_.filename().string() + ", " + place.what + ", byte " + std::to_string(at_) +
           ", bit mask " + std::to_string(mask_);
  }
  /// Puts it back.
  void undo() { change(); }

 private:
  struct Place {
    std::filesystem::path path;
    std::string what;
    std::uint64_t begin, end;
  };

  void add_file(const index::SegmentRecord& segment, const index::FileRecord& record) {
    const std::filesystem::path path = index_ / index::file_name(segment, record);
    for (const index::FileKind kind : index::kFileKinds) {
      if (record.kind != kind.name) continue;
      const index::ContainerReader file(path, kind);
      std::uint64_t end = 0;
      for (const index::SectionRow& row : file.sections()) {
        if (row.offset > end) places_.push_back({path, "in front of a section", end, row.offset});
        end = row.offset + row.length;
        if (row.length != 0) places_.push_back({path, index::to_string(row.id), row.offset, end});
      }
      places_.push_back({path, "checksums, table or footer", end, file.bytes().size()});
    }
  }

  void change() {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    char byte = 0;
    file.seekg(static_cast<std::streamoff>(at_)).get(byte);
    file.seekp(static_cast<std::streamoff>(at_))
        .put(static_cast<char>(static_cast<unsigned char>(byte) ^ mask_));
    file.close();
    if (!file) throw std::runtime_error("cannot change " + path_.string());
  }

  std::filesystem::path index_;
  std::mt19937_64 random_;
  std::vector<Place> places_;
  std::filesystem::path path_;
  std::uint64_t at_ = 0;
  unsigned mask_ = 0;
};

}  // namespace gannet::test
