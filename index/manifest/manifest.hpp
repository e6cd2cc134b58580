// manifest.json: what an index consists of. It is written last, so an index has one or is none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/registry.hpp"
#include "index/files/container/container.hpp"
#include "index/segment/scoring_defaults.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

struct FileRecord {
  std::string kind;  ///< FileKind::name
  FileSummary summary;
  /// Of a file that later commits replace, of live documents: that of the index which it was
  /// written for. 0 of others, which stay as they are as long as the segment does.
  std::uint64_t generation = 0;
  std::string other = {};  ///< JSON, an object: the members that this version does not know, or ""
};

/// A stream of posting lists: what it holds, and the codec of lists that do not name another one.
struct StreamRecord {
  std::string name;
  const codecs::ListCodec* codec = nullptr;  ///< null of streams that nobody here reads
  std::string other = {};                    ///< as FileRecord has it; of these, their codec too
};

/// The first two streams of every segment.
inline constexpr const char* kDocidStream = "docids";
inline constexpr const char* kFrequencyStream = "frequencies";

struct SegmentRecord {
  std::string name;              ///< its files are called name.kind, or name.kind-generation
  std::uint64_t docid_base = 0;  ///< documents of the segments before it
  Statistics statistics;
  std::uint64_t deleted = 0;          ///< documents; not 0 if there is a file of live ones, else 0
  std::vector<TextStatistics> texts;  ///< by field of the schema; none if no field is a text
  std::vector<StreamRecord> streams;
  std::vector<FileRecord> files;
  std::string other = {};  ///< as FileRecord has it

  const codecs::ListCodec& docid_codec() const { return *streams[0].codec; }
  const codecs::ListCodec& freq_codec() const { return *streams[1].codec; }
  /// The file of this kind, or nullptr.
  const FileRecord* find(FileKind kind) const;
  /// Names the file of live documents, in the place of the one that there was.
  void set_live(std::uint64_t deleted_documents, FileSummary summary, std::uint64_t generation);
};

struct Manifest {
  std::uint64_t generation = 1;  ///< 1 for a new index, one more each time it is replaced
  std::string library;           ///< version of Gannet that wrote it
  AnalyzerConfig analyzer;
  ScoringDefaults defaults;
  /// Sums over the segments; a term that several have counts as often, and deleted documents count
  /// as long as their segment stands.
  Statistics statistics;
  Schema schema;
  /// Names of the parts of documents that are the text; none: the reader's usual ones.
  std::vector<std::string> contents;
  std::vector<SegmentRecord> segments;
  std::string other = {};  ///< as FileRecord has it
};

/// What a segment has that this version does not know: streams, kinds of file, members of its
/// record. Who copies the segment's files whole keeps it, who writes it again would lose it.
std::vector<std::string> unknown_parts(const SegmentRecord& segment);
/// The names of a JSON object's members, for messages: "members 'a', 'b'".
std::string names_in_json(const std::string& object);

/// The version of this library, "major.minor.patch".
std::string library_version();

/// "segment-00000001" for number 1.
std::string segment_name(std::uint64_t number);
std::string file_name(const SegmentRecord& segment, std::string_view kind);
std::string file_name(const SegmentRecord& segment, const FileRecord& file);

/// The manifest's bytes, with its checksum.
std::string to_json(const Manifest& manifest);

/// Reads a manifest's bytes; `path` is for messages. Throws FormatError or VersionError.
Manifest parse_manifest(std::string_view json, const std::filesystem::path& path);

/// Whether a manifest is in `directory`. Throws IoError where that cannot be told.
bool has_manifest(const std::filesystem::path& directory);

/// Reads the manifest of the index in `directory`. Throws IoError if there is none, FormatError,
/// VersionError.
Manifest read_manifest(const std::filesystem::path& directory);

}  // namespace gannet::index
