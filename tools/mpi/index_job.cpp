#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "index/files/checksum.hpp"
#include "index/index.hpp"
#include "index/shard_set.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/build_output.hpp"
#include "tools/building/index_options.hpp"
#include "tools/building/input_guess.hpp"
#include "tools/building/shares.hpp"
#include "tools/mpi/duplicate_ids.hpp"
#include "tools/mpi/jobs.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/notes.hpp"

namespace gannet::tools {
namespace {

void check_options(const OptionSet& options) {
  if (is_inverted(options.get<std::string>("format"))) {
    throw UsageError(
        "--mpi: posting lists come in one piece; build one index of them and cut that with gannet "
        "shard");
  }
  if (options.has("rows")) {
    throw UsageError(
        "--rows: with --mpi, no process knows which of the rows are its documents'; put the values "
        "into the documents, or build one index and cut it with gannet shard");
  }
  if (options.has("order")) {
    throw UsageError(
        "--order: with --mpi, documents keep the order of the input; reorder one index and cut it "
        "with gannet shard");
  }
  if (options.has("resume")) {
    throw UsageError("--resume: with --mpi, a build that was interrupted starts again");
  }
  if (options.has("overwrite")) {
    throw UsageError("--overwrite: with --mpi, shards are written to a new folder");
  }
}

/// Equal for ranks that see the same files.
std::uint64_t fingerprint(const std::vector<corpora::InputFile>& files) {
  std::string all;
  for (const corpora::InputFile& file : files) {
    all += fmt::format("{}\n{}\n", file.path.string(), file.bytes);
  }
  return index::xxh3(std::as_bytes(std::span(all)));
}

/// The files of this rank. Collective.
corpora::FileRange share_of(Ranks& ranks, const std::vector<corpora::InputFile>& files) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::uint64_t firsts = fingerprint(files);
  const std::uint64_t mine = firsts;
  ranks.agree();
  MPI_Bcast(&firsts, 1, MPI_UINT64_T, 0, ranks.world());
  if (mine != firsts) {
    throw InputError(
        "the input has other files, or of other sizes, here than on rank 0: all hosts must see the "
        "same folders");
  }
  if (files.size() < size) {
    throw UsageError(fmt::format(
        "--input: {} for {} processes, each of which takes whole files; start fewer, or split them",
        files.size() == 1 ? "one file" : fmt::format("{} files", files.size()), size));
  }
  std::vector<std::uint64_t> bytes;
  bytes.reserve(files.size());
  for (const corpora::InputFile& file : files) bytes.push_back(file.bytes);
  const std::vector<std::size_t> starts = share_out(bytes, size);
  const auto rank = static_cast<std::size_t>(ranks.rank());
  return {starts[rank], starts[rank + 1]};
}

/// What the weights of all ranks' files are like. Collective.
corpora::VectorWeights weights_of_all(Ranks& ranks, const std::vector<std::filesystem::path>& input,
                                      const corpora::ReaderOptions& reader) {
  corpora::VectorWeights weights;
  ranks.work(reader.stop, [&](const std::stop_token& stop) {
    corpora::ReaderOptions mine = reader;
    mine.stop = stop;
    weights = corpora::scan_json_vectors(input, mine);
  });
  int whole = weights.whole ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &weights.largest, 1, MPI_DOUBLE, MPI_MAX, ranks.world());
  MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_MIN, ranks.world());
  weights.whole = whole != 0;
  return weights;
}

/// What all ranks did. Each names the files that it could not read to their ends. Collective.
void add_up(const Ranks& ranks, index::BuildReport& report) {
  std::array numbers{report.text_bytes, report.skipped,  report.empty_documents,
                     report.runs,       report.left_out, std::uint64_t{report.broken_files.size()}};
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T,
                MPI_SUM, ranks.world());
  report.text_bytes = numbers[0];
  report.skipped = numbers[1];
  report.empty_documents = numbers[2];
  report.runs = numbers[3];
  report.left_out = numbers[4];
  if (!ranks.is_first()) {
    for (const std::string& file : report.broken_files) print_warning(file);
  }
  while (report.broken_files.size() < numbers[5]) {
    report.broken_files.push_back("a file that another process names could not be read to its end");
  }
}

/// Builds this rank's shard, and waits for the others'. Collective.
index::BuildReport build_shard(Ranks& ranks, const BuildRun& run, const IndexSetup& setup,
                               const std::filesystem::path& directory) {
  index::BuildReport report;
  ranks.work(setup.build.stop, [&](const std::stop_token& stop) {
    index::BuildOptions build = setup.build;
    corpora::ReaderOptions reader = setup.reader;
    build.stop = reader.stop = stop;
    report = index::build_index(*run.open_documents(reader), directory, build);
  });
  return report;
}

}  // namespace

int index_job(Ranks& ranks, Args args) {
  const auto start = std::chrono::steady_clock::now();
  OptionSet options(index_help());
  options.add(options::kInputOptions, options::kIndexOptions);
  options.positional("input");
  if (!options.parse(args)) return kOk;
  settle_input(options, true, ranks.is_first());
  check_options(options);
  IndexSetup setup = index_setup(options);
  BuildRun run(options, setup.build, setup.reader);
  if (!ranks.is_first()) setup.build.progress = {};
  setup.reader.files = share_of(ranks, corpora::input_files(run.inputs(), setup.reader.stop));
  if (options.get<std::string>("format") == "json-vectors") {
    set_impacts(options, weights_of_all(ranks, run.inputs(), setup.reader), setup);
  }
  const std::filesystem::path output = options.get<std::string>("output");
  std::optional<index::ShardSetWriter> writer;
  if (ranks.is_first()) writer.emplace(output, static_cast<std::size_t>(ranks.size()));
  if (ranks.is_first()) run.opened();
  ranks.agree();
  run.opened(false);
  const auto shard = output / index::shard_name(static_cast<std::size_t>(ranks.rank()));
  index::BuildReport report = build_shard(ranks, run, setup, shard);
  add_up(ranks, report);
  check_ids(ranks, output);
  if (!ranks.is_first()) return report.broken_files.empty() ? kOk : kSkipped;
  writer->commit();
  report.statistics = index::open_shards(output).statistics();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return print_report(options, output.string(), report, nullptr, nullptr, ranks.size());
}

}  // namespace gannet::tools
