// gannet inspect, verify, export and generate, as a user types them.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Maintenance : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Maintenance, InspectShowsStatisticsAndBits) {
  const Output text = gannet({"inspect", "--index", index_});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("documents    4"));
  EXPECT_THAT(text.out, HasSubstr("docids gpu-bp128"));
  EXPECT_THAT(text.out, HasSubstr("bits a posting"));

  const Output json = gannet({"inspect", index_, "--json"});
  EXPECT_EQ(json_at(json.out, "/documents"), "4");
  EXPECT_EQ(json_at(json.out, "/tokens"), "29");
  EXPECT_EQ(json_at(json.out, "/analyzer/stemmer"), "\"english\"");
  EXPECT_EQ(json_at(json.out, "/lists/postings"), json_at(json.out, "/postings"));
  EXPECT_EQ(json_at(json.out, "/by_length/0/from"), "1");
}

TEST_F(Maintenance, InspectAndVerifySayWhatPositionsTake) {
  const std::string bytes =
      std::to_string(std::filesystem::file_size(index_ + "/segment-00000001.positions"));
  const Output inspected = gannet({"inspect", index_, "--json"});
  EXPECT_EQ(json_at(inspected.out, "/positions/number"), "29");
  EXPECT_EQ(json_at(inspected.out, "/positions/bytes"), bytes);
  const std::string bits = json_at(inspected.out, "/positions/bits_per_position");
  EXPECT_NEAR(std::stod(bits), std::stod(bytes) * 8 / 29, 1e-9);
  const Output verified = gannet({"verify", index_, "--json"});
  EXPECT_EQ(json_at(verified.out, "/positions"), json_at(inspected.out, "/positions"));
  EXPECT_THAT(gannet({"inspect", index_}).out, HasSubstr("\npositions    29 in "));
  EXPECT_THAT(gannet({"verify", index_}).out, HasSubstr("29 positions in "));

  write_file(folder_ / "one.tsv", "1\tcat\n");
  ASSERT_EQ(gannet({"index", "--input", folder_ / "one.tsv", "--format", "tsv", "--output",
                    folder_ / "none", "--no-positions"})
                .code,
            0);
  const std::string none = folder_ / "none";
  EXPECT_EQ(json_at(gannet({"inspect", none, "--json"}).out, "/positions"), "null");
  EXPECT_EQ(json_at(gannet({"verify", none, "--json"}).out, "/positions"), "null");
  EXPECT_THAT(gannet({"inspect", none}).out, HasSubstr("\npositions    none\n"));
  EXPECT_THAT(gannet({"verify", none}).out, Not(HasSubstr("position")));
}

/// What inspect says that a searcher will keep is what one keeps that was asked for every list.
TEST_F(Maintenance, InspectKnowsTheMemoryOfPrunedSearches) {
  const std::string lists = (folder_.path() / "lists").string();
  const std::string index = (folder_.path() / "of_lists").string();
  ASSERT_EQ(gannet({"generate", "--documents", "20000", "--lists", "8", "--format", "ds2i",
                    "--output", lists})
                .code,
            0);
  ASSERT_EQ(gannet({"index", "--input", lists, "--format", "ds2i", "--output", index}).code, 0);
  const Output inspected = gannet({"inspect", index, "--bounds-bits", "100", "--json"});
  EXPECT_EQ(json_at(inspected.out, "/pruning/lists_with_bounds"), "8") << inspected.err;
  const Output found = gannet({"search", "--index", index, "--backend", "cpu", "--bounds-bits",
                               "100", "--k", "3", "--json", "0 1 2 3 4 5 6 7"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(json_at(found.out, "/report/bounds_bytes"),
            json_at(inspected.out, "/pruning/cpu/bytes"));
  // 64 documents a byte, in vectors of 64: 20,000 documents take 320 of them, a list.
  EXPECT_EQ(json_at(inspected.out, "/pruning/cpu/bounds"), std::to_string(8 * 320));
  EXPECT_EQ(json_at(inspected.out, "/pruning/cuda/bounds"), std::to_string(8 * 24 * 16));
  EXPECT_EQ(
      json_at(gannet({"inspect", index, "--bounds-bits", "0", "--json"}).out, "/pruning/cpu/bytes"),
      "0");
  EXPECT_THAT(gannet({"inspect", index}).out, HasSubstr("pointers to tiles"));
}

TEST_F(Maintenance, InspectShowsTermsAsQueriesSeeThem) {
  const Output json = gannet({"inspect", index_, "--term", "Cats", "--term", "zebra", "--json"});
  EXPECT_EQ(json_at(json.out, "/terms/0/term"), "\"cat\"");
  EXPECT_EQ(json_at(json.out, "/terms/0/document_frequency"), "2");
  EXPECT_EQ(json_at(json.out, "/terms/0/collection_frequency"), "3");
  EXPECT_EQ(json_at(json.out, "/terms/1/found"), "false");
  EXPECT_THAT(gannet({"inspect", index_, "--term", "Cats"}).out, StartsWith("cat: df 2, cf 3"));
  EXPECT_EQ(gannet({"inspect", index_, "--term", "?!"}).code, 2);
}

TEST_F(Maintenance, VerifyOfASoundIndexIsYes) {
  const Output text = gannet({"verify", "--index", index_});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("sound"));
  const Output json = gannet({"verify", index_, "--json"});
  EXPECT_EQ(json_at(json.out, "/sound"), "true");
  EXPECT_EQ(json_at(json.out, "/problems"), "[]");
}

/// The biggest file below a folder.
std::filesystem::path biggest_file(const std::filesystem::path& folder) {
  std::filesystem::path biggest;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() &&
        (biggest.empty() || entry.file_size() > std::filesystem::file_size(biggest))) {
      biggest = entry.path();
    }
  }
  return biggest;
}

TEST_F(Maintenance, VerifyOfADamagedIndexIsNo) {
  const std::filesystem::path file = biggest_file(index_);
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] ^= 0x10;
  write_file(file, bytes);
  const Output text = gannet({"verify", index_});
  EXPECT_EQ(text.code, 1) << text.out << text.err;
  EXPECT_THAT(text.out, HasSubstr(file.filename().string()));
  const Output json = gannet({"verify", index_, "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(json_at(json.out, "/sound"), "false");
}

TEST_F(Maintenance, VerifyOfATruncatedIndexIsNoAndSearchRefuses) {
  const std::filesystem::path file = biggest_file(index_);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(gannet({"verify", index_}).code, 1);
  const Output search = gannet({"search", "--index", index_, "cat"});
  EXPECT_EQ(search.code, 7);
  EXPECT_TRUE(is_one_line(search.err)) << search.err;
}

/// Whatever reads a damaged index ends with an exit code of its own, and writes nothing.
TEST_F(Maintenance, WhatCopiesADamagedIndexRefusesItAndSaysSo) {
  const std::string file = index_ + "/segment-00000001.postings";
  std::string bytes = read_file(file);
  bytes[70] = static_cast<char>(bytes[70] ^ 1);
  write_file(file, bytes);
  const std::string output = folder_ / "out";
  const std::vector<std::vector<std::string>> commands{
      {"reorder", index_, "--order", "id"},
      {"reorder", index_, "--order", "id", "--output", output},
      {"shard", index_, "--shards", "2", "--output", output},
      {"export", "--index", index_, "--format", "ciff", "--output", output},
      {"export", "--index", index_, "--format", "ds2i", "--output", output},
      {"search", "--index", index_, "cat"}};
  for (const std::vector<std::string>& command : commands) {
    const Output refused = gannet(command);
    EXPECT_EQ(refused.code, 7) << command.front() << ": " << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("segment-00000001.postings: "), HasSubstr("section '"),
                                   HasSubstr("`gannet repair`")));
    EXPECT_TRUE(is_one_line(refused.err)) << refused.err;
    EXPECT_EQ(read_file(file), bytes);
    EXPECT_FALSE(std::filesystem::exists(output)) << command.front();
  }
}

TEST_F(Maintenance, VerifyOfAMissingIndexIsAnIoError) {
  EXPECT_EQ(gannet({"verify", folder_ / "nowhere"}).code, 4);
}

TEST_F(Maintenance, ExportAndImportGiveTheSameRun) {
  const Output made =
      gannet({"export", "--index", index_, "--format", "ds2i", "--output", folder_ / "lists"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("4 documents"));
  for (const std::string part : {"docs", "freqs", "sizes", "terms", "documents"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("lists." + part))) << part;
  }
  const Output again = gannet({"index", "--input", folder_ / "lists", "--format", "ds2i",
                               "--output", folder_ / "again", "--stemmer", "english"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(gannet({"verify", folder_ / "again"}).code, 0);

  write_file(folder_ / "topics.tsv", "1\tcats\n2\tdogs chasing cats\n3\tfish\n4\tgannets\n");
  std::string runs[2];
  const std::string indexes[2] = {index_, folder_ / "again"};
  for (int i = 0; i < 2; ++i) {
    runs[i] = gannet({"run", "--index", indexes[i], "--topics", folder_ / "topics.tsv", "--output",
                      "-", "--quiet"})
                  .out;
  }
  EXPECT_THAT(runs[0], HasSubstr("4 Q0 d-bird 1 "));
  EXPECT_EQ(runs[0], runs[1]);
}

/// Also with the terms of an index that is made from the file: the run is the same, byte for byte.
TEST_F(Maintenance, CommonIndexFilesAreWrittenAndRead) {
  const std::string file = folder_ / "animals.ciff";
  const Output made = gannet({"export", "--index", index_, "--format", "ciff", "--output", file});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("animals.ciff: 4 documents"));
  EXPECT_TRUE(is_one_line(made.err)) << made.err;
  EXPECT_THAT(made.err, HasSubstr("positions, which ciff has no place for: left out"));
  const Output quiet = gannet({"export", "--index", index_, "--format", "ciff", "--output", file,
                               "--overwrite", "--quiet"});
  EXPECT_THAT(quiet.err, IsEmpty());
  const Output again = gannet({"index", "--input", file, "--format", "ciff", "--output",
                               folder_ / "again", "--stemmer", "english"});
  ASSERT_EQ(again.code, 0) << again.err;
  write_file(folder_ / "topics.tsv", "1\tcats\n2\tdogs chasing cats\n3\tfish\n4\tgannets\n");
  const auto run = [&](const std::string& index) {
    return gannet({"run", "--index", index, "--topics", folder_ / "topics.tsv", "--output", "-",
                   "--quiet"})
        .out;
  };
  EXPECT_THAT(run(index_), HasSubstr("4 Q0 d-bird 1 "));
  EXPECT_EQ(run(folder_ / "again"), run(index_));
  EXPECT_EQ(
      gannet({"index", "--input", file, file, "--format", "ciff", "--output", folder_ / "two"})
          .code,
      2);
  write_file(file, "no such file");
  EXPECT_EQ(
      gannet({"index", "--input", file, "--format", "ciff", "--output", folder_ / "bad"}).code, 3);
}

/// What is no file is not replaced by one: where root runs the command, /dev/null would be gone.
TEST_F(Maintenance, ExportLeavesPipesAndLinksWhatTheyAre) {
  const std::string file = folder_ / "file.ciff";
  const std::string command = "$GANNET export --index '" + index_ + "' --quiet --format ";
  ASSERT_EQ(shell(command + "ciff --output '" + file + "'").code, 0);
  const std::string bytes = read_file(file);

  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string copy = folder_ / "copy";
  const Output piped = shell("cat '" + pipe + "' >'" + copy + "' & " + command + "ciff --output '" +
                             pipe + "' 3<>'" + pipe + "'; result=$?; wait; exit $result");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(read_file(copy), bytes);
  EXPECT_EQ(shell(command + "ciff --output - | cmp - '" + file + "'").code, 0);

  const std::string link = folder_ / "link.ciff";
  std::filesystem::create_symlink("file.ciff", link);
  std::filesystem::remove(file);
  ASSERT_EQ(shell(command + "ciff --output '" + link + "'").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(file), bytes);

  std::filesystem::rename(pipe, folder_ / "lists.sizes");
  const Output lists = shell(command + "ds2i --output '" + (folder_ / "lists").string() + "'");
  EXPECT_EQ(lists.code, 4);
  EXPECT_THAT(lists.err, HasSubstr("lists.sizes: cannot be replaced by a file"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "lists.sizes"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "lists.docs"));
}

TEST_F(Maintenance, VerifyNamesAMissingFileOnce) {
  for (const auto& entry : std::filesystem::directory_iterator(index_)) {
    if (entry.path().extension() == ".postings") std::filesystem::remove(entry.path());
  }
  const Output found = gannet({"verify", index_});
  EXPECT_EQ(found.code, 1);
  const std::size_t named = found.out.find(".postings: the file is missing");
  EXPECT_NE(named, std::string::npos) << found.out;
  EXPECT_EQ(found.out.find(".postings: the file is missing", named + 1), std::string::npos)
      << found.out;
}

TEST_F(Maintenance, ExportReplacesNoFileUnlessAsked) {
  const auto refuses = [&](const std::string& format, const std::string& output,
                           const std::string& file) {
    write_file(file, "mine");
    std::vector<std::string> command{"export", "--index",  index_, "--format",
                                     format,   "--output", output, "--quiet"};
    const Output refused = gannet(command);
    EXPECT_EQ(refused.code, 2) << format;
    EXPECT_THAT(refused.err, HasSubstr(file + ": there is a file already; pass --overwrite"));
    EXPECT_EQ(read_file(file), "mine");
    command.emplace_back("--overwrite");
    EXPECT_EQ(gannet(command).code, 0) << format;
    EXPECT_NE(read_file(file), "mine");
  };
  refuses("ciff", folder_ / "x.ciff", folder_ / "x.ciff");
  refuses("ds2i", folder_ / "lists", folder_ / "lists.terms");
}

TEST_F(Maintenance, ExportKnowsItsFormats) {
  const Output wrong =
      gannet({"export", "--index", index_, "--format", "cif", "--output", folder_ / "x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'cif' is none of ds2i, ciff (did you mean 'ciff'?)"));
}

TEST(Generate, TheSameOptionsGiveTheSameBytes) {
  const Output one = gannet({"generate", "--documents", "50", "--output", "-"});
  const Output two = gannet({"generate", "--documents", "50", "--output", "-"});
  const Output other = gannet({"generate", "--documents", "50", "--seed", "2", "--output", "-"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
  EXPECT_NE(one.out, other.out);
  EXPECT_TRUE(is_json(one.out.substr(0, one.out.find('\n'))));
}

TEST(Generate, ReplacesNoFileUnlessAsked) {
  const TemporaryDirectory folder;
  write_file(folder / "q.tsv", "mine");
  std::vector<std::string> command{"generate",      "--documents",      "20",
                                   "--output",      folder / "d.jsonl", "--topics",
                                   folder / "q.tsv"};
  EXPECT_EQ(gannet(command).code, 2);
  EXPECT_EQ(read_file(folder / "q.tsv"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "d.jsonl"));
  command.emplace_back("--overwrite");
  EXPECT_EQ(gannet(command).code, 0);
  EXPECT_NE(read_file(folder / "q.tsv"), "mine");
}

TEST(Generate, TopicsFindDocuments) {
  const TemporaryDirectory folder;
  ASSERT_EQ(gannet({"generate", "--documents", "200", "--output", folder / "d.jsonl", "--topics",
                    folder / "q.tsv", "--topic-count", "20"})
                .code,
            0);
  ASSERT_EQ(gannet({"index", "--input", folder / "d.jsonl", "--format", "jsonl", "--output",
                    folder / "idx"})
                .code,
            0);
  const Output run = gannet({"run", "--index", folder / "idx", "--topics", folder / "q.tsv",
                             "--output", folder / "run", "--mode", "and", "--json"});
  EXPECT_EQ(json_at(run.out, "/queries"), "20");
  EXPECT_EQ(json_at(run.out, "/queries_without_hits"), "0");
}

TEST(Generate, ListsCanBeIndexed) {
  const TemporaryDirectory folder;
  for (const std::string model : {"uniform", "clustered"}) {
    const Output made = gannet({"generate", "--documents", "5000", "--lists", "20", "--model",
                                model, "--format", "ds2i", "--output", folder / model, "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    ASSERT_EQ(gannet({"index", "--input", folder / model, "--format", "ds2i", "--output",
                      folder / "idx", "--overwrite"})
                  .code,
              0);
    EXPECT_EQ(gannet({"verify", folder / "idx"}).code, 0);
    const Output search = gannet({"search", "--index", folder / "idx", "--count", "0"});
    EXPECT_EQ(search.out, "2500\n");
  }
  EXPECT_EQ(gannet({"generate", "--lists", "3", "--output", folder / "x"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "uniform.building"));
}

TEST(Generate, DocumentsAsListsAreTheSameCollection) {
  const TemporaryDirectory folder;
  ASSERT_EQ(gannet({"generate", "--documents", "300", "--output", folder / "d.jsonl"}).code, 0);
  ASSERT_EQ(
      gannet({"generate", "--documents", "300", "--format", "ds2i", "--output", folder / "d"}).code,
      0);
  ASSERT_EQ(gannet({"index", "--input", folder / "d.jsonl", "--format", "jsonl", "--stemmer",
                    "none", "--output", folder / "a"})
                .code,
            0);
  ASSERT_EQ(
      gannet({"index", "--input", folder / "d", "--format", "ds2i", "--output", folder / "b"}).code,
      0);
  for (const std::string name : {"/documents", "/terms", "/postings", "/tokens"}) {
    EXPECT_EQ(json_at(gannet({"inspect", folder / "a", "--json"}).out, name),
              json_at(gannet({"inspect", folder / "b", "--json"}).out, name));
  }
}

}  // namespace
}  // namespace gannet::test
