// The container of all binary files: what it keeps, and what it refuses.
#include "index/files/container/container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "index/files/container/container_layout.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::names_in;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr FileKind kKind{Tag("TEST"), "test"};
constexpr Tag kNumbers{"NUMS"};
constexpr Tag kLetters{"LETT"};
constexpr std::array kKnown{kNumbers, kLetters};

class Container : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.path() / "file.test"; }

  FileSummary write(std::uint32_t extra_flags = 0, bool extra = false) {
    ContainerWriter writer(path(), kKind);
    const std::vector<std::uint32_t> numbers{1, 2, 3};
    writer.write_section(kNumbers, std::span<const std::uint32_t>(numbers));
    if (extra) {
      writer.begin_section(Tag("NEWS"), extra_flags);
      writer.append(bytes_of(std::string_view("news")));
      writer.end_section();
    }
    writer.write_section(kLetters, std::span<const char>("abc", 3));
    const FileSummary summary = writer.finish();
    writer.publish();
    return summary;
  }

  /// Writes a good file, changes header, table or footer, and makes all checksums right again.
  template <class F>
  void write_changed(F&& change) {
    write();
    std::string bytes = read_file(path());
    ContainerHeader header;
    ContainerFooter footer;
    std::array<SectionRow, 2> table;
    const std::size_t footer_at = bytes.size() - sizeof footer;
    const std::size_t table_at = footer_at - sizeof table;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::memcpy(&table, bytes.data() + table_at, sizeof table);
    std::memcpy(&footer, bytes.data() + footer_at, sizeof footer);
    const std::uint64_t table_checksum = footer.table_checksum;
    change(header, table, footer);
    header.checksum = checksum_before_last(header);
    footer.header_checksum = header.checksum;
    if (footer.table_checksum == table_checksum) {
      footer.table_checksum = xxh3(bytes_of(std::span<const SectionRow>(table)));
    }
    footer.checksum = checksum_before_last(footer);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + table_at, &table, sizeof table);
    std::memcpy(bytes.data() + footer_at, &footer, sizeof footer);
    write_file(path(), bytes);
  }

  void expect_refused(const std::string& why) {
    EXPECT_THAT([&] { ContainerReader(path(), kKind, kKnown); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr(why), HasSubstr("file.test"))));
  }

  TemporaryDirectory directory_;
};

TEST_F(Container, KeepsItsSections) {
  const FileSummary summary = write();
  const ContainerReader file(path(), kKind, kKnown);
  const auto numbers = file.section<std::uint32_t>(kNumbers);
  EXPECT_EQ(std::vector<std::uint32_t>(numbers.begin(), numbers.end()),
            (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(file.section<char>(kLetters, 3)[2], 'c');
  EXPECT_TRUE(file.padding_is_zero());
  EXPECT_EQ(file.bytes().size(), summary.length);
  EXPECT_EQ(xxh3(file.bytes()), summary.checksum);
  EXPECT_EQ(file.footer_checksum(), summary.footer);
  for (const SectionRow& row : file.sections()) {
    EXPECT_EQ(row.offset % 64, 0u);
    EXPECT_EQ(xxh3(file.content(row)), row.checksum);
  }
}

TEST_F(Container, HasNoNameBeforeItIsPublished) {
  {
    ContainerWriter writer(path(), kKind);
    writer.finish();
    const std::set<std::string> names = names_in(directory_.path());
    ASSERT_EQ(names.size(), 1u);
    EXPECT_EQ(target_of_temporary(*names.begin()), "file.test");
  }
  EXPECT_TRUE(names_in(directory_.path()).empty());
}

TEST_F(Container, EmptyFilesAndEmptySections) {
  ContainerWriter writer(path(), kKind);
  writer.write_section(kNumbers, std::span<const std::uint32_t>());
  writer.finish();
  writer.publish();
  const ContainerReader file(path(), kKind, kKnown);
  EXPECT_EQ(file.section<std::uint32_t>(kNumbers).size(), 0u);
  EXPECT_FALSE(file.has(kLetters));
}

TEST_F(Container, RefusesMissingAndOddSections) {
  write();
  const ContainerReader file(path(), kKind, kKnown);
  EXPECT_THAT([&] { file.section<char>(Tag("NONE")); },
              ThrowsMessage<FormatError>(HasSubstr("'NONE' is missing")));
  EXPECT_THAT([&] { file.section<std::uint64_t>(kNumbers); },
              ThrowsMessage<FormatError>(HasSubstr("no multiple of 8")));
  EXPECT_THAT([&] { file.section<std::uint32_t>(kNumbers, 4); },
              ThrowsMessage<FormatError>(HasSubstr("3 entries instead of 4")));
}

TEST_F(Container, IgnoresUnknownSectionsUnlessRequired) {
  write(0, true);
  const ContainerReader file(path(), kKind, kKnown);
  EXPECT_EQ(file.sections().size(), 3u);
  EXPECT_EQ(file.section<char>(kLetters)[0], 'a');
  write(SectionRow::kRequired, true);
  EXPECT_THAT([&] { ContainerReader(path(), kKind, kKnown); },
              ThrowsMessage<VersionError>(HasSubstr("'NEWS'")));
}

TEST_F(Container, RefusesAnotherKindAndMagic) {
  write();
  EXPECT_THAT([&] { ContainerReader(path(), kLexiconFile, kKnown); },
              ThrowsMessage<FormatError>(HasSubstr("'TEST', not 'LEXI'")));
  write_changed([](auto& header, auto&, auto&) { header.magic[0] = 'X'; });
  expect_refused("not a file of a Gannet index");
  write_changed([](auto&, auto&, auto& footer) { footer.magic[0] = 'Y'; });
  expect_refused("footer");
}

TEST_F(Container, NamesBothVersions) {
  write_changed([](auto& header, auto&, auto&) { header.version = 7; });
  EXPECT_THAT([&] { ContainerReader(path(), kKind, kKnown); },
              ThrowsMessage<VersionError>(AllOf(HasSubstr("version 7"), HasSubstr("version 2"))));
  write_changed([](auto& header, auto&, auto&) { header.version = 1; });
  EXPECT_THAT([&] { ContainerReader(path(), kKind); },
              ThrowsMessage<VersionError>(HasSubstr("older format")));
  write_changed([](auto& header, auto&, auto&) { header.version = 0; });
  expect_refused("version 0");
}

TEST_F(Container, RefusesHostileTables) {
  const std::uint64_t huge = ~std::uint64_t{0};
  const auto table_with = [&](auto change) {
    write_changed([&](auto&, auto& table, auto&) { change(table); });
  };
  table_with([](auto& table) { table[0].offset = 0; });
  expect_refused("'NUMS' is out of bounds");
  table_with([&](auto& table) { table[1].offset = huge; });
  expect_refused("'LETT' is out of bounds");
  table_with([&](auto& table) { table[1].length = huge; });
  expect_refused("'LETT' is out of bounds");
  table_with([&](auto& table) { table[0].length = huge - 63; });
  expect_refused("'NUMS' is out of bounds");
  table_with([](auto& table) { table[0].length = 100; });
  expect_refused("'LETT' is out of bounds");
  table_with([](auto& table) { std::swap(table[0], table[1]); });
  expect_refused("out of bounds");
  table_with([](auto& table) { table[1].id = table[0].id; });
  expect_refused("'NUMS' is there twice");
  table_with([](auto& table) { table[1].length = 129; });
  expect_refused("out of bounds");
}

TEST_F(Container, RefusesHostileFooters) {
  const auto footer_with = [&](auto change) {
    write_changed([&](auto&, auto&, auto& footer) { change(footer); });
  };
  footer_with([](auto& footer) { footer.sections = 1; });
  expect_refused("table is out of bounds");
  footer_with([](auto& footer) { footer.sections = 0xffffffff; });
  expect_refused("too many sections");
  footer_with([](auto& footer) { footer.table_offset = ~std::uint64_t{0}; });
  expect_refused("table is out of bounds");
  footer_with([](auto& footer) { footer.table_offset = 0; });
  expect_refused("table is out of bounds");
  footer_with([](auto& footer) { footer.file_length += 1; });
  expect_refused("its footer says");
  footer_with([](auto& footer) { footer.table_checksum ^= 1; });
  expect_refused("table's checksum");
}

TEST_F(Container, RefusesEveryTruncationAndFlip) {
  write();
  const std::string good = read_file(path());
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_file(path(), good.substr(0, size));
    EXPECT_THROW(ContainerReader(path(), kKind, kKnown), FormatError) << size;
  }
  write_file(path(), good + '\0');
  EXPECT_THROW(ContainerReader(path(), kKind, kKnown), FormatError);
  const std::size_t sections_end = good.size() - sizeof(ContainerFooter) - 2 * sizeof(SectionRow);
  for (std::size_t at = 0; at < good.size(); ++at) {
    if (at == sizeof(ContainerHeader)) at = sections_end;  // content is left to verify
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_file(path(), bad);
    EXPECT_THROW(ContainerReader(path(), kKind, kKnown), FormatError) << at;
  }
}

/// Both sections are in one block: whose bytes are damaged, their own checksums say.
TEST_F(Container, ChecksWhatIsUsedAndNamesTheSection) {
  write();
  std::string bytes = read_file(path());
  bytes[64] ^= 1;  // the first of NUMS
  write_file(path(), bytes);
  const ContainerReader file(path(), kKind, kKnown);
  for (int use = 0; use < 2; ++use) {
    EXPECT_THAT([&] { file.check(file.section<std::uint32_t>(kNumbers)); },
                ThrowsMessage<DamageError>(AllOf(HasSubstr("section 'NUMS'"),
                                                 HasSubstr("file.test"), HasSubstr("repair"))));
    EXPECT_NO_THROW(file.check(file.section<char>(kLetters)));
  }
}

TEST_F(Container, ChecksumsOfBlocksThatAreDamagedLeaveTheSections) {
  write();
  std::string bytes = read_file(path());
  bytes[192] ^= 1;  // the sections end at 131
  write_file(path(), bytes);
  const ContainerReader file(path(), kKind, kKnown);
  EXPECT_FALSE(file.blocks()->checksums_are_sound());
  EXPECT_NO_THROW(file.check(file.section<std::uint32_t>(kNumbers)));
  EXPECT_NO_THROW(file.check(file.section<char>(kLetters)));
}

TEST_F(Container, HashesBlocksOfManySizesAsTheyAreWritten) {
  std::vector<char> letters(3 * kFileBlock + 100, 'x');
  ContainerWriter writer(path(), kKind);
  writer.begin_section(kLetters);
  for (std::size_t at = 0, size = 1; at < letters.size(); at += size, size = size * 3 + 1) {
    size = std::min(size, letters.size() - at);
    writer.append(std::as_bytes(std::span(letters).subspan(at, size)));
  }
  writer.end_section();
  writer.finish();
  writer.publish();
  const ContainerReader file(path(), kKind, kKnown);
  EXPECT_FALSE(file.blocks()->are_known(file.section<char>(kLetters)));
  EXPECT_NO_THROW(file.check(file.section<char>(kLetters)));
  EXPECT_TRUE(file.blocks()->are_known(file.section<char>(kLetters)));
}

TEST_F(Container, RefusesWhatIsNoFile) {
  EXPECT_THROW(ContainerReader(path(), kKind, kKnown), IoError);
  EXPECT_THAT([&] { ContainerReader(directory_.path(), kKind, kKnown); },
              ThrowsMessage<IoError>(HasSubstr("not a regular file")));
}

TEST(Checksum, IsXxh3) {
  // The test vectors of the XXH3 specification for no bytes, and for "abc" from `xxhsum -H3`.
  EXPECT_EQ(to_hex(xxh3({})), "2d06800538d394c2");
  EXPECT_EQ(to_hex(xxh3(bytes_of(std::string_view("abc")))), "78af5f94892f3950");
  Hasher pieces;
  pieces.update(bytes_of(std::string_view("a")));
  pieces.update(bytes_of(std::string_view("bc")));
  EXPECT_EQ(to_hex(pieces.digest()), "78af5f94892f3950");
  EXPECT_EQ(from_hex("78af5f94892f3950"), 0x78af5f94892f3950u);
  for (const char* bad :
       {"", "78af5f94892f395", "78AF5f94892f3950", "78af5f94892f395 ", "-8af5f94892f3950"}) {
    EXPECT_EQ(from_hex(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace gannet::index
