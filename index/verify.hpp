// Checking every byte of an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gannet::index {

struct VerifyReport {
  std::vector<std::string> problems;  ///< empty: the index is sound
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lists = 0;
  std::uint64_t postings = 0;
};

/// Checks sizes and checksums of all files, decodes every list (docids ascending and in range, frequencies
/// >= 1, skip and bound data true, statistics and lexicon right). Reports all problems found, at most 100.
/// Throws only if the index cannot be opened at all.
VerifyReport verify_index(const std::filesystem::path& directory, unsigned threads = 0,
                          const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {});

}  // namespace gannet::index
