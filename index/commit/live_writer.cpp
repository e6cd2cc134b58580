#include "index/commit/live_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "index/files/posix_file.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::index {
namespace {

/// Which documents of a segment live so far.
std::vector<std::uint64_t> live_of(const SegmentRecord& record, const Index* kept,
                                   const Manifest* before) {
  if (record.deleted == 0) return all_live(record.statistics.documents);
  const auto& segments = before->segments;
  const auto same = std::ranges::find(segments, record.name, &SegmentRecord::name);
  const auto words = kept->live(static_cast<std::size_t>(same - segments.begin()))->words();
  return {words.begin(), words.end()};
}

/// Takes out documents whose numbers in the index begin at `base`; returns how many lived.
std::uint64_t take_out(std::span<const Docid> gone, std::uint64_t base,
                       std::span<std::uint64_t> words) {
  std::uint64_t taken = 0;
  for (const Docid docid : gone) {
    const auto d = docid - static_cast<Docid>(base);
    const std::uint64_t bit = std::uint64_t{1} << d % 64;
    taken += (words[d / 64] & bit) != 0 ? 1 : 0;
    words[d / 64] &= ~bit;
  }
  return taken;
}

}  // namespace

LiveWriter::~LiveWriter() {
  for (const std::filesystem::path& path : paths_) try_remove_tree(path);
}

void LiveWriter::write(const std::filesystem::path& directory, std::uint64_t generation,
                       const Index* kept, const Manifest* before,
                       std::span<SegmentRecord> records) {
  std::ranges::sort(removed_);
  auto next = removed_.begin();
  for (SegmentRecord& record : records) {
    const std::uint64_t end = record.docid_base + record.statistics.documents;
    const auto behind = std::ranges::lower_bound(next, removed_.end(), end);
    const std::span<const Docid> gone(next, behind);
    next = behind;
    if (gone.empty()) continue;
    std::vector<std::uint64_t> words = live_of(record, kept, before);
    const std::uint64_t taken = take_out(gone, record.docid_base, words);
    if (taken == 0) continue;
    const FileRecord file{std::string(kLiveFile.name), {}, generation};
    const std::filesystem::path path = directory / file_name(record, file);
    const FileSummary summary = write_live_documents(path, words);
    paths_.push_back(path);
    record.set_live(record.deleted + taken, summary, generation);
  }
}

}  // namespace gannet::index
