#include "index/lexicon/front_coding.hpp"

#include <algorithm>
#include <array>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

/// So many lookups go by the blocks; later ones by what was collected of all of them.
constexpr std::uint32_t kFewLookups = 64;
/// Lengths from here on do not fit half a byte.
constexpr std::size_t kLong = 15;

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(most);
  return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

std::string_view view(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The first eight bytes, as a number that is ordered as they are; shorter strings are filled up.
std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
  }
  return bytes;
}

/// A string as it is stored: the first `shared` bytes of the one before, then `rest`.
struct Entry {
  std::uint64_t shared = 0;
  std::string_view rest;

  std::uint64_t size() const { return shared + rest.size(); }
};

/// Reads the next entry of a block, which follows a string of `size_before` bytes (0: the first of
/// the block). False if the block is damaged.
bool read_entry(ByteReader& reader, bool first, std::uint64_t size_before, Entry& entry) {
  if (first) {
    entry = {0, view(reader.bytes(reader.varint()))};
    return reader.ok();
  }
  const std::uint8_t lengths = reader.byte();
  std::uint64_t shared = lengths & 0xfu;
  std::uint64_t rest = lengths >> 4;
  if (shared == kLong) shared += reader.varint();
  if (rest == kLong) rest += reader.varint();
  entry = {shared, view(reader.bytes(rest))};
  return reader.ok() && shared <= size_before;
}

/// The same: `text`, the string before, becomes the string.
bool read_entry(ByteReader& reader, bool first, std::string& text) {
  Entry entry;
  if (!read_entry(reader, first, text.size(), entry)) return false;
  text.resize(static_cast<std::size_t>(entry.shared));
  text += entry.rest;
  return true;
}

/// The last of the strings, from its end to its front: each entry before has what is still missing
/// beyond the prefix that it shares itself.
std::string last_of(std::span<const Entry> entries) {
  std::string text(static_cast<std::size_t>(entries.back().size()), '\0');
  std::size_t missing = text.size();
  for (std::size_t i = entries.size(); missing != 0; --i) {
    const Entry& entry = entries[i - 1];
    const auto shared = static_cast<std::size_t>(entry.shared);
    if (shared >= missing) continue;
    entry.rest.copy(text.data() + shared, missing - shared);
    missing = shared;
  }
  return text;
}

}  // namespace

void FrontCodingWriter::add(ContainerWriter& file, std::string_view text) {
  entry_.clear();
  if (count_ % FrontCoded::kBlock == 0) {
    offsets_.append_value(bytes_);
    append_varint(entry_, text.size());
    entry_.insert(entry_.end(), text.begin(), text.end());
  } else {
    const std::size_t shared = shared_prefix(previous_, text);
    const std::size_t rest = text.size() - shared;
    entry_.push_back(
        static_cast<std::uint8_t>(std::min(shared, kLong) | std::min(rest, kLong) << 4));
    if (shared >= kLong) append_varint(entry_, shared - kLong);
    if (rest >= kLong) append_varint(entry_, rest - kLong);
    entry_.insert(entry_.end(), text.begin() + static_cast<std::ptrdiff_t>(shared), text.end());
  }
  file.append(bytes_of(std::span<const std::uint8_t>(entry_)));
  bytes_ += entry_.size();
  previous_ = text;
  ++count_;
}

void FrontCodingWriter::finish(ContainerWriter& file, Tag offsets) {
  file.end_section();
  offsets_.append_value(bytes_);
  file.write_spool(offsets, offsets_);
}

FrontCoded::FrontCoded(const ContainerReader& file, Tag text, Tag offsets, std::uint64_t count)
    : path_(file.path()),
      blocks_(file.blocks()),
      text_tag_(text),
      text_(file.section<std::uint8_t>(text)),
      count_(count),
      heads_(std::make_unique<Heads>()) {
  offsets_ = file.section<std::uint64_t>(offsets, blocks() + 1);
  if (offsets_.front() != 0 || offsets_.back() != text_.size()) {
    file.fail("section '" + to_string(offsets) + "' does not cover section '" + to_string(text) +
              "'");
  }
}

void FrontCoded::fail(std::uint64_t block_number) const {
  fail_format(path_, "section '" + to_string(text_tag_) + "': block " +
                         std::to_string(block_number) + " is damaged");
}

void FrontCoded::check_blocks(const std::optional<std::string>& problem) const {
  if (problem) fail_format(path_, *problem);
}

ByteReader FrontCoded::block(std::uint64_t number) const {
  check(offsets_.subspan(number, 2));
  const ByteReader reader = unchecked_block(number);
  check(std::span(reader.position(), reader.left()));
  return reader;
}

ByteReader FrontCoded::unchecked_block(std::uint64_t number) const {
  const std::uint64_t begin = offsets_[number];
  const std::uint64_t end = offsets_[number + 1];
  if (begin >= end || end > text_.size()) fail(number);
  return ByteReader(text_.subspan(begin, end - begin));
}

std::string_view FrontCoded::head(std::uint64_t block_number) const {
  ByteReader reader = block(block_number);
  const std::string_view text = view(reader.bytes(reader.varint()));
  if (!reader.ok()) fail(block_number);
  return text;
}

std::string FrontCoded::at(std::uint64_t i) const { return read(block(i / kBlock), i); }

std::string FrontCoded::unchecked_at(std::uint64_t i) const {
  return read(unchecked_block(i / kBlock), i);
}

std::string FrontCoded::read(ByteReader reader, std::uint64_t i) const {
  std::array<Entry, kBlock> entries;
  const std::size_t last = i % kBlock;
  for (std::size_t e = 0; e <= last; ++e) {
    const std::uint64_t size_before = e == 0 ? 0 : entries[e - 1].size();
    if (!read_entry(reader, e == 0, size_before, entries[e])) fail(i / kBlock);
  }
  return last_of(std::span(entries).first(last + 1));
}

const FrontCoded::Heads* FrontCoded::heads() const {
  if (heads_->ready.load(std::memory_order_acquire)) return heads_.get();
  if (heads_->lookups.fetch_add(1, std::memory_order_relaxed) < kFewLookups) return nullptr;
  heads_->once([this] {
    std::vector<std::uint64_t> prefixes(blocks());
    try {
      for (std::uint64_t i = 0; i < blocks(); ++i) prefixes[i] = first_bytes(head(i));
    } catch (const FormatError&) {
      return;  // whoever needs the block is told
    }
    heads_->prefixes = std::move(prefixes);
    heads_->ready.store(true, std::memory_order_release);
  });
  return heads_->ready.load(std::memory_order_acquire) ? heads_.get() : nullptr;
}

std::uint64_t FrontCoded::blocks_up_to(std::string_view wanted) const {
  if (count_ == 0) return 0;
  std::uint64_t first = 0;
  std::uint64_t last = blocks();
  if (const Heads* const known = heads()) {
    const auto [begin, end] =
        std::equal_range(known->prefixes.begin(), known->prefixes.end(), first_bytes(wanted));
    first = static_cast<std::uint64_t>(begin - known->prefixes.begin());
    last = static_cast<std::uint64_t>(end - known->prefixes.begin());
  }
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (head(middle) <= wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

FrontCoded::Place FrontCoded::place_of(std::string_view wanted) const {
  const std::uint64_t up_to = blocks_up_to(wanted);
  if (up_to == 0) return {0, false};
  const std::uint64_t number = up_to - 1;
  const std::uint64_t end = std::min(count_, up_to * kBlock);
  ByteReader reader = block(number);
  // The string before is less than `wanted` and has its first `same` bytes: one that shares more
  // than these with it is less, too. So no string has to be put together.
  std::uint64_t same = 0;
  std::uint64_t size = 0;
  for (std::uint64_t i = number * kBlock; i < end; ++i) {
    Entry entry;
    if (!read_entry(reader, i % kBlock == 0, size, entry)) fail(number);
    size = entry.size();
    if (entry.shared > same) continue;
    same = entry.shared;
    const std::string_view left = wanted.substr(static_cast<std::size_t>(same));
    const std::size_t more = shared_prefix(left, entry.rest);
    if (more == left.size()) return {i, more == entry.rest.size()};
    const bool less = more == entry.rest.size() || static_cast<unsigned char>(entry.rest[more]) <
                                                       static_cast<unsigned char>(left[more]);
    if (!less) return {i, false};
    same += more;
  }
  return {end, false};
}

std::uint64_t FrontCoded::lower_bound(std::string_view wanted) const {
  return place_of(wanted).number;
}

std::optional<std::uint64_t> FrontCoded::find(std::string_view wanted) const {
  const Place place = place_of(wanted);
  if (!place.found) return std::nullopt;
  return place.number;
}

FrontCoded::Cursor::Cursor(const FrontCoded& strings, std::uint64_t first)
    : strings_(strings), next_(first - first % kBlock) {
  while (next_ < first) next();
}

bool FrontCoded::Cursor::next() {
  if (next_ == strings_.size()) return false;
  const bool starts_block = next_ % kBlock == 0;
  if (starts_block) reader_ = strings_.block(next_ / kBlock);
  if (!read_entry(reader_, starts_block, text_)) strings_.fail(next_ / kBlock);
  ++next_;
  return true;
}

}  // namespace gannet::index
