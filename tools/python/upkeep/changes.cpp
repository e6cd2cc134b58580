// Changing an index by a call: what `gannet add`, `update` and `delete` do.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/progress.hpp"

namespace gannet::python {
namespace {

/// Segments of like size that are merged after documents were added, as `gannet add` does.
constexpr unsigned kTier = 10;

nb::dict remove(const std::string& path, const std::vector<std::string>& ids,
                const std::string& query, const std::string& filter, bool dry_run, double wait) {
  const auto work = [&](const std::stop_token& stop) {
    index::DocumentRemover remover =
        dry_run ? index::DocumentRemover::preview(path) : index::DocumentRemover(path, stop, wait);
    std::vector<std::string> missing;
    for (const std::string& id : ids) {
      if (!remover.remove(id)) missing.push_back(id);
    }
    if (!query.empty() || !filter.empty()) {
      for (const index::Docid docid : matches_of(remover.index(), query, filter, stop)) {
        remover.remove(docid);
      }
    }
    const index::Index& before = *remover.index();
    const std::uint64_t left =
        before.statistics().documents - before.deleted_documents() - remover.removed();
    const std::uint64_t removed = remover.removed();
    if (!dry_run) remover.commit();
    return std::tuple(removed, left, std::move(missing));
  };
  auto [removed, left, missing] = interruptible(work);
  nb::dict made;
  made["deleted"] = removed;
  made["documents"] = left;
  made["not_found"] = missing;
  return made;
}

struct Added {
  index::BuildReport report = {};
  std::uint64_t documents = 0;  ///< added
  index::MergeReport merged = {};
  std::string merge_problem = {};
};

index::BuildReport add_files(const std::vector<std::string>& inputs, const std::string& format,
                             const std::string& path, const index::BuildOptions& build,
                             const corpora::ReaderOptions& reader) {
  if (format == "ciff" || format == "ds2i") {
    if (inputs.size() != 1) throw UsageError("format '" + format + "' takes one path");
    const auto source = format == "ciff" ? corpora::open_ciff(inputs[0], build.stop)
                                         : corpora::open_ds2i(inputs[0], build.stop);
    return index::add_inverted(*source, path, build);
  }
  const std::vector<std::filesystem::path> paths(inputs.begin(), inputs.end());
  const auto source = corpora::open_documents(corpora::document_format(format), paths, reader);
  return index::add_documents(*source, path, build);
}

/// A merge that cannot be made fails nothing: the documents are there, and the next call tries it
/// again.
void merge_added(const std::string& path, const index::BuildOptions& build, Added& added) {
  try {
    added.merged = index::merge_index(path, index::tiers_after(build, kTier));
  } catch (const CancelledError&) {
    throw;
  } catch (const std::exception& error) {
    added.merge_problem = error.what();
  }
}

nb::dict add_from_files(const std::vector<std::string>& inputs, const std::string& format,
                        const std::string& path, const nb::dict& options, bool update, bool merge,
                        const nb::object& progress, double wait) {
  const BuildRequest request = build_request(options, false);
  const auto work = [&](const std::stop_token& stop, const Tell& tell) {
    index::options_to_add_to(path);  // throws where no index is: then there is nothing to lock
    const auto lock = std::make_shared<index::DirectoryLock>(path, wait, stop);
    // Read behind the lock: who held it may have changed them.
    index::BuildOptions build = index::options_to_add_to(path);
    build.write.lock = lock;
    build.update = update;
    build.memory = request.build.memory;
    build.threads = request.build.threads;
    build.memory_freed = request.build.memory_freed;
    build.stop = stop;
    build.progress = tell;
    corpora::ReaderOptions reader = request.reader;
    reader.stop = stop;
    reader.fields = build.write.contents;
    reader.schema = build.write.schema;
    reader.quantization = build.write.defaults.payload.quantization;
    const index::Index before = index::Index::open(path);
    if (update) index::check_has_ids(before);
    Added added;
    added.report = add_files(inputs, format, path, build, reader);
    added.documents = added.report.statistics.documents - before.statistics().documents;
    if (merge) merge_added(path, build, added);
    return added;
  };
  const Added added = told_work(progress, work);
  nb::dict made = dict_of(added.report);
  made["added"] = added.documents;
  made["deleted_documents"] = added.report.deleted - added.merged.dropped;
  made["merged"] = added.merged.changed() ? nb::object(dict_of(added.merged)) : nb::none();
  made["merge_problem"] =
      added.merge_problem.empty() ? nb::none() : nb::object(nb::str(added.merge_problem.c_str()));
  return made;
}

}  // namespace

void bind_changes(nb::module_& module) {
  module.def("remove", remove, nb::arg("path"), nb::arg("ids"), nb::arg("query"), nb::arg("filter"),
             nb::arg("dry_run"), nb::arg("wait") = 0.0);
  module.def("add_from_files", add_from_files, nb::arg("inputs"), nb::arg("format"),
             nb::arg("path"), nb::arg("options"), nb::arg("update"), nb::arg("merge"),
             nb::arg("progress").none(), nb::arg("wait") = 0.0);
}

}  // namespace gannet::python
