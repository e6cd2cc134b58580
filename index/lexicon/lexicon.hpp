// The terms of a segment in bytewise order, with their collection frequencies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/files/container.hpp"
#include "index/index.hpp"
#include "index/inversion/runs/spool.hpp"

namespace gannet::index {

/// Writes a lexicon. Not thread-safe.
class LexiconWriter {
 public:
  /// `scratch`: a directory for temporary files.
  LexiconWriter(const std::filesystem::path& path, const std::filesystem::path& scratch);

  /// Terms come in strictly ascending bytewise order, none of them empty; UsageError otherwise.
  void add(std::string_view term, std::uint64_t collection_frequency);
  std::uint64_t terms() const { return terms_; }
  FileSummary finish();
  void publish() { file_.publish(); }

 private:
  ContainerWriter file_;
  Spool offsets_;
  Spool frequencies_;
  std::string previous_;
  std::uint64_t terms_ = 0;
  std::uint64_t text_bytes_ = 0;
};

/// A mapped lexicon. Immutable, safe from any number of threads. Term numbers must be < terms().
class Lexicon {
 public:
  /// Checks that the tables have `terms` entries and that all offsets are in order and in bounds.
  Lexicon(std::filesystem::path path, MappedFile file, std::uint64_t terms);

  std::uint64_t terms() const { return frequencies_.size(); }
  std::optional<TermId> find(std::string_view term) const;
  std::string_view term(TermId id) const {
    return text_.substr(offsets_[id], offsets_[id + 1] - offsets_[id]);
  }
  std::uint64_t collection_frequency(TermId id) const { return frequencies_[id]; }
  const ContainerReader& file() const { return file_; }

 private:
  ContainerReader file_;
  std::string_view text_;
  std::span<const std::uint64_t> offsets_;
  std::span<const std::uint64_t> frequencies_;
};

}  // namespace gannet::index
