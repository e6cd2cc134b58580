// The strings of keyword fields during a build: sorted runs on disk, merged at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/files/spool.hpp"
#include "index/lexicon/term_dictionary.hpp"

namespace gannet::index {

/// Strings come with numbers of their own in every run; merging gives each its *rank*, the number
/// that it has in its field's dictionary, where the same string of all runs is one. Memory: buffers
/// and, once ranks are asked for, four bytes for each number of one run. Not thread-safe.
class KeywordRuns {
 public:
  /// `scratch`: a directory for temporary files.
  KeywordRuns(const std::filesystem::path& scratch, std::stop_token stop);
  ~KeywordRuns();

  /// Sets the entries of a dictionary aside as a run (FieldConverter says what they are).
  void add(const TermDictionary& dictionary);
  std::size_t size() const { return runs_.size(); }

  /// Goes through the different entries of all runs in bytewise order. Once, after the last add().
  void merge(const std::function<void(std::uint32_t field, std::string_view text)>& take);
  /// After merge(): the rank of each number of a run; those that are not in use have any.
  std::vector<std::uint32_t> ranks(std::size_t run) const;

 private:
  struct Run;
  class Cursor;

  std::filesystem::path scratch_;
  std::stop_token stop_;
  Spool strings_;  ///< of all runs: length (u32) and bytes
  Spool numbers_;  ///< of all runs: the numbers, in the order of the strings
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace gannet::index
