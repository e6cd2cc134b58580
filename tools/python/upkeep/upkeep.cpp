// Work on an index as a whole: what `gannet verify`, `repair`, `reorder`, `set-codec`, `shard
// --join` and `export` do.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "codecs/base/error.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/columns/column_file.hpp"
#include "index/reorder.hpp"
#include "index/repair.hpp"
#include "index/split/split.hpp"
#include "index/updates/set_codec.hpp"
#include "tools/building/check_index.hpp"
#include "tools/building/free_memory.hpp"
#include "tools/options/output_files.hpp"
#include "tools/options/table/option.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/progress.hpp"

namespace gannet::python {
namespace {

/// Memory, threads and wait of options that have members with these names.
template <class Options>
Options working(Options options, const std::string& memory, unsigned threads, double wait) {
  if constexpr (requires { options.lock_wait; }) options.lock_wait = wait;
  options.memory = tools::parse_size("memory", memory);
  options.threads = threads;
  return options;
}

/// Runs `work(options)`, where Ctrl-C stops it and `told` hears of its progress.
template <class Options, class Work>
auto run_told(const Options& options, const nb::object& told, const Work& work) {
  return told_work(told, [&](const std::stop_token& stop, const Tell& tell) {
    Options own = options;
    own.stop = stop;
    own.progress = tell;
    return work(own);
  });
}

/// Progress of work that has one stage.
auto one_stage(const char* stage, const Tell& tell) {
  return [=](std::uint64_t done, std::uint64_t total) { tell(stage, done, total); };
}

/// Of a column file, whose segments are decoded.
index::VerifyReport check_column(const std::string& path, const std::stop_token& stop) {
  index::VerifyReport report;
  try {
    const index::ColumnFile file{std::filesystem::path(path)};
    report.files = 1;
    report.values = file.count();
    for (std::size_t i = 0; i < file.segments().size(); ++i) {
      try {
        file.words(i, stop);
      } catch (const FormatError& error) {
        report.problems.emplace_back(error.what());
      }
    }
  } catch (const VersionError&) {
    throw;
  } catch (const FormatError& error) {
    report.problems.emplace_back(error.what());
  }
  return report;
}

nb::dict verify(const std::string& path, unsigned threads, const nb::object& progress) {
  const index::VerifyReport report =
      told_work(progress, [&](const std::stop_token& stop, const Tell& tell) {
        if (index::is_column_file(path)) return check_column(path, stop);
        return tools::check_index(path, threads, one_stage("verifying", tell), stop);
      });
  nb::dict made;
  made["sound"] = report.problems.empty();
  made["problems"] = report.problems;
  made["files"] = report.files;
  made["bytes"] = report.bytes;
  made["lists"] = report.lists;
  made["postings"] = report.postings;
  made["values"] = report.values;
  made["positions"] = dict_of(tools::PositionsSize{report.positions, report.position_bytes});
  return made;
}

nb::dict repair(const std::string& damaged, const std::string& output, bool overwrite,
                const std::string& memory, unsigned threads, const nb::object& progress,
                double wait) {
  auto options = working(index::RepairOptions{}, memory, threads, wait);
  options.overwrite = overwrite;
  const index::RepairReport report = run_told(options, progress, [&](const auto& own) {
    return index::repair_index(damaged, output, own);
  });
  nb::dict made;
  made["nothing_missing"] = report.nothing_missing();
  made["documents"] = report.statistics.documents;
  made["postings"] = report.statistics.postings;
  made["segments_lost"] = report.segments_lost;
  made["documents_lost"] = report.documents_lost;
  made["lists_lost"] = report.lists_lost;
  made["postings_lost"] = report.postings_lost;
  made["texts_lost"] = report.texts_lost;
  made["columns_lost"] = report.columns_lost;
  made["values_lost"] = report.values_lost;
  made["lengths_lost"] = report.lengths_lost;
  made["positions_lost"] = report.positions_lost;
  made["deletions_lost"] = report.deletions_lost;
  made["replaced_left_out"] = report.replaced_left_out;
  made["deleted_back"] = report.deleted_back;
  made["blocks_restored"] = report.blocks_restored;
  made["lists_rebuilt"] = report.lists_rebuilt;
  made["problems"] = report.problems;
  made["seconds"] = report.seconds;
  return made;
}

/// `ids` are those of the order "list", else not looked at.
nb::dict reorder(const std::string& path, const std::string& order,
                 const std::optional<std::vector<std::string>>& ids, const std::string& output,
                 bool overwrite, const std::string& memory, unsigned threads,
                 const nb::object& progress, double wait) {
  index::DocumentOrder wanted;
  if (ids) {
    wanted.key = index::DocumentOrder::Key::kList;
    wanted.file = "order";
    wanted.next_id = [&ids, next = std::size_t{0}](std::string& id) mutable {
      if (next == ids->size()) return false;
      id = (*ids)[next++];
      return true;
    };
  } else {
    wanted = index::parse_order(order);
    if (wanted.key == index::DocumentOrder::Key::kList) {
      throw UsageError("order: a list of ids is given as a list, not as a file");
    }
  }
  auto options = working(index::ReorderOptions{}, memory, threads, wait);
  options.output = output;
  options.overwrite = overwrite;
  options.memory_freed = tools::return_free_memory;
  const index::ReorderReport report = run_told(
      options, progress, [&](const auto& own) { return index::reorder_index(path, wanted, own); });
  nb::dict made;
  made["documents"] = report.statistics.documents;
  made["moved"] = report.moved;
  made["dropped"] = report.dropped;
  made["segments_before"] = report.segments_before;
  made["written"] = report.written;
  made["order_seconds"] = report.order_seconds;
  made["seconds"] = report.seconds;
  return made;
}

nb::dict set_codec(const std::string& path, const std::string& field, const std::string& codec,
                   const std::string& memory, unsigned threads, const nb::object& progress,
                   double wait) {
  const index::SetCodecReport report =
      run_told(working(index::MergeOptions{}, memory, threads, wait), progress,
               [&](const auto& own) { return index::set_codec(path, field, codec, own); });
  nb::dict made;
  made["before"] = report.before;
  made["codec"] = codec;
  made["segments"] = report.written.segments;
  made["documents_written"] = report.written.documents_merged;
  made["dropped"] = report.written.dropped;
  made["codec_fallbacks"] = list_of(report.written.fallbacks);
  made["seconds"] = report.written.seconds;
  return made;
}

nb::dict join_shards(const std::string& set, const std::string& output, const std::string& memory,
                     unsigned threads, const nb::object& progress) {
  const index::Statistics statistics =
      run_told(working(index::ShardOptions{}, memory, threads, 0), progress,
               [&](const auto& own) { return index::join_shards(set, output, own); });
  nb::dict made;
  made["documents"] = statistics.documents;
  made["postings"] = statistics.postings;
  return made;
}

nb::dict merge(const std::string& path, std::size_t max_segments, bool tiers,
               const std::string& memory, unsigned threads, const nb::object& progress,
               double wait) {
  auto options = working(index::MergeOptions{}, memory, threads, wait);
  options.max_segments = max_segments;
  if (tiers) options.tier = 10;
  return dict_of(
      run_told(options, progress, [&](const auto& own) { return index::merge_index(path, own); }));
}

/// An open index in the format of other programs.
void export_lists(const IndexHandle& self, const std::string& output, const std::string& format,
                  bool overwrite, const nb::object& progress) {
  const bool ciff = tools::choice_named("format", {"ds2i", "ciff"}, format) == 1;
  (ciff ? tools::check_file_output : tools::check_ds2i_output)(output, overwrite);
  told_work(progress, [&](const std::stop_token& stop, const Tell& tell) {
    (ciff ? corpora::export_ciff : corpora::export_ds2i)(
        *self.index, output, one_stage("postings", tell), stop, tools::existing_output(overwrite));
  });
}

}  // namespace

void bind_upkeep(nb::module_& module) {
  module.def("verify", verify, nb::arg("path"), nb::arg("threads"), nb::arg("progress").none());
  module.def("repair", repair, nb::arg("damaged"), nb::arg("output"), nb::arg("overwrite"),
             nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none(),
             nb::arg("wait") = 0.0);
  module.def("reorder", reorder, nb::arg("path"), nb::arg("order"), nb::arg("ids").none(),
             nb::arg("output"), nb::arg("overwrite"), nb::arg("memory"), nb::arg("threads"),
             nb::arg("progress").none(), nb::arg("wait") = 0.0);
  module.def("set_codec", set_codec, nb::arg("path"), nb::arg("field"), nb::arg("codec"),
             nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none(),
             nb::arg("wait") = 0.0);
  module.def("join_shards", join_shards, nb::arg("set"), nb::arg("output"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("merge", merge, nb::arg("path"), nb::arg("max_segments"), nb::arg("tiers"),
             nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none(),
             nb::arg("wait") = 0.0);
  module.def("export_lists", export_lists, nb::arg("index"), nb::arg("output"), nb::arg("format"),
             nb::arg("overwrite"), nb::arg("progress").none());
}

}  // namespace gannet::python
