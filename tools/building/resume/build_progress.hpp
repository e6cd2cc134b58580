// How far a build that can be resumed has come, kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gannet::tools {

/// What a build was told and reads: a build that goes on must be told and read the same.
struct BuildTask {
  std::string version = {};                                        ///< of the library
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< options by name
  struct Input {
    std::string path = {};  ///< as UTF-8: bytes that are none stand as \xE9
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;  ///< in nanoseconds
    bool operator==(const Input&) const = default;
  };
  std::vector<Input> inputs = {};
  bool operator==(const BuildTask&) const = default;
};

/// What was read when the index had so many documents.
struct BuildStep {
  std::uint64_t documents = 0;
  std::uint64_t batches = 0;  ///< that the source's read() gave
  bool ended = false;         ///< there are no more
  // Of all steps so far, as BuildReport has them:
  std::uint64_t text_bytes = 0;
  std::uint64_t skipped = 0;
  std::uint64_t left_out = 0;
  std::vector<std::string> broken_files = {};
  std::uint64_t empty_documents = 0;
  std::uint64_t runs = 0;
  double seconds = 0;
};

/// By what an index is known, whoever merges its segments: what is counted in it.
struct MergeOutcome {
  std::uint64_t documents = 0;
  std::uint64_t postings = 0;
  std::uint64_t tokens = 0;
  bool operator==(const MergeOutcome&) const = default;
};

struct BuildMerge {
  std::uint64_t generation =
      0;                      ///< of the output before the merge into it began; 0: there was none
  MergeOutcome outcome = {};  ///< what the output has once it was committed
};

struct BuildProgress {
  BuildTask task = {};
  /// The last step that was committed, and one that may have been: its place is known before its
  /// documents are there, so that neither can be without the other.
  std::vector<BuildStep> steps = {};
  /// Nothing if the merge did not begin.
  std::optional<BuildMerge> merging = {};

  /// The step that an index of so many documents is at; nothing if it is at none.
  std::optional<BuildStep> step_at(std::uint64_t documents) const;
};

/// Writes the file so that it is there as a whole, or as it was before. Throws IoError.
void write_progress(const std::filesystem::path& path, const BuildProgress& progress);

/// Throws IoError, FormatError.
BuildProgress read_progress(const std::filesystem::path& path);

/// In what the tasks differ, for a message; empty if in nothing.
std::string difference(const BuildTask& before, const BuildTask& now);

}  // namespace gannet::tools
