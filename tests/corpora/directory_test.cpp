// Folders as input: text and HTML, what is passed over, links, and files that cannot be read.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/corpora/web_archives.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::bzip2;
using test::Documents;
using test::gzip;
using test::message_of;
using test::read_all;
using test::TemporaryDirectory;
using test::zstd;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

ReaderOptions skipping_bad_files() {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  return options;
}

/// Folders in each other, the innermost of which has a path that is longer than paths may be: also
/// root cannot read it.
class DeepFolder {
 public:
  explicit DeepFolder(const std::filesystem::path& around) {
    folders_.push_back(::open(around.c_str(), O_RDONLY | O_DIRECTORY));
    for (int i = 0; i < kDepth; ++i) {
      EXPECT_EQ(::mkdirat(folders_.back(), name_.c_str(), 0700), 0);
      folders_.push_back(::openat(folders_.back(), name_.c_str(), O_RDONLY | O_DIRECTORY));
    }
  }
  ~DeepFolder() {
    for (; !folders_.empty(); folders_.pop_back()) {
      if (static_cast<int>(folders_.size()) <= kDepth) {
        ::unlinkat(folders_.back(), name_.c_str(), AT_REMOVEDIR);
      }
      ::close(folders_.back());
    }
  }
  DeepFolder(const DeepFolder&) = delete;
  DeepFolder& operator=(const DeepFolder&) = delete;

 private:
  static constexpr int kDepth = 21;
  std::string name_ = std::string(200, 'x');
  std::vector<int> folders_;
};

class Directory : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
};

TEST_F(Directory, ReadsTextAndHtmlSortedByPath) {
  directory_.write("docs/b.txt", "bee");
  directory_.write("docs/a/z.MD", "# zed");
  directory_.write("docs/a/page.html",
                   "<title>T&amp;t</title><p>one<b>two</b><p>three<script>no()</script>");
  directory_.write("docs/image.png", "\x89PNG");
  directory_.write("docs/.git/config.txt", "hidden");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  EXPECT_THAT(documents.all, ElementsAre(Pair("a/page.html", "T&t\nonetwo\nthree"),
                                         Pair("a/z.MD", "# zed"), Pair("b.txt", "bee")));
  EXPECT_EQ(documents.skipped, 0u);
}

TEST_F(Directory, WhatIsPassedOverIsNamedAndCountedApart) {
  directory_.write("docs/b.txt", "bee");
  directory_.write("docs/report.pdf", "%PDF");
  directory_.write("docs/sub/image.PNG", "\x89PNG");
  std::filesystem::create_symlink("nowhere", directory_ / "docs/broken.txt");
  std::filesystem::create_symlink("self", directory_ / "docs/self");
  ASSERT_EQ(::mkfifo((directory_ / "docs/pipe.txt").c_str(), 0600), 0);
  ReaderOptions options;
  std::vector<std::string> told;
  options.on_passed_over = [&](std::string_view what) { told.emplace_back(what); };
  options.on_left_out = [&](const std::filesystem::path& file) { told.push_back(file.string()); };
  const auto source =
      corpora::open_documents(DocumentFormat::kDirectory, {directory_ / "docs"}, options);
  std::uint64_t left_out = 0;
  while (auto raw = source->read()) {
    const auto batch = source->parse(std::move(raw));
    left_out += batch->left_out;
    EXPECT_EQ(batch->skipped, 0u);
  }
  EXPECT_EQ(left_out, 2u);
  const std::string docs = (directory_ / "docs/").string();
  EXPECT_THAT(told, UnorderedElementsAre(docs + "report.pdf", docs + "sub/image.PNG",
                                         docs + "broken.txt: a link that leads nowhere",
                                         docs + "self: a link that leads nowhere",
                                         docs + "pipe.txt: no regular file"));
}

TEST_F(Directory, LinksAreFollowedOnce) {
  directory_.write("elsewhere/c.txt", "3");
  directory_.write("elsewhere/deep/d.txt", "4");
  directory_.write("docs/a/a.txt", "1");
  std::filesystem::create_directory_symlink(directory_ / "docs", directory_ / "docs/a/loop");
  std::filesystem::create_directory_symlink("a", directory_ / "docs/0");
  std::filesystem::create_directory_symlink(directory_ / "elsewhere", directory_ / "docs/e");
  std::filesystem::create_directory_symlink(directory_ / "elsewhere/deep", directory_ / "docs/f");
  std::filesystem::create_directory_symlink(directory_ / "docs", directory_ / "elsewhere/up");
  std::filesystem::create_symlink(directory_ / "docs/a/a.txt", directory_ / "docs/file.txt");
  std::filesystem::create_directory_symlink("..", directory_ / "docs/around");
  ReaderOptions options;
  std::vector<std::string> told;
  options.on_passed_over = [&](std::string_view what) { told.emplace_back(what); };
  EXPECT_THAT(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options).all,
              ElementsAre(Pair("a/a.txt", "1"), Pair("e/c.txt", "3"), Pair("e/deep/d.txt", "4"),
                          Pair("file.txt", "1")));
  ASSERT_EQ(told.size(), 5u);
  for (const std::string& what : told) {
    const bool around = what.find("docs/around") != std::string::npos;
    EXPECT_THAT(what, HasSubstr(around ? "a link to a folder around the input"
                                       : "a link to a folder that is read already"));
  }
  // Other formats too.
  EXPECT_THAT(corpora::input_files({directory_ / "docs"}).size(), 4u);
}

TEST_F(Directory, TextIsDecoded) {
  directory_.write("docs/a.txt", std::string("\xFF\xFE"
                                             "h\0i\0",
                                             6));
  directory_.write("docs/b.txt", std::string("\0h\0i\0 \0y\0o\0u", 12));
  directory_.write("docs/c.txt",
                   "\xEF\xBB\xBF"
                   "caf\u00E9");
  directory_.write("docs/d.txt", "\xD5");
  directory_.write("docs/e.html", "\xEF\xBB\xBF<meta charset=koi8-r>caf\u00E9");
  ReaderOptions options;
  EXPECT_THAT(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options).all,
              ElementsAre(Pair("a.txt", "hi"), Pair("b.txt", "hi you"), Pair("c.txt", "caf\u00E9"),
                          Pair("d.txt", "\u00D5"), Pair("e.html", "caf\u00E9")));
  options.encoding = "koi8-r";
  EXPECT_EQ(
      read_all(DocumentFormat::kDirectory, {directory_ / "docs/d.txt"}, options).all[0].second,
      "\u0443");
}

TEST_F(Directory, OneBadFileIsSkippedByItsName) {
  directory_.write("docs/a.txt", "one");
  const std::string packed = gzip(std::string(100'000, 'x') + "end");
  directory_.write("docs/b.txt.gz", packed.substr(0, packed.size() - 9));
  directory_.write("docs/c.txt", "three");
  // A folder that cannot be opened: its path is longer than paths may be.
  const DeepFolder deep(directory_ / "docs");
  const auto stop = [&] { read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, {}); };
  EXPECT_THAT(message_of<IoError>(stop), HasSubstr("cannot be read: File name too long"));
  ReaderOptions options = skipping_bad_files();
  std::vector<std::string> told;
  options.on_skipped = [&](std::string_view what) { told.emplace_back(what); };
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options);
  EXPECT_THAT(documents.ids(), ElementsAre("a.txt", "c.txt"));
  EXPECT_EQ(documents.skipped, 2u);
  EXPECT_THAT(told, UnorderedElementsAre(AllOf(HasSubstr("b.txt.gz"), HasSubstr("ends too early")),
                                         HasSubstr("File name too long")));
}

TEST_F(Directory, IdsNameTheInputWhereThereAreSeveral) {
  directory_.write("x/a.txt", "1");
  directory_.write("y/a.txt", "2");
  directory_.write("z.log", "3");
  const Documents documents = read_all(DocumentFormat::kDirectory,
                                       {directory_ / "y/", directory_ / "x", directory_ / "z.log"});
  EXPECT_THAT(documents.ids(), ElementsAre("y/a.txt", "x/a.txt", "z.log"));
}

TEST_F(Directory, ReadsCompressedAndInvalidFiles) {
  directory_.write("docs/a.txt.gz", gzip("packed"));
  directory_.write("docs/b.html.zst", zstd("<p>page"));
  directory_.write("docs/c.txt", "caf\xe9 \xff");
  directory_.write("docs/d.txt", "");
  directory_.write("docs/e.htm.bz2", bzip2("<p>block"));
  EXPECT_THAT(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}).all,
              ElementsAre(Pair("a.txt.gz", "packed"), Pair("b.html.zst", "page"),
                          Pair("c.txt", "caf\u00E9 \u00FF"), Pair("d.txt", ""),
                          Pair("e.htm.bz2", "block")));
}

TEST_F(Directory, TakesTheExtensionsGiven) {
  directory_.write("docs/a.txt", "1");
  directory_.write("docs/b.rst", "2");
  ReaderOptions options;
  options.extensions = {".rst"};
  EXPECT_THAT(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options).ids(),
              ElementsAre("b.rst"));
  options.extensions = {".adoc"};
  const auto none = [&] { read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options); };
  EXPECT_THAT(message_of<UsageError>(none), HasSubstr(".adoc"));
}

TEST_F(Directory, RefusesFilesBeyondTheLimit) {
  directory_.write("docs/a.txt", std::string(10'000, 'x'));
  ReaderOptions options;
  options.max_record_bytes = 9'999;
  EXPECT_THROW(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options), InputError);
}

TEST_F(Directory, SurvivesDeepAndBrokenHtml) {
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "<div>";
  directory_.write("docs/deep.html", deep + "bottom");
  directory_.write("docs/broken.html", "<p <b>x</i></table><td>y&nosuch; &#0; \xff<");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  ASSERT_EQ(documents.all.size(), 2u);
  EXPECT_THAT(documents.all[1].second, HasSubstr("bottom"));
}

TEST_F(Directory, SeparatesBlocksAndJoinsInlineElements) {
  directory_.write("docs/a.html",
                   "<html><head><style>p{}</style></head><body><h1>Head</h1><ul><li>a<li>b</ul>"
                   "<table><tr><td>c<td>d</table>e<br>f <!-- no --> H<sub>2</sub>O</body></html>");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  EXPECT_EQ(documents.all[0].second, "Head\na\nb\nc\nd\ne\nf  H2O");
}

using BadFiles = Directory;

TEST_F(BadFiles, WhatCameBeforeTheDamageIsKeptAtEveryBatchSize) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) {
    lines += "{\"id\":\"" + std::to_string(i * 7919 % 100'003) + "\",\"contents\":\"w" +
             std::to_string(i * i) + "\"}\n";
  }
  struct Case {
    std::string name, bytes, problem;
  };
  const std::string packed = gzip(lines);
  std::string flipped = packed;
  flipped[flipped.size() - 6] = static_cast<char>(flipped[flipped.size() - 6] ^ 1);  // the checksum
  const std::string zstd_bytes = zstd(lines);
  const std::string bzip2_bytes = bzip2(lines);
  for (const Case& c :
       {Case{"cut.gz", packed.substr(0, packed.size() / 2), "ends too early"},
        {"flipped.gz", flipped, "damaged gzip data"},
        {"cut.zst", zstd_bytes.substr(0, zstd_bytes.size() / 2), "ends too early"},
        {"cut.bz2", bzip2_bytes.substr(0, bzip2_bytes.size() / 2), "ends too early"},
        {"tail.gz", packed + "x", "other bytes follow"}}) {
    const auto path = directory_.write("docs/" + c.name, c.bytes);
    const auto good = directory_.write("docs/z.jsonl", "{\"id\":\"last\",\"contents\":\"\"}\n");
    EXPECT_THAT(message_of<FormatError>([&] { read_all(DocumentFormat::kJsonl, {path}); }),
                AllOf(HasSubstr(c.name), HasSubstr(c.problem)));
    Documents first;
    for (const std::size_t batch : {std::size_t{1} << 20, std::size_t{999}, std::size_t{70'000}}) {
      ReaderOptions options = skipping_bad_files();
      options.batch_bytes = batch;
      std::vector<std::string> told;
      options.on_skipped = [&](std::string_view what) { told.emplace_back(what); };
      const Documents documents = read_all(DocumentFormat::kJsonl, {path, good}, options);
      EXPECT_EQ(documents.skipped, 1u) << c.name << batch;
      EXPECT_THAT(told, ElementsAre(AllOf(HasSubstr(c.name), HasSubstr(c.problem))));
      ASSERT_FALSE(documents.all.empty());
      EXPECT_EQ(documents.all.back().first, "last");
      // Of a record that is cut in two there is nothing.
      for (std::size_t i = 0; i + 1 < documents.all.size(); ++i) {
        ASSERT_EQ(documents.all[i].second, "w" + std::to_string(i * i)) << c.name;
      }
      if (first.all.empty()) first = documents;
      EXPECT_EQ(documents, first) << c.name << batch;
    }
    EXPECT_GT(first.all.size(), c.name == "cut.bz2" ? 0u : 5'000u) << c.name;
  }
}

TEST_F(BadFiles, AnArchiveThatBreaksOffIsSkippedFromThere) {
  std::string records;
  for (int i = 0; i < 2'000; ++i) {
    records += test::warc_page(
        std::to_string(i), test::http_response("<p>w" + std::to_string(i * i), test::kHtmlType));
  }
  const std::string packed = gzip(records);
  const auto cut = directory_.write("a.warc.gz", packed.substr(0, packed.size() / 2));
  const auto good = directory_.write(
      "b.warc", test::warc_page("last", test::http_response("<p>x", test::kHtmlType)));
  EXPECT_THAT(message_of<FormatError>([&] {
                read_all(DocumentFormat::kWarc, {cut, good});
              }),
              HasSubstr("ends too early"));
  std::vector<std::string> told;
  ReaderOptions options = skipping_bad_files();
  options.on_skipped = [&](std::string_view what) { told.emplace_back(what); };
  const Documents documents = read_all(DocumentFormat::kWarc, {cut, good}, options);
  EXPECT_EQ(documents.skipped, 1u);
  EXPECT_THAT(told, ElementsAre(AllOf(HasSubstr("a.warc.gz"), HasSubstr("ends too early"))));
  EXPECT_GT(documents.all.size(), 500u);
  EXPECT_EQ(documents.all.back().first, "urn:uuid:last");
}

}  // namespace
}  // namespace gannet
