// The terms of a segment in bytewise order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/files/container/container.hpp"
#include "index/lexicon/front_coding.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Writes a lexicon. Not thread-safe.
class LexiconWriter {
 public:
  /// `scratch`: a directory for temporary files.
  LexiconWriter(const std::filesystem::path& path, const std::filesystem::path& scratch);

  /// Terms come in strictly ascending bytewise order, none of them empty; UsageError otherwise.
  void add(std::string_view term);
  std::uint64_t terms() const { return terms_.size(); }
  FileSummary finish();
  void publish_new() { file_.publish_new(); }

 private:
  ContainerWriter file_;
  FrontCodingWriter terms_;
  std::string previous_;
};

/// A mapped lexicon. Immutable, safe from any number of threads. Term numbers must be < terms().
/// What is damaged is found when it is read, and thrown as FormatError.
class Lexicon {
 public:
  /// Checks that the tables have room for `terms` terms; reads none.
  Lexicon(std::filesystem::path path, MappedFile file, std::uint64_t terms);

  std::uint64_t terms() const { return terms_.size(); }
  std::optional<TermId> find(std::string_view term) const;
  TermRange with_prefix(std::string_view prefix) const;
  std::string term(TermId id) const { return terms_.at(id); }
  /// Segment::walk_terms().
  std::unique_ptr<TermWalk> walk() const;
  const FrontCoded& strings() const { return terms_; }
  const ContainerReader& file() const { return file_; }

 private:
  ContainerReader file_;
  FrontCoded terms_;
};

}  // namespace gannet::index
