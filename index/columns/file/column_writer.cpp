#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/columns/column_file.hpp"
#include "index/columns/file/column_layout.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kAlignment = 64;

void check_options(codecs::ValueType type, const ColumnOptions& options) {
  if (options.segment_values == 0 || options.segment_values > codecs::kMaxListLength) {
    throw UsageError("a segment can have 1 to " + std::to_string(codecs::kMaxListLength) +
                     " values, not " + std::to_string(options.segment_values));
  }
  if (options.threads == 0) throw UsageError("encoding needs at least one thread");
  if (options.codec == codecs::kAuto) {
    options.parameters.finish(codecs::kAuto);
  } else if (!options.candidates.empty()) {
    throw UsageError("only codec auto has candidates to choose from");
  } else {
    // Wrong parameters show now, not when the first segment is full.
    std::vector<std::uint32_t> words;
    codecs::codec_named(options.codec, type).encode(type, {}, options.parameters, words);
  }
}

codecs::Candidates candidates_of(codecs::ValueType type, const ColumnOptions& options) {
  check_options(type, options);
  if (options.codec != codecs::kAuto) return {};
  codecs::Candidates candidates = options.candidates.empty()
                                      ? codecs::auto_candidates(type)
                                      : codecs::candidates_named(options.candidates, type);
  if (candidates.empty()) {
    throw UsageError("auto has no codec to choose from for values of type " +
                     std::string(codecs::name_of(type)));
  }
  return candidates;
}

}  // namespace

ColumnEncoder::ColumnEncoder(codecs::ValueType type, ColumnOptions options, Sink sink)
    : type_(type),
      options_(std::move(options)),
      candidates_(candidates_of(type_, options_)),
      segment_bytes_(std::size_t{options_.segment_values} * codecs::size_of(type_)),
      sink_(std::move(sink)) {}

void ColumnEncoder::begin() {
  ColumnHeader header{};
  std::memcpy(header.magic, kColumnMagic.data(), sizeof header.magic);
  header.version = kColumnFormatVersion;
  header.type = static_cast<std::uint32_t>(type_);
  header.checksum = column_checksum(header);
  header_checksum_ = header.checksum;
  write(bytes_of_record(header));
}

void ColumnEncoder::write(std::span<const std::byte> bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void ColumnEncoder::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (pending_.empty() || pending_.back().size() == segment_bytes_) {
      if (pending_.size() == options_.threads) write_pending();
      pending_.emplace_back();
    }
    std::vector<std::byte>& segment = pending_.back();
    const auto part = bytes.first(std::min(segment_bytes_ - segment.size(), bytes.size()));
    segment.insert(segment.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
}

void ColumnEncoder::write_pending() {
  std::vector<codecs::EncodedColumn> columns(pending_.size());
  const auto encode = [&](std::size_t i) { columns[i] = encoded(pending_[i]); };
  with_threads(options_.threads,
               [&] { tbb::parallel_for(std::size_t{0}, columns.size(), encode); });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    write_segment(columns[i],
                  static_cast<std::uint32_t>(pending_[i].size() / codecs::size_of(type_)));
  }
  pending_.clear();
}

codecs::EncodedColumn ColumnEncoder::encoded(std::span<const std::byte> values) const {
  throw_if_stopped(options_.stop);
  const StopScope scope(options_.stop);
  if (options_.codec == codecs::kAuto) {
    return codecs::encode_smallest(type_, values, candidates_);
  }
  codecs::EncodedColumn column{&codecs::codec_named(options_.codec, type_), {}};
  column.codec->encode(type_, values, options_.parameters, column.words);
  return column;
}

void ColumnEncoder::write_segment(const codecs::EncodedColumn& column, std::uint32_t count) {
  ColumnSegment segment{};
  segment.offset = written_;
  segment.words = column.words.size();
  segment.count = count;
  segment.codec = static_cast<std::uint32_t>(column.codec->id);
  column.codec->name.copy(segment.name, sizeof segment.name - 1);
  Hasher hasher;
  const auto store = [&](std::span<const std::byte> bytes) {
    hasher.update(bytes);
    write(bytes);
  };
  const auto words = bytes_of(std::span<const std::uint32_t>(column.words));
  const StopScope scope(options_.stop);
  for_each_chunk(words.size(),
                 [&](std::size_t first, std::size_t size) { store(words.subspan(first, size)); });
  store(std::vector<std::byte>(stored_bytes(segment) - words.size()));
  segment.checksum = hasher.digest();
  table_.push_back(segment);
  summary_.values += segment.count;
  summary_.words += segment.words;
  summary_.codec_values[std::string(column.codec->name)] += segment.count;
}

ColumnSummary ColumnEncoder::finish() {
  const std::size_t last = pending_.empty() ? 0 : pending_.back().size();
  const std::size_t beyond = last % codecs::size_of(type_);
  if (beyond != 0) {
    const std::uint64_t bytes =
        summary_.values * codecs::size_of(type_) + (pending_.size() - 1) * segment_bytes_ + last;
    throw InputError(std::to_string(bytes) + " bytes are no whole number of values of type " +
                     std::string(codecs::name_of(type_)) + " (" +
                     std::to_string(codecs::size_of(type_)) +
                     " bytes each): " + std::to_string(beyond) + " too many; is it another type?");
  }
  write_pending();
  ColumnFooter footer{};
  footer.table_offset = written_;
  static_assert(sizeof(ColumnHeader) % kAlignment == 0);
  const auto table = bytes_of(std::span<const ColumnSegment>(table_));
  write(table);
  footer.segments = table_.size();
  footer.values = summary_.values;
  footer.file_length = written_ + sizeof footer;
  footer.table_checksum = xxh3(table);
  footer.header_checksum = header_checksum_;
  std::memcpy(footer.magic, kColumnFooterMagic.data(), sizeof footer.magic);
  footer.checksum = column_checksum(footer);
  write(bytes_of_record(footer));
  summary_.segments = table_.size();
  summary_.file_bytes = written_;
  return summary_;
}

ColumnWriter::ColumnWriter(const std::filesystem::path& path, codecs::ValueType type,
                           ColumnOptions options)
    : encoder_(type, std::move(options),
               [this](std::span<const std::byte> bytes) { file_.append(bytes); }),
      file_(file_to_replace(path)) {
  encoder_.begin();
}

ColumnSummary ColumnWriter::finish() {
  ColumnSummary summary = encoder_.finish();
  file_.finish();
  return summary;
}

void ColumnWriter::publish(Existing existing) {
  file_.publish(existing);
  const std::filesystem::path folder = file_.path().parent_path();
  sync_directory(folder.empty() ? "." : folder);
}

}  // namespace gannet::index
