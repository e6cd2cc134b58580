// Token, term and posting counts of the judged collections against an independent implementation.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "index/text/analyzer.hpp"
#include "tests/support/corpora/real_documents.hpp"
#include "tests/support/paths.hpp"

namespace gannet::index {
namespace {

struct Reference {
  const char* name;
  std::uint64_t documents, tokens, terms, postings;
};

class AnalyzerReference : public testing::TestWithParam<Reference> {};

TEST_P(AnalyzerReference, CountsAreThoseOfTheReference) {
  const Reference& reference = GetParam();
  const auto path = test::data_folder() / reference.name / "docs.jsonl.zst";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no collection at " << path;

  Analyzer analyzer{AnalyzerConfig{}};
  std::unordered_map<std::string, std::uint64_t> last_document;  // of each term, counted from 1
  std::vector<std::string> terms;
  Reference found{reference.name, 0, 0, 0, 0};
  test::for_each_document(path, [&](std::string_view, std::string_view text) {
    ++found.documents;
    terms.clear();
    analyzer.analyze(text, terms);
    found.tokens += terms.size();
    for (const std::string& term : terms) {
      std::uint64_t& last = last_document[term];
      found.postings += last != found.documents ? 1 : 0;
      last = found.documents;
    }
  });
  EXPECT_EQ(found.documents, reference.documents);
  EXPECT_EQ(found.tokens, reference.tokens);
  EXPECT_EQ(last_document.size(), reference.terms);
  EXPECT_EQ(found.postings, reference.postings);
}

INSTANTIATE_TEST_SUITE_P(Judged, AnalyzerReference,
                         testing::Values(Reference{"cranfield", 1400, 256694, 6660, 128472},
                                         Reference{"cisi", 1460, 193090, 7216, 114081},
                                         Reference{"cacm", 3204, 204055, 8090, 124175},
                                         Reference{"med", 1033, 160149, 9628, 88004},
                                         Reference{"medquad", 16406, 3296330, 22015, 1546669}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace gannet::index
