#include "index/segment/live_documents.hpp"

#include <array>
#include <bit>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"

namespace gannet::index {
namespace {

constexpr Tag kLiveBits{"LIVE"};
constexpr std::array kLiveSections{kLiveBits};

std::uint64_t words_of(std::uint64_t documents) { return (documents + 63) / 64; }

std::uint64_t count(std::span<const std::uint64_t> words) {
  std::uint64_t bits = 0;
  for (const std::uint64_t word : words) bits += static_cast<std::uint64_t>(std::popcount(word));
  return bits;
}

bool ends_right(std::span<const std::uint64_t> words, std::uint64_t documents) {
  return documents % 64 == 0 || words.back() >> documents % 64 == 0;
}

}  // namespace

LiveDocuments::LiveDocuments(std::vector<std::uint64_t> words, std::uint64_t documents)
    : own_(std::move(words)), words_(own_), documents_(documents) {
  if (own_.size() != words_of(documents) || !ends_right(words_, documents)) {
    throw UsageError("the words of live documents are not those of " + std::to_string(documents) +
                     " documents");
  }
  deleted_ = documents - count(words_);
}

LiveDocuments::LiveDocuments(std::filesystem::path path, MappedFile file, std::uint64_t documents,
                             std::uint64_t deleted)
    : file_(std::in_place, std::move(path), std::move(file), kLiveFile, std::span(kLiveSections)),
      words_(file_->section<std::uint64_t>(kLiveBits, words_of(documents))),
      documents_(documents),
      deleted_(deleted) {
  for (const SectionRow& row : file_->sections()) {
    if (xxh3(file_->content(row)) != row.checksum) file_->fail("the bits' checksum is wrong");
  }
  if (!ends_right(words_, documents)) file_->fail("there are bits behind the last document");
  if (count(words_) + deleted == documents) return;
  file_->fail("it has " + std::to_string(documents - count(words_)) +
              " deleted documents, the manifest says " + std::to_string(deleted));
}

std::vector<std::uint64_t> all_live(std::uint64_t documents) {
  std::vector<std::uint64_t> words(words_of(documents), ~std::uint64_t{0});
  if (documents % 64 != 0) words.back() >>= 64 - documents % 64;
  return words;
}

FileSummary write_live_documents(const std::filesystem::path& path,
                                 std::span<const std::uint64_t> words) {
  ContainerWriter file(path, kLiveFile);
  file.write_section(kLiveBits, words);
  const FileSummary summary = file.finish();
  file.publish_new();
  return summary;
}

}  // namespace gannet::index
