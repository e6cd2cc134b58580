// Postings that were damaged on disk without harming the structure that opening checks: a query
// over them ends in a FormatError or in an answer, never in an access outside the index.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/gpu/plan/tuning.hpp"
#include "query/searcher.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

std::filesystem::path postings_file(const std::filesystem::path& index) {
  for (const auto& entry : std::filesystem::directory_iterator(index)) {
    if (entry.path().extension() == ".postings") return entry.path();
  }
  throw std::runtime_error("no postings file");
}

void flip_bit(const std::filesystem::path& file, std::uint64_t bit) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(bit / 8));
  stream.put(static_cast<char>(byte ^ 1 << bit % 8));
}

/// What each of some queries gives: hits, or what the error says.
std::vector<std::string> outcomes(const std::filesystem::path& path, BackendChoice backend) {
  std::vector<std::string> all;
  const auto attempt = [&](auto work) {
    try {
      all.push_back(work());
    } catch (const FormatError& error) {
      all.push_back(std::string("damage: ") + error.what());
    }
  };
  std::shared_ptr<const index::Index> index;
  attempt([&] {
    index = std::make_shared<index::Index>(index::Index::open(path));
    return "opened";
  });
  if (index == nullptr) return all;
  SearcherOptions options;
  options.backend = backend;
  Searcher searcher(index, options);
  for (const Want want : {Want::kTopK, Want::kDocids}) {
    for (const char* text : {"t0 t1 t2 t3 t4 t5 t6 t7", "+t0 +t1 t5", "t4 AND NOT t2", "t6"}) {
      Query query;
      query.text = text;
      query.want = want;
      query.k = 100;
      attempt([&] {
        const auto result = searcher.search(query);
        std::string found;
        for (const Hit hit : result.hits()) {
          found += std::to_string(hit.docid) + " " + std::to_string(hit.score) + "\n";
        }
        return found;
      });
    }
  }
  return all;
}

bool is_damage(const std::string& outcome) { return outcome.starts_with("damage: "); }

/// What both back ends must agree on. A block of a file that is damaged may be of several lists, of
/// which the one that is looked at first is named.
std::vector<std::string> told(std::vector<std::string> outcomes) {
  for (std::string& outcome : outcomes) {
    if (is_damage(outcome)) outcome = "damage";
  }
  return outcomes;
}

/// Both back ends give the same answers, and errors where the other does: a list is checked to its
/// last value before anything is made of it.
TEST(DamagedPostings, CudaTellsWhatTheCpuTells) {
  const test::TemporaryDirectory directory;
  const auto collection = test::random_collection(3000, 8, 3);
  std::mt19937_64 random(5);
  std::size_t named = 0;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    index::WriteOptions options;
    options.docid_codec = &codec;
    options.overwrite = true;
    const auto path = directory.path() / "index";
    test::write_index(path, collection, options);
    const auto sound = outcomes(path, BackendChoice::kCpu);
    ASSERT_TRUE(std::none_of(sound.begin(), sound.end(), is_damage));
    for (int round = 0; round < 40; ++round) {
      const auto file = postings_file(path);
      const std::uint64_t bit = random() % (std::filesystem::file_size(file) * 8);
      flip_bit(file, bit);
      const auto found = outcomes(path, BackendChoice::kCpu);
      if (cuda_available()) {
        EXPECT_EQ(told(outcomes(path, BackendChoice::kCuda)), told(found))
            << codec.name << ", bit " << bit;
      }
      for (std::size_t i = 0; i < found.size(); ++i) {
        named += is_damage(found[i]) && found[i].find("the list of 't") != std::string::npos;
      }
      flip_bit(file, bit);
    }
    EXPECT_EQ(outcomes(path, BackendChoice::kCpu), sound) << "the flips were taken back";
  }
  EXPECT_GT(named, 0u);
}

class DamagedList : public testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override {
    std::string why;
    if (GetParam() == BackendChoice::kCuda && !cuda_available(&why)) {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }

  /// Numbers of the terms whose lists are damaged.
  static std::vector<index::TermId> damaged_terms(const index::Index& index) {
    const index::Segment& segment = *index.segments().front();
    std::vector<index::TermId> damaged;
    for (index::TermId term = 0; term < segment.statistics().terms; ++term) {
      segment.document_frequency(term);
      try {
        segment.list(term);
      } catch (const FormatError&) {
        damaged.push_back(term);
      }
    }
    return damaged;
  }

  /// Flips bits of the postings' words, one at a time and with right checksums, until just one list
  /// is damaged: its number.
  static index::TermId damage_one(const std::filesystem::path& path) {
    std::mt19937_64 random(7);
    const auto file = postings_file(path);
    const std::string postings = test::read_file(file);
    const std::string manifest = test::read_file(path / index::kManifestName);
    while (true) {
      const std::uint64_t bit = random();
      test::change_values<std::uint32_t>(
          path, index::kPostingsFile, index::Tag("WORD"),
          [&](auto& words) { words[bit / 32 % words.size()] ^= 1u << bit % 32; });
      const auto damaged = damaged_terms(index::Index::open(path));
      if (damaged.size() == 1) return damaged.front();
      test::write_file(file, postings);
      test::write_file(path / index::kManifestName, manifest);
    }
  }

  /// The damage is met while other sub-batches, of so many plans, are on the device: the call ends
  /// with the error, and the next one finds everything as it should be.
  void expect_that_it_ends_a_call(Want want, std::size_t batch) const {
    const auto path = directory_.path() / "index";
    test::write_index(path, test::random_collection(3000, 8, 3));
    const index::TermId damaged = damage_one(path);
    const auto index = std::make_shared<const index::Index>(index::Index::open(path));
    const std::string name = index->segments().front()->term(damaged);
    SearcherOptions options;
    options.backend = GetParam();
    options.cuda.pool_bytes = std::uint64_t{64} << 20;
    const Searcher searcher(index, options);
    Query query{.want = want};
    for (int t = 0; t < 8; ++t) {
      const std::string term = "t" + std::to_string(t);
      if (term != name) query.text += term + " ";
    }
    // Two whole sub-batches: the third, with the damage, is assigned while both are in flight.
    const std::vector<Plan> sound(2 * batch, searcher.plan(query));
    query.text = name;
    std::vector<Plan> plans = sound;
    plans.push_back(searcher.plan(query));
    const Results expected = searcher.search(sound);
    for (int round = 0; round < 3; ++round) {
      try {
        searcher.search(plans);
        ADD_FAILURE() << "the damage of " << name << " was not seen";
      } catch (const FormatError& error) {
        EXPECT_NE(std::string(error.what()).find("the list of '" + name + "'"), std::string::npos)
            << error.what();
      }
      const Results after = searcher.search(sound);
      EXPECT_EQ(after.docids, expected.docids);
      EXPECT_EQ(after.counts, expected.counts);
      EXPECT_EQ(after.scores, expected.scores);
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_P(DamagedList, EndsACallOfWhichOtherPartsAreInFlight) {
  expect_that_it_ends_a_call(Want::kTopK, cuda::tuning::kSubBatch);
}

TEST_P(DamagedList, EndsACallOfDocids) {
  expect_that_it_ends_a_call(Want::kDocids, cuda::tuning::kMatchBatch);
}

INSTANTIATE_TEST_SUITE_P(Backends, DamagedList,
                         testing::Values(BackendChoice::kCpu, BackendChoice::kCuda),
                         [](const auto& test) {
                           return test.param == BackendChoice::kCpu ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace gannet::query
