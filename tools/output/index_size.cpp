#include "tools/output/index_size.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>

#include "codecs/base/error.hpp"

namespace gannet::tools {

void ListSize::add(const index::PostingList& list) {
  lists += 1;
  postings += list.count;
  tiles += list.tiles();
  if (list.is_short()) {
    const std::uint64_t gap_bits = std::uint64_t{list.count} * list.packed.gap_width;
    docid_bits += gap_bits;
    freq_bits += list.packed.size(list.count) * 8 - gap_bits;
    return;
  }
  docid_bits += 32 * list.docid_words.size();
  freq_bits += 32 * list.freq_words.size();
  skip_bits += 32 * list.skips.size() + 16 * (list.max_freqs.size() + list.min_lengths.size());
}

std::uint64_t IndexSize::bytes() const {
  std::uint64_t sum = 0;
  for (const FileSize& file : files) sum += file.bytes;
  return sum;
}

IndexSize measure(const index::Index& index) {
  IndexSize size;
  for (const auto& segment : index.segments()) {
    for (std::uint64_t term = 0; term < segment->statistics().terms; ++term) {
      const index::PostingList list = segment->list(static_cast<index::TermId>(term));
      size.all.add(list);
      size.by_length[static_cast<std::size_t>(std::bit_width(list.count)) - 1].add(list);
    }
  }
  size.positions = positions_size(index);
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(index.path())) {
      if (!entry.is_regular_file()) continue;
      size.files.push_back(
          {entry.path().lexically_relative(index.path()).string(), entry.file_size()});
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw IoError(error.what());
  }
  std::sort(size.files.begin(), size.files.end(),
            [](const FileSize& a, const FileSize& b) { return a.name < b.name; });
  return size;
}

}  // namespace gannet::tools
