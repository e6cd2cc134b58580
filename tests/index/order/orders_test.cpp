// Orders by ids, fields, URLs and lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/order/find_order.hpp"
#include "index/order/keys/url_key.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Key = DocumentOrder::Key;

TEST(DocumentOrder, IsParsed) {
  EXPECT_EQ(parse_order("id").key, Key::kId);
  EXPECT_EQ(parse_order("url").key, Key::kUrl);
  EXPECT_EQ(parse_order("url:link").field, "link");
  EXPECT_EQ(parse_order("bisection").key, Key::kBisection);
  EXPECT_EQ(parse_order("random").seed, 1u);
  EXPECT_EQ(parse_order("random:18446744073709551615").seed, 18446744073709551615u);
  EXPECT_EQ(parse_order("file:a:b").file, "a:b");
  const DocumentOrder year = parse_order("field:year:desc");
  EXPECT_EQ(year.key, Key::kField);
  EXPECT_EQ(year.field, "year");
  EXPECT_TRUE(year.descending);
  EXPECT_FALSE(parse_order("field:year:asc").descending);
  EXPECT_FALSE(parse_order("field:year").descending);
}

TEST(DocumentOrder, RefusesWhatIsNone) {
  for (const char* text : {"", "ID", "id:", "id:x", "bisection:3", "field", "field:", "field::desc",
                           "field:year:down", "url:", "random:", "random:-1", "random:1x",
                           "random:18446744073709551616", "file", "file:", "year"}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { parse_order(text); }),
                HasSubstr("orders are id, field:NAME"))
        << text;
  }
}

TEST(UrlKey, SortsSitesTogether) {
  // Ascending.
  const std::vector<std::string> urls{
      "http://127.0.0.1/z",
      "https://example.com",
      "http://Example.COM/",
      "//user:secret@example.com./a",
      "http://example.com:443/a/b?c",
      "example.com/b#d",
      "http://example.com:8080/a",
      "ftp://docs.example.com/0",
      "http://a.docs.example.com/",
      "http://www.example.com/http://a.org/",
      "http://example-2.com/",
      "http://www.example.de?q=//x",
      "http://localhost/",
      "http://example.org/",
  };
  std::vector<std::string> keys;
  for (const std::string& url : urls) keys.push_back(url_key(url));
  for (std::size_t i = 1; i < keys.size(); ++i) {
    EXPECT_LT(keys[i - 1], keys[i]) << urls[i - 1] << " and " << urls[i];
  }
  EXPECT_EQ(url_key("HTTP://WWW.a.b:80/c"), url_key("https://www.a.b/c"));
  EXPECT_NE(url_key("http://a.b/c"), url_key("http://a.b/C"));
  EXPECT_EQ(url_key("http://[::1]:90/x"), url_key("//[::1]:90/x"));
  EXPECT_NE(url_key("http://[::1]:90/x"), url_key("http://[::1]/x"));
  for (const char* odd : {"", "://", "//", "a:b:c", ".", "http://", "@", "[", "http://..//"}) {
    url_key(odd);  // anything is a URL
  }
}

/// Documents with ids and fields of their own.
struct Row {
  std::string id;
  std::optional<std::string> number, link;
  std::vector<std::string> tags;
};

class RowSource final : public DocumentSource {
 public:
  RowSource(const std::vector<Row>& rows, std::size_t begin, std::size_t end)
      : rows_(rows), begin_(begin), end_(end) {}
  std::unique_ptr<RawBatch> read() override {
    return std::exchange(read_, true) ? nullptr : std::make_unique<RawBatch>();
  }
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch>) const override {
    auto parsed = std::make_unique<ParsedBatch>();
    for (std::size_t i = begin_; i < end_; ++i) {
      parsed->add(rows_[i].id, "text");
      if (rows_[i].number) parsed->add_value(0, *rows_[i].number);
      for (const std::string& tag : rows_[i].tags) parsed->add_value(1, tag);
      if (rows_[i].link) parsed->add_value(2, *rows_[i].link);
      if (rows_[i].link) parsed->add_value(3, *rows_[i].link);
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  const std::vector<Row>& rows_;
  std::size_t begin_, end_;
  bool read_ = false;
};

/// An index of two segments, whose keywords have other numbers in each.
class Orders : public ::testing::Test {
 protected:
  Orders() {
    BuildOptions options;
    options.write.schema =
        Schema({parse_field("n:i32"), parse_field("tags:keyword:multi"),
                parse_field("link:keyword"), parse_field("page:stored"), parse_field("t:text")});
    RowSource first(rows_, 0, 3);
    build_index(first, folder_.path() / "idx", options);
    options.write.append = true;
    RowSource second(rows_, 3, rows_.size());
    build_index(second, folder_.path() / "idx", options);
  }

  /// The ids in an order.
  std::vector<std::string> ids(const DocumentOrder& order, std::uint64_t memory = 1u << 20) const {
    const Index index = Index::open(folder_.path() / "idx");
    std::vector<std::string> ids;
    for (const Docid d : find_order(index, order, {.memory = memory})) {
      ids.push_back(index.document_id(d));
    }
    return ids;
  }
  std::vector<std::string> ids(const std::string& order) const { return ids(parse_order(order)); }

  std::vector<std::string> listed(std::vector<std::string> lines) const {
    DocumentOrder order = parse_order("file:ids.txt");
    order.next_id = [lines, next = std::size_t{0}](std::string& id) mutable {
      if (next == lines.size()) return false;
      id = lines[next++];
      return true;
    };
    return ids(order);
  }

  const std::vector<Row> rows_{
      {"d", "5", "http://www.b.org/x", {"pear", "apple"}},
      {"http-long-id-b", "-7", std::nullopt, {}},
      {"http-long-id-a", std::nullopt, "http://a.org/2", {"fig"}},
      {"c", "5", "http://b.org/", {"apple"}},
      {"z", "100", "http://a.org/1", {"zebra", "fig"}},
      {"a", std::nullopt, "http://a.org/2", {"kiwi"}},
  };
  test::TemporaryDirectory folder_;
};

TEST_F(Orders, ById) {
  EXPECT_THAT(ids("id"), ElementsAre("a", "c", "d", "http-long-id-a", "http-long-id-b", "z"));
}

TEST_F(Orders, ByNumbersWithTheMissingLast) {
  EXPECT_THAT(ids("field:n"), ElementsAre("http-long-id-b", "d", "c", "z", "http-long-id-a", "a"));
  EXPECT_THAT(ids("field:n:desc"),
              ElementsAre("z", "d", "c", "http-long-id-b", "http-long-id-a", "a"));
}

TEST_F(Orders, ByTheLeastOrTheGreatestOfSeveralKeywords) {
  EXPECT_THAT(ids("field:tags"),
              ElementsAre("d", "c", "http-long-id-a", "z", "a", "http-long-id-b"));
  EXPECT_THAT(ids("field:tags:desc"),
              ElementsAre("z", "d", "a", "http-long-id-a", "c", "http-long-id-b"));
}

TEST_F(Orders, ByUrl) {
  for (const char* order : {"url:link", "url:page"}) {
    EXPECT_THAT(ids(order), ElementsAre("z", "http-long-id-a", "a", "c", "d", "http-long-id-b"));
  }
  EXPECT_THAT(ids("url"), ElementsAre("a", "c", "d", "http-long-id-a", "http-long-id-b", "z"));
}

TEST_F(Orders, AtRandomIsAPermutationOfTheSeed) {
  EXPECT_EQ(ids("random:4"), ids("random:4"));
  EXPECT_NE(ids("random:4"), ids("random:5"));
  auto sorted = ids("random:4");
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, ids("id"));
}

TEST_F(Orders, AsListed) {
  const std::vector<std::string> order{"z", "a", "http-long-id-b", "d", "http-long-id-a", "c"};
  EXPECT_EQ(listed(order), order);
  EXPECT_EQ(listed({"z", "", "a", "http-long-id-b", "d", "http-long-id-a", "c", ""}), order);
}

TEST_F(Orders, RefusesListsThatAreNotAllDocuments) {
  const auto problem = [&](const std::vector<std::string>& lines) {
    return test::message_of<InputError>([&] { listed(lines); });
  };
  EXPECT_EQ(problem({"z", "x"}), "ids.txt: id 2, 'x', is no document's");
  EXPECT_EQ(problem({"z", "a", "z"}), "ids.txt: id 3, 'z', was there before");
  EXPECT_EQ(problem({"z", "d", "a"}),
            "ids.txt: 3 of 6 documents are not listed; the first is 'http-long-id-b'");
  EXPECT_THROW(ids(parse_order("file:ids.txt")), UsageError) << "without the list";
}

TEST_F(Orders, RefusesFieldsThatHaveNoOrder) {
  const auto problem = [&](const std::string& order) {
    return test::message_of<UsageError>([&] { ids(order); });
  };
  EXPECT_THAT(problem("field:no"), HasSubstr("there are n, tags, link"));
  EXPECT_THAT(problem("field:page"), HasSubstr("'page' is stored"));
  EXPECT_THAT(problem("field:t"), HasSubstr("'t' is a text"));
  EXPECT_THAT(problem("url:n"), HasSubstr("'n' cannot have URLs"));
  EXPECT_THAT(problem("url:no"), HasSubstr("there is no field 'no'"));
}

TEST_F(Orders, RefusesToTakeMoreThanItsMemory) {
  for (const char* order : {"id", "url", "field:n", "field:tags"}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { ids(parse_order(order), 100); }),
                HasSubstr("memory budget"))
        << order;
  }
}

}  // namespace
}  // namespace gannet::index
