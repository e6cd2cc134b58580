// The table of options: what rows allow, what they say, and that their names are those of the
// library.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/evaluation/trec_run.hpp"
#include "corpora/synthetic/synthetic.hpp"
#include "corpora/topics/topics.hpp"
#include "index/builder.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tools/measure/decode.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/options/table/measuring.hpp"
#include "tools/options/table/option.hpp"

namespace gannet::test {
namespace {

using namespace tools;  // NOLINT(google-build-using-namespace)

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

constexpr std::string_view kSizes[] = {"small", "large"};
constexpr Option kRows[]{
    {"size", Choice{options::names_in<kSizes>}, {"small"}, "one of {}"},
    {"sizes", Choice{options::names_in<kSizes>, true}, kNone, R"(some,
        with commas)"},
    {"count", Whole{1, 9}, {"3"}, "how many"},
    {"share", Real{0, 1}, {"0.5"}, "how much"},
    {"limit", Size{}, kNone, "bytes"},
    {"name", Text{}, kNone, "what it is called"},
    {"words", Texts{}, kNone, "texts"},
};
enum class Sized { kSmall, kLarge };

OptionSet parsed(const std::vector<std::string>& words) {
  OptionSet set({"gannet test", "", ""});
  set.add(kRows);
  EXPECT_TRUE(set.parse(words));
  return set;
}

std::string message(const std::vector<std::string>& words) {
  try {
    parsed(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionTable, ValuesAreThoseOfTheRows) {
  const OptionSet none = parsed({});
  EXPECT_EQ(none.choice<Sized>("size"), Sized::kSmall);
  EXPECT_EQ(none.get<unsigned>("count"), 3u);
  EXPECT_EQ(none.get<float>("share"), 0.5f);
  EXPECT_FALSE(none.has("limit"));
  EXPECT_EQ(none.get<std::string>("name"), "");
  EXPECT_TRUE(none.get<std::vector<std::string>>("words").empty());
  const OptionSet some = parsed({"--size", "large", "--sizes", "large, small", "--count", "9",
                                 "--share=1", "--limit", "2K", "--words", "a", "--words", "b"});
  EXPECT_EQ(some.choice<Sized>("size"), Sized::kLarge);
  EXPECT_THAT(some.choices<Sized>("sizes"), ElementsAre(Sized::kLarge, Sized::kSmall));
  EXPECT_EQ(some.get<int>("count"), 9);
  EXPECT_EQ(some.get<double>("share"), 1.0);
  EXPECT_EQ(some.get<std::uint64_t>("limit"), 2048u);
  EXPECT_THAT(some.get<std::vector<std::string>>("words"), ElementsAre("a", "b"));
}

TEST(OptionTable, AnErrorNamesOptionValueAndWhatIsAllowed) {
  EXPECT_THAT(message({"--size", "lrage"}),
              StrEq("--size: 'lrage' is none of small, large (did you mean 'large'?)"));
  EXPECT_THAT(message({"--sizes", "small,big"}), StrEq("--sizes: 'big' is none of small, large"));
  EXPECT_THAT(message({"--sizes", ","}), StrEq("--sizes: none of small, large is named"));
  for (const std::string wrong : {"0", "10", "-1", "1.5", " 3", "three"}) {
    EXPECT_EQ(message({"--count=" + wrong}),
              "--count: '" + wrong + "' is no whole number from 1 to 9");
  }
  for (const std::string wrong : {"1.1", "-0.1", "nan", "inf", "0x1"}) {
    EXPECT_EQ(message({"--share=" + wrong}), "--share: '" + wrong + "' is no number from 0 to 1");
  }
  EXPECT_THAT(message({"--limit", "2X"}),
              StrEq("--limit: '2X' is not a size (such as 512M or 2G)"));
}

TEST(OptionTable, SentencesAreFilledAndUnbroken) {
  EXPECT_EQ(sentence_of(kRows[0]), "one of small, large");
  EXPECT_EQ(sentence_of(kRows[1]), "some, with commas");
  EXPECT_EQ(range_of(Option{"a", Whole{2, 4}, kNone, ""}), "2 to 4");
  EXPECT_EQ(range_of(Option{"a", Real{}, kNone, ""}), "0 on");
}

/// Names of enumerations stand in the order of the values.
template <class Enum>
bool is_name(const auto& names, Enum value, std::string_view name) {
  return names[static_cast<std::size_t>(value)] == name;
}

TEST(OptionTable, NamesAreInTheOrderOfTheirEnumerations) {
  using namespace options;
  EXPECT_TRUE(is_name(kOnErrorNames, corpora::Malformed::kStop, "stop"));
  EXPECT_TRUE(is_name(kOnErrorNames, corpora::Malformed::kSkip, "skip"));
  EXPECT_TRUE(is_name(kPageIdsNames, corpora::PageIds::kAutomatic, "auto"));
  EXPECT_TRUE(is_name(kPageIdsNames, corpora::PageIds::kRecord, "record"));
  EXPECT_TRUE(is_name(kPageIdsNames, corpora::PageIds::kUrl, "url"));
  EXPECT_TRUE(is_name(kPageIdsNames, corpora::PageIds::kTitle, "title"));
  EXPECT_TRUE(is_name(kTopicFormatNames, corpora::TopicFormat::kAuto, "auto"));
  EXPECT_TRUE(is_name(kTopicFormatNames, corpora::TopicFormat::kTsv, "tsv"));
  EXPECT_TRUE(is_name(kTopicFormatNames, corpora::TopicFormat::kColon, "colon"));
  EXPECT_TRUE(is_name(kTopicFormatNames, corpora::TopicFormat::kJson, "json"));
  EXPECT_TRUE(is_name(kTopicFormatNames, corpora::TopicFormat::kTrec, "trec"));
  EXPECT_TRUE(is_name(kRunFormatNames, corpora::RunLayout::kTrec, "trec"));
  EXPECT_TRUE(is_name(kRunFormatNames, corpora::RunLayout::kMsMarco, "msmarco"));
  EXPECT_TRUE(is_name(kTiesNames, corpora::TieOrder::kDocument, "trec_eval"));
  EXPECT_TRUE(is_name(kTiesNames, corpora::TieOrder::kRank, "rank"));
  EXPECT_TRUE(is_name(kHighlightNames, Highlight::kText, "text"));
  EXPECT_TRUE(is_name(kHighlightNames, Highlight::kHtml, "html"));
  EXPECT_TRUE(is_name(kHighlightNames, Highlight::kAnsi, "ansi"));
  EXPECT_TRUE(is_name(kHighlightNames, Highlight::kNone, "none"));
  EXPECT_TRUE(is_name(kWantNames, query::Want::kTopK, "topk"));
  EXPECT_TRUE(is_name(kWantNames, query::Want::kCount, "count"));
  EXPECT_TRUE(is_name(kWantNames, query::Want::kDocids, "docids"));
  EXPECT_TRUE(is_name(query::kModeNames, query::Mode::kOr, "or"));
  EXPECT_TRUE(is_name(query::kModeNames, query::Mode::kAnd, "and"));
  EXPECT_TRUE(is_name(query::kBackendNames, query::BackendChoice::kAuto, "auto"));
  EXPECT_TRUE(is_name(query::kBackendNames, query::BackendChoice::kCpu, "cpu"));
  EXPECT_TRUE(is_name(query::kBackendNames, query::BackendChoice::kCuda, "cuda"));
  EXPECT_TRUE(is_name(query::kSpreadNames, query::Spread::kAuto, "auto"));
  EXPECT_TRUE(is_name(query::kSpreadNames, query::Spread::kCopies, "copies"));
  EXPECT_TRUE(is_name(query::kSpreadNames, query::Spread::kShards, "shards"));
  for (std::size_t i = 0; i < std::size(kContentNames); ++i) {
    EXPECT_EQ(to_string(static_cast<tools::Output>(i)), kContentNames[i]);
  }
  for (const std::string_view name : kListModelNames) {
    EXPECT_TRUE(is_name(kListModelNames, corpora::list_model(name), name));
  }
}

TEST(OptionTable, DefaultsAreThoseOfTheLibrary) {
  using namespace options;
  const index::BuildOptions build;
  EXPECT_EQ(parse_size("", kBuildMemory.standard.text), build.memory);
  EXPECT_EQ(static_cast<float>(real_value("", {}, kK1.standard.text)), build.write.defaults.k1);
  EXPECT_EQ(static_cast<float>(real_value("", {}, kB.standard.text)), build.write.defaults.b);
  EXPECT_EQ(kTokenizer.standard.text, build.write.analyzer.tokenizer);
  EXPECT_EQ(kStopWords.standard.text, build.write.analyzer.stopwords);
  EXPECT_EQ(real_value("", {}, kBoundsBits.standard.text), query::CpuOptions{}.bounds_bits);
  EXPECT_EQ(real_value("", {}, kBoundsBits.standard.text), query::CudaOptions{}.bounds_bits);
  EXPECT_EQ(real_value("", {}, kCandidateFilters.standard.text),
            query::CpuOptions{}.candidate_filters);
  EXPECT_EQ(real_value("", {}, kCandidateFilters.standard.text),
            query::CudaOptions{}.candidate_filters);
}

TEST(OptionTable, MisspeltValuesOfCommandsNameTheNearest) {
  for (const auto& [words, name] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"search", "--index", "x", "--backend", "cdua", "a"}, "cuda"},
           {{"search", "--index", "x", "--scorer", "bm52", "a"}, "bm25"},
           {{"search", "--index", "x", "--mode", "adn", "a"}, "and"},
           {{"search", "--index", "x", "--spread", "shard", "a"}, "shards"},
           {{"search", "--index", "x", "--expand", "rm33", "a"}, "rm3"},
           {{"index", "--input", "x", "--format", "tsv", "--output", "y", "--codec", "gpu-bp12"},
            "gpu-bp128"},
           {{"index", "--input", "x", "--format", "tsv", "--output", "y", "--stemmer", "englsh"},
            "english"},
           {{"eval", "--qrels", "x", "--run", "y", "--ties", "ranks"}, "rank"},
       }) {
    const Output done = gannet(words);
    EXPECT_EQ(done.code, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("(did you mean '" + name + "'?)"));
    EXPECT_TRUE(is_one_line(done.err)) << done.err;
  }
}

TEST(OptionTable, HelpPrintsTheRowsAsJson) {
  const Output help = gannet({"help", "search", "--json"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out,
              HasSubstr(R"({"name":"k","type":"integer","required":false,"default":"10")"));
  EXPECT_THAT(help.out, HasSubstr(R"("range":"0 to 4294967295")"));
  EXPECT_THAT(help.out, HasSubstr(R"("choices":["auto","cpu","cuda"])"));
  EXPECT_EQ(json_at(help.out, "/command"), "\"help\"");
}

}  // namespace
}  // namespace gannet::test
