// Exporting a damaged index: the files are those of the whole index, or there are none.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "codecs/base/error.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/builder.hpp"
#include "index/index.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/flips.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

class DamagedExport : public ::testing::Test {
 protected:
  DamagedExport() {
    fs::create_directory(output_);
    index::BuildOptions options;
    options.threads = 1;
    test::VectorSource source(test::random_documents(300, 300, 40, 4), 1000);
    index::build_index(source, index_, options);
  }

  void expect_nothing_through(const std::function<void(const index::Index&)>& write) {
    write(index::Index::open(index_));
    const auto whole = test::snapshot(index_);
    const auto made = test::snapshot(output_);
    test::Flips flips(index_, 17);
    std::uint64_t refused = 0;
    const std::uint64_t rounds = test::damage_flips(30);
    for (std::uint64_t i = 0; i < rounds && !HasFailure(); ++i) {
      SCOPED_TRACE(flips.flip());
      fs::remove_all(output_);
      fs::create_directory(output_);
      const auto before = test::snapshot(index_);
      try {
        write(index::Index::open(index_));
        EXPECT_TRUE(test::snapshot(output_) == made);
      } catch (const FormatError&) {
        ++refused;
        EXPECT_TRUE(test::names_in(output_).empty());
      }
      EXPECT_TRUE(test::snapshot(index_) == before);
      flips.undo();
    }
    EXPECT_TRUE(test::snapshot(index_) == whole);
    EXPECT_GT(refused * 3, rounds);
  }

  test::TemporaryDirectory folder_;
  fs::path index_ = folder_.path() / "idx";
  fs::path output_ = folder_.path() / "out";
};

TEST_F(DamagedExport, Ciff) {
  expect_nothing_through(
      [&](const index::Index& index) { export_ciff(index, output_ / "lists.ciff"); });
}

TEST_F(DamagedExport, Ds2i) {
  expect_nothing_through([&](const index::Index& index) { export_ds2i(index, output_ / "lists"); });
}

}  // namespace
}  // namespace gannet::corpora
