#include "index/order/keys/text_keys.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <limits>
#include <string>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/lexicon/term_order.hpp"

namespace gannet::index {

TextKeys::TextKeys(std::uint64_t documents, std::uint64_t memory)
    : documents_(documents), memory_(memory) {
  check_memory();
  keys_.reserve(documents);
}

void TextKeys::check_memory() const {
  // The blocks that texts lie in grow by half.
  const std::uint64_t needed =
      documents_ * (sizeof(Key) + sizeof(Docid)) + text_bytes_ + text_bytes_ / 2;
  if (needed <= memory_) return;
  throw UsageError("the memory budget is too small to sort " + std::to_string(documents_) +
                   " documents by ids or texts: " + std::to_string(memory_) +
                   " bytes are left for what takes more than " + std::to_string(needed) +
                   "; give twice as much memory");
}

void TextKeys::add(Docid docid, std::optional<std::string_view> text) {
  if (!text) return without_.push_back(docid);
  if (text->size() > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("document " + std::to_string(docid) + " has a text of more than 4 GiB, " +
                     "which is none to sort by");
  }
  text_bytes_ += text->size();
  check_memory();
  auto* const copy = static_cast<char*>(texts_.allocate(std::max<std::size_t>(text->size(), 1), 1));
  std::copy(text->begin(), text->end(), copy);
  keys_.push_back(
      {TermSortKey(*text, 0).prefix, copy, static_cast<std::uint32_t>(text->size()), docid});
}

std::vector<Docid> TextKeys::sort(const std::stop_token& stop) {
  tbb::parallel_sort(keys_.begin(), keys_.end(), [&](const Key& a, const Key& b) {
    throw_if_stopped(stop);
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int order = a.view().compare(b.view());
    return order != 0 ? order < 0 : a.docid < b.docid;
  });
  std::vector<Docid> sorted;
  sorted.reserve(keys_.size() + without_.size());
  for (const Key& key : keys_) sorted.push_back(key.docid);
  sorted.insert(sorted.end(), without_.begin(), without_.end());
  return sorted;
}

std::optional<Docid> TextKeys::find(std::string_view text) const {
  const std::uint64_t prefix = TermSortKey(text, 0).prefix;
  const auto found = std::ranges::partition_point(keys_, [&](const Key& key) {
    return key.prefix != prefix ? key.prefix < prefix : key.view() < text;
  });
  if (found == keys_.end() || found->view() != text) return std::nullopt;
  return found->docid;
}

}  // namespace gannet::index
