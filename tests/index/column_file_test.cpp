// The column file: what it keeps, whole and in parts, and what it refuses.
#include "index/columns/column_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <stop_token>
#include <thread>

#include "index/columns/column_source.hpp"
#include "index/columns/file/column_layout.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using codecs::Codec;
using codecs::ValueType;
using test::names_in;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Bytes = std::vector<std::byte>;

Bytes column(ValueType type, std::size_t count) {
  std::mt19937_64 random(count);
  const std::size_t size = codecs::size_of(type);
  Bytes bytes(count * size);
  std::uint64_t level = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 4 == 0) level += random() % 7 - 2;
    if (random() % 300 == 0) level = random();
    std::memcpy(bytes.data() + i * size, &level, size);
  }
  return bytes;
}

ColumnOptions with_codec(std::string codec, std::uint32_t segment_values = 1000) {
  ColumnOptions options;
  options.codec = std::move(codec);
  options.segment_values = segment_values;
  return options;
}

class ColumnFiles : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.path() / "a.column"; }

  ColumnSummary write(ValueType type, std::span<const std::byte> values,
                      const ColumnOptions& options) const {
    ColumnWriter writer(path(), type, options);
    writer.append(values);
    const ColumnSummary summary = writer.finish();
    writer.publish();
    return summary;
  }

  static Bytes decoded(const ColumnFile& file, std::uint64_t first, std::uint64_t count) {
    Bytes bytes;
    file.decode(first, count, [&](std::span<const std::byte> piece) {
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    });
    return bytes;
  }

  /// Writes a good file of three segments, changes header, table, footer or bytes, and makes all
  /// checksums right again.
  template <class F>
  void write_changed(const F& change) const {
    write(ValueType::kI32, column(ValueType::kI32, 2500), with_codec("gpu-bp128"));
    std::string bytes = read_file(path());
    ColumnHeader header;
    ColumnFooter footer;
    ColumnSegment table[3];
    const std::size_t table_at = bytes.size() - sizeof footer - sizeof table;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::memcpy(table, bytes.data() + table_at, sizeof table);
    std::memcpy(&footer, bytes.data() + table_at + sizeof table, sizeof footer);
    const ColumnFooter before = footer;
    change(header, table, footer, bytes);
    for (ColumnSegment& segment : table) {
      const std::size_t size = stored_bytes(segment);
      if (segment.offset > table_at || size > table_at - segment.offset) continue;
      segment.checksum = xxh3(bytes_of(std::string_view(bytes).substr(segment.offset, size)));
    }
    header.checksum = column_checksum(header);
    if (footer.header_checksum == before.header_checksum) footer.header_checksum = header.checksum;
    if (footer.table_checksum == before.table_checksum) {
      footer.table_checksum = xxh3(bytes_of(std::span<const ColumnSegment>(table)));
    }
    footer.checksum = column_checksum(footer);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + table_at, table, sizeof table);
    std::memcpy(bytes.data() + table_at + sizeof table, &footer, sizeof footer);
    write_file(path(), bytes);
  }

  void expect_refused(const std::string& why) const {
    EXPECT_THAT([&] { ColumnFile(path()).verify(); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr(why), HasSubstr("a.column"))));
  }

  TemporaryDirectory directory_;
};

TEST_F(ColumnFiles, KeepColumnsOfEveryCodecAndType) {
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (!codec.takes(type)) continue;
      SCOPED_TRACE(std::string(codec.name) + " " + std::string(name));
      const Bytes values = column(type, 2500);
      const ColumnSummary summary = write(type, values, with_codec(std::string(codec.name)));
      EXPECT_EQ(summary.values, 2500u);
      EXPECT_EQ(summary.segments, 3u);
      EXPECT_EQ(summary.codec_values.at(std::string(codec.name)), 2500u);
      EXPECT_EQ(summary.file_bytes, std::filesystem::file_size(path()));
      const ColumnFile file(path());
      EXPECT_EQ(file.type(), type);
      EXPECT_EQ(file.count(), 2500u);
      EXPECT_EQ(&file.codec(2), &codec);
      ASSERT_EQ(decoded(file, 0, 2500), values);
      file.verify();
    }
  }
}

TEST_F(ColumnFiles, DecodeAnyRange) {
  const Bytes values = column(ValueType::kI16, 5300);
  write(ValueType::kI16, values, with_codec("gpu-dfor", 700));
  const ColumnFile file(path());
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t first = random() % 5301;
    const std::uint64_t count = random() % (5301 - first);
    const Bytes expected(values.data() + 2 * first, values.data() + 2 * (first + count));
    ASSERT_EQ(decoded(file, first, count), expected) << first << "+" << count;
  }
  EXPECT_EQ(file.segment_of(0), 0u);
  EXPECT_EQ(file.segment_of(699), 0u);
  EXPECT_EQ(file.segment_of(700), 1u);
  EXPECT_EQ(file.segment_of(5299), 7u);
  EXPECT_EQ(file.first_value(7), 4900u);
  EXPECT_THROW(decoded(file, 5300, 1), UsageError);
  EXPECT_THROW(decoded(file, 5301, 0), UsageError);
  EXPECT_THROW(decoded(file, 1, ~std::uint64_t{0}), UsageError);
}

TEST_F(ColumnFiles, PiecesCoverLongSegments) {
  const Bytes values = column(ValueType::kU8, 3'500'000);
  write(ValueType::kU8, values, with_codec("gpu-bp128", 1u << 24));
  const ColumnFile file(path());
  std::size_t pieces = 0;
  Bytes all;
  file.decode(100, 3'400'000, [&](std::span<const std::byte> piece) {
    ++pieces;
    all.insert(all.end(), piece.begin(), piece.end());
  });
  EXPECT_GT(pieces, 3u);
  EXPECT_TRUE(std::equal(all.begin(), all.end(), values.begin() + 100));
}

TEST_F(ColumnFiles, EmptyColumns) {
  const ColumnSummary summary = write(ValueType::kU32, {}, with_codec("none"));
  EXPECT_EQ(summary.segments, 0u);
  EXPECT_EQ(summary.file_bytes, 128u);
  const ColumnFile file(path());
  EXPECT_EQ(file.count(), 0u);
  EXPECT_TRUE(decoded(file, 0, 0).empty());
}

TEST_F(ColumnFiles, ValuesMayBeSplitBetweenCalls) {
  const Bytes values = column(ValueType::kI32, 1234);
  ColumnWriter writer(path(), ValueType::kI32, with_codec("auto", 100));
  for (std::size_t at = 0; at < values.size(); at += 7) {
    writer.append(std::span(values).subspan(at, std::min<std::size_t>(7, values.size() - at)));
  }
  EXPECT_EQ(writer.finish().segments, 13u);
  writer.publish();
  EXPECT_EQ(decoded(ColumnFile(path()), 0, 1234), values);
}

TEST_F(ColumnFiles, BytesDoNotDependOnThreads) {
  const Bytes values = column(ValueType::kI32, 12345);
  ColumnOptions options = with_codec("auto");
  write(ValueType::kI32, values, options);
  const std::string alone = read_file(path());
  for (const unsigned threads : {2u, 5u, 40u}) {
    options.threads = threads;
    write(ValueType::kI32, values, options);
    EXPECT_EQ(read_file(path()), alone) << threads;
  }
}

TEST_F(ColumnFiles, AutoChoosesForEachSegment) {
  // Ascending values, then small ones in no order.
  Bytes values;
  std::mt19937 random(3);
  for (std::uint32_t i = 0; i < 8192; ++i) {
    const std::uint32_t value = i < 4096 ? 1000000 + 3 * i : random() % 4;
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    values.insert(values.end(), bytes, bytes + 4);
  }
  ColumnOptions options = with_codec("auto", 4096);
  options.candidates = {"gpu-bp128", "gpu-dfor", "none"};
  const ColumnSummary summary = write(ValueType::kU32, values, options);
  EXPECT_EQ(summary.codec_values,
            (std::map<std::string, std::uint64_t>{{"gpu-bp128", 4096}, {"gpu-dfor", 4096}}));
  const ColumnFile file(path());
  EXPECT_EQ(file.codec(0).name, "gpu-dfor");
  EXPECT_EQ(file.codec(1).name, "gpu-bp128");
  EXPECT_EQ(decoded(file, 0, 8192), values);
}

TEST_F(ColumnFiles, HaveNoNameBeforeTheyArePublished) {
  {
    ColumnWriter writer(path(), ValueType::kI8, with_codec("none"));
    writer.append(Bytes(5000));
    writer.finish();
    const std::set<std::string> names = names_in(directory_.path());
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(target_of_temporary(*names.begin()), "a.column");
  }
  EXPECT_TRUE(names_in(directory_.path()).empty());
}

TEST_F(ColumnFiles, WrongOptionsTouchNoFile) {
  const auto expect_usage = [&](const ColumnOptions& options, const std::string& why) {
    EXPECT_THAT([&] { ColumnWriter(path(), ValueType::kI64, options); },
                ThrowsMessage<UsageError>(HasSubstr(why)));
    EXPECT_TRUE(names_in(directory_.path()).empty());
  };
  expect_usage(with_codec("zip"), "'zip'");
  expect_usage(with_codec("gpu-bp128"), "does not code values of type i64");
  expect_usage(with_codec("auto", 0), "a segment can have");
  expect_usage(with_codec("auto", codecs::kMaxListLength + 1), "a segment can have");
  ColumnOptions options = with_codec("auto");
  options.parameters = codecs::Parameters("rles=2");
  expect_usage(options, "auto has no parameter 'rles'");
  options = with_codec("auto");
  options.threads = 0;
  expect_usage(options, "at least one thread");
  options = with_codec("auto");
  options.candidates = {"gpu-bp128"};
  expect_usage(options, "gpu-bp128");
}

TEST_F(ColumnFiles, BytesThatEndWithinAValueAreRefused) {
  ColumnWriter writer(path(), ValueType::kI32, with_codec("none", 10));
  writer.append(Bytes(4 * 25 + 3));
  EXPECT_THAT([&] { writer.finish(); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("103 bytes"), HasSubstr("i32"), HasSubstr("3 too many"))));
}

TEST_F(ColumnFiles, InMemoryAreTheSame) {
  const Bytes values = column(ValueType::kU16, 3000);
  write(ValueType::kU16, values, with_codec("auto"));
  const std::string bytes = read_file(path());
  const ColumnFile file(bytes_of(std::string_view(bytes)), "memory");
  EXPECT_EQ(decoded(file, 0, 3000), values);
  EXPECT_THAT([&] { ColumnFile(bytes_of(std::string_view(bytes).substr(1)), "memory"); },
              ThrowsMessage<FormatError>(HasSubstr("memory: not a column file")));
}

TEST_F(ColumnFiles, AreKnownByTheirFirstBytes) {
  EXPECT_FALSE(is_column_file(path()));
  write_file(path(), "GANNET");
  EXPECT_FALSE(is_column_file(path()));
  write(ValueType::kI8, {}, with_codec("none"));
  EXPECT_TRUE(is_column_file(path()));
  EXPECT_FALSE(is_column_file(directory_.path()));
}

TEST_F(ColumnFiles, RefuseEveryTruncationAndFlip) {
  write(ValueType::kI32, column(ValueType::kI32, 300), with_codec("gpu-dfor", 130));
  const std::string good = read_file(path());
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_file(path(), good.substr(0, size));
    EXPECT_THROW(ColumnFile(path()).verify(), FormatError) << size;
  }
  write_file(path(), good + '\0');
  EXPECT_THROW(ColumnFile(path()).verify(), FormatError);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_file(path(), bad);
    EXPECT_THROW(ColumnFile(path()).verify(), FormatError) << at;
  }
}

TEST_F(ColumnFiles, NameTheSegmentThatIsDamaged) {
  write(ValueType::kI32, column(ValueType::kI32, 2500), with_codec("gpu-bp128"));
  std::string bytes = read_file(path());
  bytes[ColumnFile(path()).segments()[1].offset + 60] ^= 1;
  write_file(path(), bytes);
  const ColumnFile file(path());
  EXPECT_EQ(decoded(file, 0, 1000).size(), 4000u);  // the others can still be read
  EXPECT_THAT([&] { decoded(file, 900, 200); },
              ThrowsMessage<FormatError>(
                  AllOf(HasSubstr("segment 1 (from value 1000)"), HasSubstr("checksum"))));
}

TEST_F(ColumnFiles, RefuseForgedWords) {
  write_changed([](auto&, auto* table, auto&, std::string& bytes) {
    bytes[table[1].offset + 4] ^= 4;  // an endpoint of gpu-bp128
  });
  expect_refused("segment 1 (from value 1000): gpu-bp128");
  write_changed([](auto&, auto* table, auto&, std::string&) {
    table[0].count -= 1;
    ++table[1].count;
  });
  EXPECT_NO_THROW(ColumnFile{path()});
  write_changed([](auto&, auto* table, auto&, std::string&) { table[2].words -= 1; });
  expect_refused("segment 2");
}

TEST_F(ColumnFiles, RefuseForgedTables) {
  const auto with_row = [&](const std::function<void(ColumnSegment*)>& change) {
    write_changed([&](auto&, auto* table, auto&, std::string&) { change(table); });
  };
  with_row([](ColumnSegment* table) { table[0].offset = 0; });
  expect_refused("segment 0 is out of bounds");
  with_row([](ColumnSegment* table) { table[1].words = ~std::uint64_t{0}; });
  expect_refused("segment 1 is out of bounds");
  with_row([](ColumnSegment* table) { table[1].words = (~std::uint64_t{0} >> 2) - 20; });
  expect_refused("segment 1 is out of bounds");
  with_row([](ColumnSegment* table) { table[2].words += 100; });
  expect_refused("segment 2 is out of bounds");
  with_row([](ColumnSegment* table) { table[2].words -= 32; });
  expect_refused("belong to no segment");
  with_row([](ColumnSegment* table) { table[1].count = 0; });
  expect_refused("segment 1 cannot have 0 values");
  with_row([](ColumnSegment* table) { table[1].count = codecs::kMaxListLength + 1; });
  expect_refused("segment 1 cannot have 536870913 values");
  with_row([](ColumnSegment* table) { table[2].count += 1; });
  expect_refused("values, its footer says 2500");
  with_row([](ColumnSegment* table) { table[0].name[4] = 'B'; });
  expect_refused("codec 1 is gpu-bp128, not 'gpu-Bp128'");
  with_row([](ColumnSegment* table) { table[0].name[20] = 'x'; });
  expect_refused("not 'gpu-bp128");
  with_row([](ColumnSegment* table) { table[0].codec = 123456; });
  EXPECT_THAT([&] { ColumnFile{path()}; },
              ThrowsMessage<VersionError>(
                  AllOf(HasSubstr("codec 123456 ('gpu-bp128')"), HasSubstr("newer Gannet"))));
}

TEST_F(ColumnFiles, RefuseForgedHeadersAndFooters) {
  const auto changed = [&](const std::function<void(ColumnHeader&, ColumnFooter&)>& change) {
    write_changed([&](auto& header, auto*, auto& footer, std::string&) { change(header, footer); });
  };
  changed([](auto& header, auto&) { header.magic[0] = 'X'; });
  expect_refused("not a column file");
  changed([](auto& header, auto&) { header.version = 0; });
  expect_refused("version 0");
  changed([](auto& header, auto&) { header.type = 0; });
  expect_refused("unknown type of values 0");
  changed([](auto& header, auto&) { header.type = 9; });
  expect_refused("unknown type of values 9");
  changed([](auto& header, auto&) { header.type = 8; });
  expect_refused("gpu-bp128 does not code values of type u64");
  changed([](auto& header, auto&) { header.version = 7; });
  EXPECT_THAT([&] { ColumnFile{path()}; },
              ThrowsMessage<VersionError>(AllOf(HasSubstr("version 7"), HasSubstr("version 1"))));
  changed([](auto&, auto& footer) { footer.magic[0] = 'Y'; });
  expect_refused("footer");
  changed([](auto&, auto& footer) { footer.segments = ~std::uint64_t{0} / 64; });
  expect_refused("table of segments is out of bounds");
  changed([](auto&, auto& footer) { footer.segments = 2; });
  expect_refused("table of segments is out of bounds");
  changed([](auto&, auto& footer) { footer.table_offset = ~std::uint64_t{0}; });
  expect_refused("table of segments is out of bounds");
  changed([](auto&, auto& footer) { footer.file_length += 64; });
  expect_refused("its footer says");
  changed([](auto&, auto& footer) { footer.table_checksum ^= 1; });
  expect_refused("table's checksum");
  changed([](auto&, auto& footer) { footer.header_checksum ^= 1; });
  expect_refused("different files");
  changed([](auto&, auto& footer) { footer.values += 1; });
  expect_refused("2500 values, its footer says 2501");
}

/// Writing is cancelled while the codec is at its only segment, not when it has encoded it.
TEST_F(ColumnFiles, StopWithinASegmentThatIsEncoded) {
  std::mt19937 random(5);
  Bytes values(std::size_t{1} << 26);  // seconds for deflate
  for (std::byte& value : values) value = static_cast<std::byte>(random());
  for (const std::string codec : {"deflate", "auto"}) {
    std::stop_source source;
    ColumnOptions options = with_codec(codec, codecs::kMaxListLength);
    if (codec == "auto") options.candidates = {"deflate"};
    options.stop = source.get_token();
    ColumnWriter writer(path(), ValueType::kU8, options);
    writer.append(values);
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      source.request_stop();
    });
    EXPECT_THROW(writer.finish(), CancelledError) << codec;
  }
  EXPECT_TRUE(names_in(directory_.path()).empty());
}

TEST_F(ColumnFiles, StopBetweenPiecesAndBeforeTheFirst) {
  const Bytes values = column(ValueType::kU8, 3'500'000);
  write(ValueType::kU8, values, with_codec("gpu-bp128", 1u << 24));
  const ColumnFile file(path());
  std::stop_source source;
  std::size_t pieces = 0;
  const auto count_and_stop = [&](std::span<const std::byte>) {
    ++pieces;
    source.request_stop();
  };
  EXPECT_THROW(file.decode(0, values.size(), count_and_stop, source.get_token()), CancelledError);
  EXPECT_EQ(pieces, 1u);
  EXPECT_THROW(file.decode(0, values.size(), count_and_stop, source.get_token()), CancelledError);
  EXPECT_EQ(pieces, 1u);
  EXPECT_THROW(file.words(0, source.get_token()), CancelledError);
  EXPECT_THROW(file.verify(source.get_token()), CancelledError);
  file.verify();
}

TEST_F(ColumnFiles, RefuseWhatIsNoFile) {
  EXPECT_THROW(ColumnFile{path()}, IoError);
  EXPECT_THAT([&] { ColumnFile{directory_.path()}; },
              ThrowsMessage<IoError>(HasSubstr("not a regular file")));
}

TEST_F(ColumnFiles, AreSourcesOfSegments) {
  write(ValueType::kI32, column(ValueType::kI32, 2500), with_codec("gpu-dfor"));
  const ColumnFile file(path());
  const ColumnFileSource source(file, 1, 3);
  ASSERT_EQ(source.size(), 2u);
  EXPECT_EQ(source.type(), ValueType::kI32);
  EXPECT_EQ(source.segment(1).count, 500u);
  EXPECT_EQ(source.pinned(0), nullptr);
  std::vector<std::uint32_t> words(source.segment(0).words);
  source.read(0, words);
  words.resize(file.segments()[1].words);
  EXPECT_EQ(words, file.words(1));
}

}  // namespace
}  // namespace gannet::index
