#include "index/lexicon/front_coding.hpp"

#include <algorithm>

#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

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

/// Reads the next entry of a block: `text` becomes the string. False if the block is damaged.
bool read_entry(ByteReader& reader, bool first, std::string& text) {
  if (first) {
    text = view(reader.bytes(reader.varint()));
    return reader.ok();
  }
  const std::uint8_t lengths = reader.byte();
  std::uint64_t shared = lengths & 0xfu;
  std::uint64_t rest = lengths >> 4;
  if (shared == kLong) shared += reader.varint();
  if (rest == kLong) rest += reader.varint();
  const auto bytes = reader.bytes(rest);
  if (!reader.ok() || shared > text.size()) return false;
  text.resize(static_cast<std::size_t>(shared));
  text += view(bytes);
  return true;
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
    : path_(file.path()), text_tag_(text), text_(file.section<std::uint8_t>(text)), count_(count) {
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

ByteReader FrontCoded::block(std::uint64_t number) const {
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

std::string FrontCoded::at(std::uint64_t i) const {
  ByteReader reader = block(i / kBlock);
  std::string text;
  for (std::uint64_t entry = 0; entry <= i % kBlock; ++entry) {
    if (!read_entry(reader, entry == 0, text)) fail(i / kBlock);
  }
  return text;
}

std::uint64_t FrontCoded::lower_bound(std::string_view wanted) const {
  // The last block whose first string is less than `wanted` has the answer, or the one after it.
  std::uint64_t first = 0;
  std::uint64_t last = blocks();
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (head(middle) < wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first == 0) return 0;
  const std::uint64_t number = first - 1;
  const std::uint64_t end = std::min(count_, first * kBlock);
  ByteReader reader = block(number);
  std::string text;
  for (std::uint64_t i = number * kBlock; i < end; ++i) {
    if (!read_entry(reader, i % kBlock == 0, text)) fail(number);
    if (text >= wanted) return i;
  }
  return end;
}

std::optional<std::uint64_t> FrontCoded::find(std::string_view wanted) const {
  const std::uint64_t place = lower_bound(wanted);
  if (place == count_ || at(place) != wanted) return std::nullopt;
  return place;
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
