// Sets of shards: sharing files out, building a shard, making shards a set.
#include "index/shard_set.hpp"

#include <filesystem>
#include <memory>
#include <optional>

#include "corpora/documents/sources/vector_source.hpp"
#include "index/builder.hpp"
#include "index/files/checksum.hpp"
#include "index/split/split.hpp"
#include "tools/building/shares.hpp"
#include "tools/options/table/option.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/progress.hpp"

namespace gannet::python {
namespace {

using Paths = std::vector<std::string>;
/// The first of some files, and the one behind the last.
using Files = std::pair<std::size_t, std::size_t>;
/// The largest weight of vectors, and whether all are whole numbers.
using Weights = std::pair<double, bool>;

std::vector<std::filesystem::path> paths_of(const Paths& inputs) {
  return {inputs.begin(), inputs.end()};
}

std::vector<std::pair<std::string, std::uint64_t>> input_files(const Paths& inputs) {
  std::vector<std::pair<std::string, std::uint64_t>> made;
  const auto files = interruptible(
      [&](const std::stop_token& stop) { return corpora::input_files(paths_of(inputs), stop); });
  made.reserve(files.size());
  for (const corpora::InputFile& file : files) made.emplace_back(file.path.string(), file.bytes);
  return made;
}

std::vector<std::size_t> share_out(const std::vector<std::uint64_t>& sizes, std::size_t parts) {
  if (parts == 0 || parts > sizes.size()) {
    throw UsageError(std::to_string(sizes.size()) + " pieces for " + std::to_string(parts) +
                     " parts, each of which has one at least");
  }
  return tools::share_out(sizes, parts);
}

Weights scan_vectors(const Paths& inputs, const nb::dict& options, const Files& files) {
  const BuildRequest request = build_request(options, true);
  const corpora::VectorWeights weights = interruptible([&](const std::stop_token& stop) {
    corpora::ReaderOptions reader = request.reader;
    reader.files = {files.first, files.second};
    reader.stop = stop;
    return corpora::scan_json_vectors(paths_of(inputs), reader);
  });
  return {weights.largest, weights.whole};
}

/// Builds an index of some of a collection's files. `weights` are those of all its vectors.
nb::dict build_shard(const Paths& inputs, const std::string& format, const std::string& path,
                     const nb::dict& options, const Files& files,
                     const std::optional<Weights>& weights) {
  BuildRequest request = build_request(options, weights.has_value());
  const corpora::DocumentFormat kind = corpora::document_format(format);
  request.reader.files = {files.first, files.second};
  if (weights) {
    if (request.build.write.store_text) throw UsageError("store: vectors have no text to keep");
    request.reader.quantization =
        corpora::quantization_for({weights->first, weights->second}, request.impact_bits);
    request.build.write.defaults.payload = {true, request.reader.quantization};
  }
  return dict_of(interruptible([&](const std::stop_token& stop) {
    BuildRequest own = request;
    own.build.stop = own.reader.stop = stop;
    const auto source = corpora::open_documents(kind, paths_of(inputs), own.reader);
    return index::build_index(*source, path, own.build);
  }));
}

/// XXH3-64 of every document's id, by docid.
nb::any id_hashes(const std::string& path) {
  return array_of(interruptible([&](const std::stop_token&) {
    const index::Index shard = index::Index::open(path);
    std::vector<std::uint64_t> hashes;
    hashes.reserve(shard.statistics().documents);
    for (std::uint64_t d = 0; d < shard.statistics().documents; ++d) {
      const std::string id = shard.document_id(static_cast<index::Docid>(d));
      hashes.push_back(index::xxh3(std::as_bytes(std::span(id))));
    }
    return hashes;
  }));
}

nb::list shard_list(const std::vector<index::ShardRecord>& shards) {
  nb::list made;
  for (const index::ShardRecord& shard : shards) {
    made.append(nb::make_tuple(shard.name, shard.docid_base, shard.documents, shard.manifest));
  }
  return made;
}

nb::list read_shard_set(const std::string& path) {
  if (!index::is_shard_set(path)) {
    throw UsageError(path +
                     ": not a set of shards; gannet.ray.build makes one of files, "
                     "gannet.ray.shard of an index");
  }
  return shard_list(index::read_shard_set(path));
}

nb::list split_index(const std::string& index, const std::string& output, std::size_t shards,
                     const std::string& memory, unsigned threads, const nb::object& progress) {
  const std::uint64_t bytes = tools::parse_size("memory", memory);
  return shard_list(told_work(progress, [&](const std::stop_token& stop, const Tell& tell) {
    return index::split_index(
        index, output, shards,
        {.memory = bytes, .threads = threads, .stop = stop, .progress = tell});
  }));
}

/// A writer of sets that may be closed before its life ends.
class ShardSetHandle {
 public:
  ShardSetHandle(const std::string& path, std::size_t shards)
      : writer_(std::make_unique<index::ShardSetWriter>(path, shards)) {}

  std::string shard(std::size_t number) const { return open().shard(number).string(); }
  nb::list commit() {
    index::ShardSetWriter& writer = open();
    return shard_list(interruptible([&](const std::stop_token&) { return writer.commit(); }));
  }
  /// Removes the shards, unless they were made a set.
  void close() {
    const nb::gil_scoped_release unlocked;
    writer_.reset();
  }

 private:
  index::ShardSetWriter& open() const {
    if (writer_ == nullptr) throw UsageError("the writer of the set is closed");
    return *writer_;
  }
  std::unique_ptr<index::ShardSetWriter> writer_;
};

}  // namespace

void bind_shard_set(nb::module_& module) {
  module.def("input_files", input_files, nb::arg("inputs"));
  module.def("share_out", share_out, nb::arg("sizes"), nb::arg("parts"));
  module.def("scan_vectors", scan_vectors, nb::arg("inputs"), nb::arg("options"), nb::arg("files"));
  module.def("build_shard", build_shard, nb::arg("inputs"), nb::arg("format"), nb::arg("path"),
             nb::arg("options"), nb::arg("files"), nb::arg("weights").none());
  module.def("id_hashes", id_hashes, nb::arg("path"));
  module.def("read_shard_set", read_shard_set, nb::arg("path"));
  module.def("split_index", split_index, nb::arg("index"), nb::arg("output"), nb::arg("shards"),
             nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none());
  nb::class_<ShardSetHandle>(module, "ShardSetHandle")
      .def(nb::init<const std::string&, std::size_t>(), nb::arg("path"), nb::arg("shards"))
      .def("shard", &ShardSetHandle::shard, nb::arg("number"))
      .def("commit", &ShardSetHandle::commit)
      .def("close", &ShardSetHandle::close);
}

}  // namespace gannet::python
