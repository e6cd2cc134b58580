// The conformance kit for types of fields: what base/concepts.hpp asks for, with the samples of
// type_samples.hpp. A type that has samples passes it, or something is wrong with it: its keys, its
// texts, and what filters, sorting and counting make of it in an index on disk.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "index/fields/field_text.hpp"
#include "index/verify.hpp"
#include "query/filter/check_filter.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/index/type_samples.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {

using Docids = std::vector<std::uint32_t>;

inline std::uint64_t sample_key(const index::FieldSpec& field, const std::string& text) {
  std::string why;
  const auto key = index::key_of(field, text, &why);
  EXPECT_TRUE(key.has_value()) << text << ": " << why;
  return key.value_or(0);
}

template <class T>
class FieldTypeKit : public ::testing::Test {
 protected:
  static constexpr index::Storage kStorage = T::traits.storage;
  static constexpr bool kNumbers = kStorage == index::Storage::kNumbers;
  static constexpr bool kCompared = kNumbers || kStorage == index::Storage::kKeywords;

  void SetUp() override { ASSERT_FALSE(kTypeSamples<T>.empty()) << "give it some"; }

  /// `test(sample, field)`
  template <class Test>
  static void for_samples(const Test& test) {
    for (const TypeSample& sample : kTypeSamples<T>) {
      SCOPED_TRACE(sample.type);
      test(sample, index::parse_field("f:" + sample.type));
    }
  }
};

/// An index of a sample's documents, written to disk and searched on the CPU.
class SampleIndex {
 public:
  SampleIndex(const index::FieldTraits& traits, const TypeSample& sample,
              const index::FieldSpec& field)
      : sample_(sample), field_(field) {
    corpora::ReaderOptions reader;
    index::BuildOptions options;
    reader.schema = options.write.schema = index::Schema({field});
    const auto source =
        corpora::open_documents(corpora::DocumentFormat::kJsonl,
                                {folder_.write("in", sample_jsonl(traits, sample))}, reader);
    index::build_index(*source, folder_ / "index", options);
    index_ = std::make_shared<const index::Index>(index::Index::open(folder_ / "index"));
    searcher_ = std::make_unique<query::Searcher>(
        index_, query::SearcherOptions{.backend = query::BackendChoice::kCpu});
  }

  const index::FieldColumn& column() const { return index_->segments().front()->field(0); }
  const index::Schema& schema() const { return index_->schema(); }
  std::vector<std::string> problems() const {
    return index::verify_index(folder_ / "index").problems;
  }

  Docids docids(const std::string& text) const {
    const query::Plan plan = searcher_->plan({.text = text, .want = query::Want::kDocids});
    const query::Results results = searcher_->search({&plan, 1});
    return {results.docids.begin(), results.docids.end()};
  }
  query::ColumnResults columns(const query::ColumnQuery& wanted) const {
    return query::search_columns(*searcher_, searcher_->plan({.text = "*:*"}), wanted);
  }
  Docids sorted(bool descending) const {
    Docids docids;
    for (const query::Hit& hit :
         columns({.sort = {{.field = "f", .descending = descending}}, .k = 100}).hits) {
      docids.push_back(hit.docid);
    }
    return docids;
  }

  /// Documents with a value from `first` to `last`, by a loop over the samples.
  Docids between(const std::string& first, const std::string& last) const {
    Docids docids;
    const auto values = sample_documents(sample_);
    for (std::uint32_t d = 0; d < values.size(); ++d) {
      if (values[d] != nullptr && is_between(first, *values[d], last)) docids.push_back(d);
    }
    return docids;
  }

 private:
  bool is_between(const std::string& first, const std::string& value,
                  const std::string& last) const {
    if (field_.is_keyword()) return first <= value && value <= last;
    const std::uint64_t key = sample_key(field_, value);
    return index::keys_of(field_, first)->first <= key && key <= index::keys_of(field_, last)->last;
  }

  const TypeSample& sample_;
  const index::FieldSpec& field_;
  TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<const query::Searcher> searcher_;
};

TYPED_TEST_SUITE_P(FieldTypeKit);

TYPED_TEST_P(FieldTypeKit, TheNameIsReadAndSpelledAgain) {
  EXPECT_THAT(index::type_names(), ::testing::HasSubstr(std::string(TypeParam::names)));
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    EXPECT_EQ(field.type, index::field_type<TypeParam>);
    EXPECT_EQ(index::type_name(field), sample.type);
    const index::Schema schema({field});
    EXPECT_EQ(index::Schema(index::parse_schema(index::schema_json(schema), "")), schema);
  });
}

TYPED_TEST_P(FieldTypeKit, ValuesAscendWithTheirKeys) {
  if (!this->kNumbers) GTEST_SKIP() << "has no keys";
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    std::uint64_t previous = 0;
    for (const std::string& text : sample.ascending) {
      const std::uint64_t key = sample_key(field, text);
      EXPECT_EQ(index::value_text(field, key), text);
      EXPECT_EQ(index::value_problem(field, text), std::nullopt);
      if (&text != &sample.ascending.front()) {
        EXPECT_LT(previous, key) << text;
        EXPECT_LE(index::value_number(field, previous), index::value_number(field, key)) << text;
      }
      previous = key;
      const auto span = index::keys_of(field, text);
      ASSERT_TRUE(span.has_value()) << text;
      EXPECT_TRUE(span->first <= key && key <= span->last) << text;
    }
  });
}

TYPED_TEST_P(FieldTypeKit, AllKeysWithinTheLimitsAreValues) {
  if (!this->kNumbers) GTEST_SKIP() << "has no keys";
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    const index::KeySpan limits = TypeParam::limits(field);
    EXPECT_EQ(sample_key(field, sample.ascending.front()), limits.first);
    EXPECT_EQ(sample_key(field, sample.ascending.back()), limits.last);
    if (limits.first > 0) {
      EXPECT_FALSE(index::is_storable(field, limits.first - 1));
    }
    if (limits.last < ~std::uint64_t{0}) {
      EXPECT_FALSE(index::is_storable(field, limits.last + 1));
    }
    ASSERT_NE(limits.last - limits.first, ~std::uint64_t{0}) << "2^64 keys are too many";
    std::mt19937_64 random(5);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t key = limits.first + random() % (limits.last - limits.first + 1);
      const std::string text = index::value_text(field, key);
      ASSERT_EQ(sample_key(field, text), key) << text;
      ASSERT_TRUE(index::is_storable(field, key)) << text;
      if (key == limits.first) continue;
      ASSERT_LE(index::value_number(field, key - 1), index::value_number(field, key)) << text;
    }
    for (const std::uint64_t damaged : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      EXPECT_FALSE(index::value_text(field, damaged).empty());
    }
  });
}

TYPED_TEST_P(FieldTypeKit, KeysOfWholeNumbersAreZeroPlusTheNumber) {
  using index::Sums;
  constexpr Sums kSums = TypeParam::traits.sums;
  if (kSums != Sums::kWhole && kSums != Sums::kMean) GTEST_SKIP() << "is not added up so";
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    const std::uint64_t zero = index::zero_key(field);
    EXPECT_EQ(index::value_number(field, zero), 0);
    for (const std::string& text : sample.ascending) {
      const std::uint64_t key = sample_key(field, text);
      const double size = static_cast<double>(key < zero ? zero - key : key - zero);
      EXPECT_DOUBLE_EQ(index::value_number(field, key),
                       (key < zero ? -size : size) / std::pow(10.0, field.scale));
    }
  });
}

TYPED_TEST_P(FieldTypeKit, OtherTextsAreRefusedWithAReason) {
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    EXPECT_EQ(sample.refused.empty(), !TestFixture::kNumbers) << "of numbers give some";
    for (const std::string& text : sample.refused) {
      std::string why;
      EXPECT_EQ(index::key_of(field, text, &why), std::nullopt) << text;
      EXPECT_FALSE(why.empty()) << text;
      EXPECT_THAT(index::value_problem(field, text).value_or(""), ::testing::HasSubstr(why));
      std::string filter_why;
      const bool meant = index::keys_of(field, text, &filter_why).has_value();
      EXPECT_EQ(filter_why.empty(), meant) << text;
    }
    if (TestFixture::kNumbers) return;
    std::string why;
    EXPECT_EQ(index::key_of(field, sample.ascending.front(), &why), std::nullopt);
    EXPECT_FALSE(why.empty());
  });
}

TYPED_TEST_P(FieldTypeKit, AnIndexKeepsWhatJsonSays) {
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    const SampleIndex made(TypeParam::traits, sample, field);
    EXPECT_THAT(made.problems(), ::testing::IsEmpty());
    if (field.is_text()) {
      EXPECT_EQ(made.docids("f:" + sample.ascending.front()).size(), 2u);
      return;
    }
    std::vector<std::vector<std::string>> expected;
    for (const std::string* value : sample_documents(sample)) {
      expected.emplace_back();
      if (value != nullptr) expected.back().push_back(*value);
    }
    EXPECT_EQ(values_in(made.column()), expected);
  });
}

TYPED_TEST_P(FieldTypeKit, FiltersTakeValuesAndRanges) {
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    const SampleIndex made(TypeParam::traits, sample, field);
    const std::string& least = sample.ascending.front();
    EXPECT_EQ(query::value_problem(field, least).has_value(), !TestFixture::kCompared);
    EXPECT_EQ(query::prefix_problem(field).has_value(), !field.is_keyword());
    if (!TestFixture::kCompared) return;
    for (const std::string& first : sample.ascending) {
      EXPECT_EQ(made.docids("f:\"" + first + "\""), made.between(first, first)) << first;
      EXPECT_EQ(made.docids("f:>=\"" + first + "\""), made.between(first, sample.ascending.back()));
      for (const std::string& last : sample.ascending) {
        EXPECT_EQ(made.docids("f:[\"" + first + "\" TO \"" + last + "\"]"),
                  made.between(first, last))
            << first << " " << last;
      }
    }
    EXPECT_EQ(made.docids("f:*").size(), sample.ascending.size() + 1);
    for (const SpanSample& span : sample.spans) {
      EXPECT_EQ(made.docids("f:" + span.text), made.between(span.first, span.last)) << span.text;
      EXPECT_EQ(index::keys_of(field, span.text)->first, sample_key(field, span.first));
      EXPECT_EQ(index::keys_of(field, span.text)->last, sample_key(field, span.last));
    }
  });
}

TYPED_TEST_P(FieldTypeKit, DocumentsAreSortedByIt) {
  this->for_samples([](const TypeSample& sample, const index::FieldSpec& field) {
    const SampleIndex made(TypeParam::traits, sample, field);
    if (!TestFixture::kCompared) {
      EXPECT_THROW(made.sorted(false), UsageError);
      return;
    }
    const auto values = static_cast<std::uint32_t>(sample.ascending.size());
    Docids ascending;
    Docids descending;
    for (std::uint32_t d = 0; d < values; ++d) descending.push_back(d);
    ascending.assign(descending.rbegin(), descending.rend());
    ascending.insert(ascending.begin() + 1, values + 1);  // the least value again
    descending.push_back(values + 1);
    ascending.push_back(values);  // without a value
    descending.push_back(values);
    EXPECT_EQ(made.sorted(false), ascending);
    EXPECT_EQ(made.sorted(true), descending);
  });
}

TYPED_TEST_P(FieldTypeKit, ValuesAreCountedAndAddedUp) {
  using index::Sums;
  constexpr Sums kSums = TypeParam::traits.sums;
  this->for_samples([&](const TypeSample& sample, const index::FieldSpec& field) {
    const SampleIndex made(TypeParam::traits, sample, field);
    const query::ColumnQuery wanted{.k = 0, .facets = {{"f", 100}}, .aggregates = {"f"}};
    if (!TestFixture::kCompared) {
      EXPECT_THROW(made.columns(wanted), UsageError);
      return;
    }
    const query::ColumnResults found = made.columns(wanted);
    query::Facet facet{.field = "f", .missing = 1};
    for (const std::string& value : sample.ascending) {
      facet.values.push_back({value, &value == &sample.ascending.front() ? 2u : 1u});
    }
    EXPECT_EQ(found.facets.front(), facet);
    const query::Aggregate& all = found.aggregates.front();
    EXPECT_EQ(all.min, sample.ascending.front());
    EXPECT_EQ(all.max, sample.ascending.back());
    EXPECT_EQ(all.values, sample.ascending.size() + 1);
    EXPECT_EQ(all.distinct, sample.ascending.size());
    EXPECT_EQ(all.missing, 1u);
    EXPECT_EQ(all.sum.has_value(), kSums == Sums::kWhole || kSums == Sums::kFloat);
    EXPECT_EQ(all.mean.has_value(), kSums != Sums::kNone);
  });
}

TYPED_TEST_P(FieldTypeKit, HistogramsAreOfWhatHasBins) {
  constexpr index::FieldTraits kTraits = TypeParam::traits;
  this->for_samples([&](const TypeSample& sample, const index::FieldSpec& field) {
    const SampleIndex made(TypeParam::traits, sample, field);
    const auto counted = [&](const query::HistogramRequest& request) {
      std::uint64_t count = 0;
      for (const auto& bin : made.columns({.histograms = {request}}).histograms[0].bins) {
        count += bin.count;
      }
      return count;
    };
    const bool floats = kTraits.sums == index::Sums::kFloat;
    const query::HistogramRequest widths{
        .field = "f", .width = floats ? "1e305" : "1", .empty_bins = false};
    const query::HistogramRequest years{
        .field = "f", .step = query::HistogramStep::kYear, .empty_bins = false};
    const std::uint64_t all = sample.ascending.size() + 1;
    if (kTraits.bins) {
      EXPECT_EQ(counted(widths), all);
      EXPECT_THROW(counted({.field = "f", .width = "0"}), UsageError);
    } else {
      EXPECT_THROW(counted(widths), UsageError);
    }
    if (kTraits.is_calendar()) {
      EXPECT_EQ(counted(years), all);
    } else {
      EXPECT_THROW(counted(years), UsageError);
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(FieldTypeKit, TheNameIsReadAndSpelledAgain, ValuesAscendWithTheirKeys,
                            AllKeysWithinTheLimitsAreValues, KeysOfWholeNumbersAreZeroPlusTheNumber,
                            OtherTextsAreRefusedWithAReason, AnIndexKeepsWhatJsonSays,
                            FiltersTakeValuesAndRanges, DocumentsAreSortedByIt,
                            ValuesAreCountedAndAddedUp, HistogramsAreOfWhatHasBins);

}  // namespace gannet::test
