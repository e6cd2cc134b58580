#include "index/fields/build/column_coder.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/choose.hpp"
#include "codecs/columns.hpp"
#include "index/fields/build/bitmap_sink.hpp"
#include "index/fields/build/spool_cursor.hpp"

namespace gannet::index {
namespace {

/// The values in their order, keywords as ranks.
class ValueReader {
 public:
  ValueReader(const ColumnSpool& values, const KeywordRuns& keywords)
      : cursor_(values.values_spool()),
        keywords_(keywords),
        ends_(values.run_ends()),
        is_keyword_(values.spec().is_keyword()) {}

  std::uint64_t next() {
    const std::uint64_t value = cursor_.next();
    if (!is_keyword_) return value;
    if (!begun_ || at_ == ends_[run_]) start_run();
    ++at_;
    return ranks_[value];
  }

 private:
  void start_run() {
    if (begun_) ++run_;
    while (at_ == ends_[run_]) ++run_;  // runs without a value of the field
    begun_ = true;
    ranks_ = {};
    ranks_ = keywords_.ranks(run_);
  }

  SpoolCursor<std::uint64_t> cursor_;
  const KeywordRuns& keywords_;
  const std::vector<std::uint64_t>& ends_;
  bool is_keyword_;
  bool begun_ = false;
  std::size_t run_ = 0;
  std::uint64_t at_ = 0;
  std::vector<std::uint32_t> ranks_;
};

/// Takes the codes of a column and encodes them.
class CodeSink {
 public:
  CodeSink(ContainerWriter& file, codecs::ValueType type, ColumnOptions options)
      : wide_(type == codecs::ValueType::kU64),
        encoder_(type, std::move(options),
                 [&file](std::span<const std::byte> bytes) { file.append(bytes); }) {
    encoder_.begin();
  }

  /// `is_value`: a document has it.
  void add(std::uint64_t code, bool is_value) {
    if (codes_ % kFieldBlock == 0) bounds_.emplace_back();
    ++codes_;
    if (is_value) bounds_.back().add(code);
    if (wide_) {
      wide_codes_.push_back(code);
    } else {
      codes_32_.push_back(static_cast<std::uint32_t>(code));
    }
    if (codes_ % kBuffer == 0) flush();
  }
  void finish() {
    flush();
    encoder_.finish();
  }

  std::uint64_t codes() const { return codes_; }
  const std::vector<CodeBounds>& bounds() const { return bounds_; }

 private:
  static constexpr std::size_t kBuffer = 1u << 13;
  void flush() {
    encoder_.append(bytes_of(std::span<const std::uint64_t>(wide_codes_)));
    encoder_.append(bytes_of(std::span<const std::uint32_t>(codes_32_)));
    wide_codes_.clear();
    codes_32_.clear();
  }

  bool wide_;
  ColumnEncoder encoder_;
  std::vector<std::uint64_t> wide_codes_;
  std::vector<std::uint32_t> codes_32_;
  std::vector<CodeBounds> bounds_;
  std::uint64_t codes_ = 0;
};

FieldRow row_of(const ColumnSpool& values, std::uint64_t strings) {
  FieldRow row{};
  row.unit = 1;
  row.having = values.having();
  row.strings = strings;
  if (values.spec().is_keyword()) {
    row.code_limit = strings;
    return row;
  }
  if (values.values() == 0) return row;
  row.base = values.least();
  row.unit = std::max<std::uint64_t>(values.divisor(), 1);
  const std::uint64_t largest = (values.greatest() - row.base) / row.unit;
  if (largest == ~std::uint64_t{0}) {
    throw InputError("field '" + values.spec().name + "' has both " +
                     value_text(values.spec(), values.least()) + " and " +
                     value_text(values.spec(), values.greatest()) +
                     ", the least and the largest value of its type, which no column can hold "
                     "together; leave one of them out");
  }
  row.code_limit = largest + 1;
  return row;
}

/// A value for each document; one that has none repeats the code before, which costs the least.
template <class Sink>
void add_single(const ColumnSpool& values, const FieldRow& row, ValueReader& reader,
                const std::stop_token& stop, Sink& codes) {
  SpoolCursor<std::uint64_t> words(values.present_spool());
  StopCheck check_stop(stop);
  std::uint64_t word = 0;
  std::uint64_t code = 0;
  for (std::uint64_t document = 0; document < values.documents(); ++document) {
    check_stop();
    if (document % 64 == 0) word = words.next();
    const bool has = (word >> document % 64 & 1) != 0;
    if (has) code = (reader.next() - row.base) / row.unit;
    codes.add(code, has);
  }
}

/// All values of each document, ascending: ranks of keywords have to be put in order.
template <class Sink>
void add_several(const ColumnSpool& values, const FieldRow& row, ValueReader& reader,
                 const std::stop_token& stop, Sink& codes) {
  SpoolCursor<std::uint32_t> starts(values.starts_spool());
  StopCheck check_stop(stop);
  std::vector<std::uint64_t> own;
  std::uint32_t start = starts.next();
  for (std::uint64_t document = 0; document < values.documents(); ++document) {
    check_stop();
    const std::uint32_t end = starts.next();
    own.clear();
    for (; start != end; ++start) own.push_back((reader.next() - row.base) / row.unit);
    std::sort(own.begin(), own.end());
    for (const std::uint64_t code : own) codes.add(code, true);
  }
}

template <class Sink>
void add_codes(const ColumnSpool& values, const KeywordRuns& keywords, const FieldRow& row,
               const std::stop_token& stop, Sink& codes) {
  ValueReader reader(values, keywords);
  if (values.spec().multi) {
    add_several(values, row, reader, stop, codes);
  } else {
    add_single(values, row, reader, stop, codes);
  }
  codes.finish();
}

/// Counts the different codes of the block that has most.
class DifferentCodes {
 public:
  void add(std::uint64_t code, bool /*is_value*/) {
    block_.push_back(code);
    if (block_.size() == kFieldBlock) finish();
  }
  void finish() {
    std::ranges::sort(block_);
    const auto end = std::unique(block_.begin(), block_.end());
    most_ = std::max(most_, static_cast<std::size_t>(end - block_.begin()));
    block_.clear();
  }
  std::size_t most() const { return most_; }

 private:
  std::vector<std::uint64_t> block_;
  std::size_t most_ = 0;
};

/// Why the field's codec cannot take the codes; empty if it can.
std::string obstacle(const ColumnSpool& values, const KeywordRuns& keywords, const FieldRow& row,
                     const std::stop_token& stop) {
  const std::string& codec = values.spec().codec;
  if (codec == codecs::kAuto) return {};
  const bool wide = has_wide_codes(row.code_limit);
  std::string width = std::string("its codes take ") + (wide ? "64" : "32") + " bits";
  if (codec != kBitmapCodec) {
    const auto type = wide ? codecs::ValueType::kU64 : codecs::ValueType::kU32;
    const bool takes = std::ranges::any_of(codecs::all_codecs(), [&](const codecs::Codec& known) {
      return known.name == codec && known.takes(type);
    });
    return takes ? std::string() : width;
  }
  if (wide) return width;
  DifferentCodes codes;
  add_codes(values, keywords, row, stop, codes);
  if (codes.most() <= kMaxBitmapCodes) return {};
  return "a block of 65,536 has " + std::to_string(codes.most()) +
         " different values, and bitmaps are of at most " + std::to_string(kMaxBitmapCodes);
}

/// Gives all codes to a sink, whose section is open, and ends that; then writes their bounds.
template <class Sink>
void write_codes(ContainerWriter& file, std::size_t number, const ColumnSpool& values,
                 const KeywordRuns& keywords, const std::stop_token& stop, FieldRow& row,
                 Sink& codes) {
  add_codes(values, keywords, row, stop, codes);
  row.codes = codes.codes();
  file.end_section();
  file.write_section(field_tag(FieldSection::kBounds, number),
                     std::span<const CodeBounds>(codes.bounds()));
}

}  // namespace

ColumnOptions block_options(const FieldSpec& spec, const std::stop_token& stop) {
  ColumnOptions options;
  options.codec = spec.codec;
  options.segment_values = kFieldBlock;
  options.threads = static_cast<unsigned>(std::max(tbb::this_task_arena::max_concurrency(), 1));
  options.stop = stop;
  return options;
}

FieldRow write_column(ContainerWriter& file, std::size_t number, ColumnSpool& values,
                      std::uint64_t strings, const KeywordRuns& keywords,
                      const std::stop_token& stop, std::optional<CodecFallback>& fallback) {
  FieldRow row = row_of(values, strings);
  FieldSpec spec = values.spec();
  if (std::string why = obstacle(values, keywords, row, stop); !why.empty()) {
    fallback = CodecFallback{spec.name, spec.codec, std::string(codecs::kAuto), std::move(why)};
    spec.codec = fallback->used;
  }
  const bool bitmaps = spec.codec == kBitmapCodec;
  file.begin_section(field_tag(bitmaps ? FieldSection::kBitmaps : FieldSection::kCodes, number));
  if (bitmaps) {
    BitmapSink codes(file);
    write_codes(file, number, values, keywords, stop, row, codes);
    file.write_section(field_tag(FieldSection::kBitmapRows, number), codes.rows());
  } else {
    const bool wide = has_wide_codes(row.code_limit);
    CodeSink codes(file, wide ? codecs::ValueType::kU64 : codecs::ValueType::kU32,
                   block_options(spec, stop));
    write_codes(file, number, values, keywords, stop, row, codes);
  }
  if (row.having != values.documents()) {
    file.write_spool(field_tag(FieldSection::kPresent, number), values.present_spool());
  }
  if (values.spec().multi) {
    file.write_spool(field_tag(FieldSection::kStarts, number), values.starts_spool());
  }
  return row;
}

}  // namespace gannet::index
