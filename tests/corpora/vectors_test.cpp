// Vectors of terms and weights, as documents and as topics.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/vector_source.hpp"
#include "corpora/topics/topics.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::corpora {
namespace {

using test::Documents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Vectors : public testing::Test {
 protected:
  Documents read(const std::string& text, const ReaderOptions& options = {}) {
    test::write_file(path_, text);
    return test::read_all(DocumentFormat::kJsonVectors, {path_}, options);
  }
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  VectorWeights scan(const std::string& text) {
    test::write_file(path_, text);
    return scan_json_vectors({path_}, {});
  }

  test::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "vectors.jsonl";
};

TEST_F(Vectors, WholeNumbersAreTakenAsTheyAre) {
  const Documents documents = read(
      "{\"id\":\"a\",\"vector\":{\"New York\":3,\"##ity\":70000,\"\\u00e9\":1.0,\"no\":0}}\n"
      "{\"vector\":{}, \"contents\":\"text\", \"id\":7}\n"
      "{\"id\":\"twice\",\"vector\":{\"t\":2,\"t\":3}}\n");
  EXPECT_THAT(documents.all, ElementsAre(std::pair("a", "New York^3\n##ity^70000\né^1\n"),
                                         std::pair("7", ""), std::pair("twice", "t^2\nt^3\n")));
}

TEST_F(Vectors, OtherNumbersAreQuantised) {
  const std::string text = "{\"id\":\"a\",\"vector\":{\"x\":2.5,\"y\":1.25,\"z\":1e-9,\"w\":0}}\n";
  const VectorWeights weights = scan(text);
  EXPECT_EQ(weights.largest, 2.5);
  EXPECT_FALSE(weights.whole);
  ReaderOptions options;
  options.quantization = quantization_for(weights, 8);
  EXPECT_EQ(options.quantization.bits, 8u);
  EXPECT_DOUBLE_EQ(options.quantization.scale, 102);
  EXPECT_EQ(read(text, options).all[0].second, "x^255\ny^128\nz^1\n");
  options.quantization = quantization_for(weights, 1);
  EXPECT_EQ(read(text, options).all[0].second, "x^1\ny^1\nz^1\n");
  EXPECT_THROW(quantization_for(weights, 0), UsageError);
  EXPECT_THROW(quantization_for(weights, 17), UsageError);
}

TEST_F(Vectors, OfWholeNumbersNothingIsQuantised) {
  const VectorWeights weights = scan("{\"id\":1,\"vector\":{\"x\":300,\"y\":2.0}}\nbroken\n");
  EXPECT_TRUE(weights.whole);
  EXPECT_EQ(quantization_for(weights, 8).bits, 0u);
  EXPECT_EQ(quantization_for(scan(""), 8).bits, 0u);
}

TEST_F(Vectors, WhatIsMalformedIsNamedOrSkipped) {
  const auto record = [](const std::string& vector) {
    return "{\"id\":\"a\",\"vector\":" + vector + "}\n";
  };
  EXPECT_THAT(error_of(record("{\"x\":-1}")), HasSubstr("vectors.jsonl:1: the weight of 'x'"));
  EXPECT_THAT(error_of(record("{\"x\":\"1\"}")), HasSubstr("is no number"));
  EXPECT_THAT(error_of(record("{\"x\":0.5}")), HasSubstr("no whole number"));
  EXPECT_THAT(error_of(record("{\"x\":4294967296}")), HasSubstr("no whole number below 2^32"));
  EXPECT_THAT(error_of(record("{\"x\":4294967295,\"y\":1}")), HasSubstr("add up to"));
  EXPECT_THAT(error_of(record("{\"\":1}")), HasSubstr("empty"));
  EXPECT_THAT(error_of(record("{\"" + std::string(65536, 'x') + "\":1}")), HasSubstr("65,535"));
  EXPECT_THAT(error_of(record("[1]")), HasSubstr("no 'vector'"));
  EXPECT_THAT(error_of("{\"id\":\"a\"}\n"), HasSubstr("no 'vector'"));
  EXPECT_THAT(error_of("{\"vector\":{}}\n"), HasSubstr("no 'id'"));
  EXPECT_THAT(error_of("{\"id\":1.5,\"vector\":{}}\n"), HasSubstr("'id' is neither"));
  EXPECT_THAT(error_of("{\"id\":\"\",\"vector\":{}}\n"), HasSubstr("'id' is empty"));
  EXPECT_THAT(error_of("[]extra\n"), HasSubstr("not a valid JSON object"));
  ReaderOptions skip;
  skip.malformed = Malformed::kSkip;
  const Documents documents = read(record("{\"x\":-1}") + record("{\"y\":1}") + "{", skip);
  EXPECT_THAT(documents.ids(), ElementsAre("a"));
  EXPECT_EQ(documents.skipped, 2u);
}

TEST_F(Vectors, TopicsAreVectorsToo) {
  const std::string text =
      "{\"id\":\"q\",\"vector\":{\"New York\":1.25,\"x\":0}}\n\n{\"id\":2,\"vector\":{}}\n";
  for (const TopicFormat format : {TopicFormat::kAuto, TopicFormat::kJson}) {
    TopicOptions options;
    options.format = format;
    const std::vector<Topic> topics = parse_topics(text, "file", options);
    ASSERT_EQ(topics.size(), 2u);
    EXPECT_EQ(topics[0].id, "q");
    EXPECT_THAT(topics[0].vector, ElementsAre(TopicTerm{"New York", 1.25f}, TopicTerm{"x", 0}));
    EXPECT_EQ(topics[1].id, "2");
    EXPECT_THAT(topics[1].vector, IsEmpty());
  }
  for (const char* wrong :
       {"{\"id\":\"q\",\"vector\":{\"x\":-1}}", "{\"id\":\"q\"}", "{\"vector\":{}}",
        "{\"id\":\"q\",\"vector\":{\"x\":1e39}}", "{\"id\":\"q\",\"vector\":{",
        "{\"id\":\"q\",\"vector\":{}}\n{\"id\":\"q\",\"vector\":{}}"}) {
    EXPECT_THROW(parse_topics(wrong, "file"), InputError) << wrong;
  }
}

}  // namespace
}  // namespace gannet::corpora
