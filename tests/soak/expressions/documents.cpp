#include "tests/soak/expressions/documents.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "codecs/registry.hpp"
#include "index/builder.hpp"
#include "index/fields/field_column.hpp"
#include "tests/support/query/deleted.hpp"

namespace gannet::oracle {
namespace {

/// So many documents have columns of two blocks (index/fields/field_column.hpp).
constexpr std::size_t kSeveralBlocks = index::kFieldBlock + 9000;

/// Makes the documents of one collection.
class RandomDocuments {
 public:
  explicit RandomDocuments(std::mt19937& random) : random_(random) {}

  Collection make() {
    constexpr std::array<std::size_t, 14> kSizes{1,   3,   40,   64,   65,   200,  400,
                                                 700, 900, 1500, 1500, 2500, 4000, 7000};
    constexpr std::array<std::uint32_t, 3> kTexts{1, 2, 4};
    constexpr std::array<Word, 5> kWords{5, 20, 40, 80, 150};
    Collection made;
    made.texts = kTexts[below(kTexts.size())];
    made.words = kWords[below(kWords.size())];
    clustered_ = below(2) == 0;
    complete_ = below(3) == 0;
    lengthy_ = below(4) == 0;
    std::size_t size = kSizes[below(kSizes.size())];
    if (below(60) == 0) size = kSeveralBlocks;
    lengths_ = size == kSeveralBlocks ? 8 : 40;
    for (std::size_t d = 0; d < size; ++d) made.documents.push_back(document(made, d));
    cut(made);
    remove_some(made);
    const auto& codecs = codecs::all_list_codecs();
    if (below(2) == 0) made.codec = std::string(codecs[below(codecs.size())].name);
    return made;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  Word word(const Collection& collection, std::size_t document) {
    const double x = static_cast<double>(below(10'000)) / 10'000;
    const double words = collection.words;
    auto number = static_cast<std::size_t>(x * x * words);
    if (clustered_ && number % 3 == 2) number = (number + document / 150 * 7) % collection.words;
    return static_cast<Word>(number);
  }

  std::vector<Word> text(const Collection& collection, std::size_t document, std::uint32_t text) {
    std::vector<Word> words;
    if (below(text == 0 ? 30 : 4) == 0) return words;
    for (std::size_t n = 1 + below(text == 0 ? lengths_ : 7); n > 0; --n) {
      words.push_back(word(collection, document));
    }
    if (below(40) == 0) words.insert(words.end(), below(lengthy_ ? 3000 : 60), words.back());
    return words;
  }

  Document document(const Collection& collection, std::size_t number) {
    Document made;
    if (number > 0 && below(4) == 0) {  // equal scores
      made = collection.documents[below(number)];
    } else {
      for (std::uint32_t t = 0; t < collection.texts; ++t) {
        made.texts.push_back(text(collection, number, t));
      }
    }
    made.year.reset();
    if (complete_ || below(5) > 0) {
      const std::size_t drift = collection.documents.size() / 100;
      made.year = static_cast<std::int32_t>(below(20) + (clustered_ ? drift : 0));
    }
    made.tags.clear();
    for (char tag = 'a'; tag < 'f'; ++tag) {
      if (below(static_cast<std::size_t>(tag - 'a') * 4 + 2) == 0) made.tags += tag;
    }
    return made;
  }

  void cut(Collection& collection) {
    const std::size_t size = collection.documents.size();
    for (std::size_t more = below(4); more > 0; --more) collection.ends.push_back(1 + below(size));
    collection.ends.push_back(size);
    std::ranges::sort(collection.ends);
    collection.ends.erase(std::unique(collection.ends.begin(), collection.ends.end()),
                          collection.ends.end());
  }

  void remove_some(Collection& collection) {
    constexpr std::array<std::size_t, 4> kPerThousand{0, 0, 15, 400};
    const std::size_t share = kPerThousand[below(kPerThousand.size())];
    const std::size_t size = collection.documents.size();
    const std::size_t from = share == 0 ? size : below(size);
    for (std::size_t d = 0; d < size; ++d) {
      const bool in_run = d >= from && d < from + size / 20;
      collection.documents[d].deleted = in_run || below(1000) < share;
    }
  }

  std::mt19937& random_;
  bool complete_ = false;  ///< each document has a year
  bool clustered_ = false;
  bool lengthy_ = false;
  std::size_t lengths_ = 40;  ///< of main texts
};

std::string words_of(const std::vector<Word>& words) {
  std::string text;
  for (const Word word : words) text += text_of(word) + " ";
  return text;
}

/// Documents [begin, end) of a collection, as the builder reads them.
class Source final : public index::DocumentSource {
 public:
  Source(const Collection& collection, std::size_t begin, std::size_t end)
      : collection_(collection), next_(begin), end_(end) {}

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == end_) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->begin = next_;
    next_ = raw->end = std::min(next_ + 500, end_);
    return raw;
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto batch = std::make_unique<Batch>();
    for (std::size_t d = range.begin; d < range.end; ++d) add(d, *batch);
    return batch;
  }

  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return end_; }

 private:
  struct Range : index::RawBatch {
    std::size_t begin, end;
  };
  struct Batch : index::ParsedBatch {
    std::vector<std::unique_ptr<std::string>> strings;
    std::string_view keep(std::string text) {
      return *strings.emplace_back(std::make_unique<std::string>(std::move(text)));
    }
  };

  void add(std::size_t number, Batch& batch) const {
    const Document& document = collection_.documents[number];
    batch.add(batch.keep("d" + std::to_string(number)),
              batch.keep(words_of(document.texts.front())));
    for (std::uint32_t field = 0; field + 1 < collection_.texts; ++field) {
      if (document.texts[field + 1].empty()) continue;
      batch.add_value(field, batch.keep(words_of(document.texts[field + 1])));
    }
    const std::uint32_t year = collection_.texts - 1;
    if (document.year) batch.add_value(year, batch.keep(std::to_string(*document.year)));
    for (const char tag : document.tags) {
      batch.add_value(year + 1, batch.keep(std::string(1, tag)));
    }
  }

  const Collection& collection_;
  std::size_t next_;
  std::size_t end_;
};

index::Schema schema_of(const Collection& collection) {
  std::vector<index::FieldSpec> fields;
  for (std::uint32_t i = 0; i + 1 < collection.texts; ++i) {
    fields.push_back(
        index::parse_field("f" + std::to_string(i) + ":text" + (i == 0 ? ":weight=2" : "")));
  }
  fields.push_back(index::parse_field("year:i32"));
  fields.push_back(index::parse_field("tag:keyword:multi"));
  return index::Schema(std::move(fields));
}

}  // namespace

Collection random_collection(std::mt19937& random) { return RandomDocuments(random).make(); }

std::string text_of(Word word) { return "w" + std::to_string(word); }

std::string name_of_text(std::uint32_t text) {
  return text == 0 ? "contents" : "f" + std::to_string(text - 1);
}

std::shared_ptr<const index::Index> build(const Collection& collection,
                                          const std::filesystem::path& directory) {
  index::BuildOptions options;
  options.write.schema = schema_of(collection);
  options.write.analyzer.stemmer = "none";
  options.write.docid_codec = &codecs::list_codec_named(collection.codec);
  options.memory = std::uint64_t{256} << 20;
  std::vector<std::shared_ptr<const index::Segment>> segments;
  std::size_t begin = 0;
  for (const std::size_t end : collection.ends) {
    Source source(collection, begin, end);
    const std::filesystem::path part = directory / std::to_string(end);
    index::build_index(source, part, options);
    segments.push_back(index::Index::open(part).segments().front());
    begin = end;
  }
  const index::Index whole(std::move(segments), options.write.analyzer, options.write.defaults,
                           options.write.schema);
  std::vector<bool> gone;
  for (const Document& document : collection.documents) gone.push_back(document.deleted);
  return test::with_deleted(whole, gone);
}

std::string to_string(const Collection& collection, const std::set<Word>& words) {
  std::string text = std::to_string(collection.documents.size()) + " documents, " +
                     std::to_string(collection.texts) + " texts, " + collection.codec +
                     ", segments end at";
  for (const std::size_t end : collection.ends) text += " " + std::to_string(end);
  text += "\n";
  for (std::size_t d = 0; d < collection.documents.size(); ++d) {
    const Document& document = collection.documents[d];
    text += "  " + std::to_string(d) + (document.deleted ? " (deleted)" : "");
    for (std::uint32_t t = 0; t < collection.texts; ++t) {
      std::vector<Word> shown = document.texts[t];
      std::erase_if(shown, [&](Word word) { return !words.contains(word); });
      text += " " + name_of_text(t) + ": " + words_of(shown) + "of " +
              std::to_string(document.texts[t].size()) + ";";
    }
    if (document.year) text += " year: " + std::to_string(*document.year);
    if (!document.tags.empty()) text += " tags: " + document.tags;
    text += "\n";
  }
  return text;
}

}  // namespace gannet::oracle
