// Building indexes: from Python's objects, and from files.
#include <filesystem>
#include <stop_token>

#include "corpora/documents/sources/id_names.hpp"
#include "corpora/documents/sources/vector_source.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/builder.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/common.hpp"
#include "tools/python/document_queue.hpp"
#include "tools/python/document_reader.hpp"
#include "tools/python/progress.hpp"

namespace gannet::python {
namespace {

/// Documents cross in batches of about so many bytes.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
/// Documents of a batch, at most; between two of them signals are looked at.
constexpr std::size_t kMaxDocuments = 4096;

/// Iterates in the calling thread and fills batches: the user's iterator runs where it was made,
/// and its exceptions are thrown where they belong.
class ObjectBatches {
 public:
  ObjectBatches(nb::iterator documents, const corpora::ReaderOptions& options)
      : documents_(std::move(documents)), reader_(options) {}

  /// Null at the end.
  std::unique_ptr<QueuedBatch> next() {
    auto batch = std::make_unique<DocumentBatch>(number_);
    // What is skipped counts too: signals are looked at between batches.
    while (batch->bytes() < kBatchBytes && batch->records() < kMaxDocuments) {
      const nb::object document = nb::steal(PyIter_Next(documents_.ptr()));
      if (!document.is_valid()) {
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
        break;
      }
      reader_.read(document, number_++, *batch);
    }
    if (batch->records() == 0) return nullptr;
    return batch;
  }

 private:
  nb::iterator documents_;
  DocumentReader reader_;
  std::uint64_t number_ = 0;
};

nb::dict build_from_objects(nb::iterator documents, const std::string& path,
                            const nb::dict& options, const nb::object& progress) {
  const BuildRequest request = build_request(options, false);
  ObjectBatches batches(std::move(documents), request.reader);
  return build_of_batches(request, path, progress, [&] { return batches.next(); });
}

index::BuildReport build_files(const std::vector<std::string>& inputs, const std::string& format,
                               const std::string& path, BuildRequest request) {
  const bool ciff = format == "ciff";
  if (ciff || format == "ds2i") {
    if (inputs.size() != 1) {
      throw UsageError("format '" + format + "' takes one path: the " +
                       (ciff ? "file" : "base name"));
    }
    if (request.build.write.store_text)
      throw UsageError("store: posting lists have no text to keep");
    const auto source = ciff ? corpora::open_ciff(inputs[0], request.build.stop)
                             : corpora::open_ds2i(inputs[0], request.build.stop);
    return index::build_inverted(*source, path, request.build);
  }
  const std::vector<std::filesystem::path> paths(inputs.begin(), inputs.end());
  if (format == "json-vectors") {
    if (request.build.write.store_text) throw UsageError("store: vectors have no text to keep");
    request.reader.quantization = corpora::quantization_for(
        corpora::scan_json_vectors(paths, request.reader), request.impact_bits);
    request.build.write.defaults.payload = {true, request.reader.quantization};
  }
  const auto source =
      corpora::open_documents(corpora::document_format(format), paths, request.reader);
  return index::build_index(*source, path, request.build);
}

nb::dict build_from_files(const std::vector<std::string>& inputs, const std::string& format,
                          const std::string& path, const nb::dict& options,
                          const nb::object& progress) {
  const bool verbatim = format == "json-vectors";
  const BuildRequest request = build_request(options, verbatim);
  return dict_of(told_work(progress, [&](const std::stop_token& stop, const Tell& tell) {
    BuildRequest made = request;
    made.build.stop = made.reader.stop = stop;
    made.build.progress = tell;
    const auto rows = request.open_rows(stop);
    made.build.rows = rows.get();
    return build_files(inputs, format, path, std::move(made));
  }));
}

}  // namespace

nb::dict build_of_batches(const BuildRequest& request, const std::string& path,
                          const nb::object& progress, const NextBatch& next) {
  std::stop_source stop;
  DocumentQueue queue(request.reader.schema, request.reader.malformed, stop.get_token());
  std::unique_ptr<QueuedBatch> waiting;
  bool ended = false;
  // Hands a batch over, or goes on waiting for room; false once all are handed over.
  const auto feed = [&] {
    if (ended) return false;
    if (!waiting) waiting = next();
    if (!waiting) {
      ended = true;
      queue.close();
      return false;
    }
    const nb::gil_scoped_release unlocked;
    queue.push(waiting, kSignalPeriod);  // takes it, or leaves it here
    return true;
  };
  const auto work = [&](const std::stop_token& cancelled, const Tell& tell) {
    // Whoever waits for the queue has the token of the source.
    const std::stop_callback forward(cancelled, [&] { stop.request_stop(); });
    index::BuildOptions build = request.build;
    const auto rows = request.open_rows(stop.get_token());
    build.rows = rows.get();
    build.stop = stop.get_token();
    build.progress = tell;
    return index::build_index(queue, path, build);
  };
  return dict_of(told_work(progress, work, feed));
}

nb::dict dict_of(const index::BuildReport& report) {
  nb::dict made;
  made["documents"] = report.live_documents();
  made["terms"] = report.statistics.terms;
  made["postings"] = report.statistics.postings;
  made["tokens"] = report.statistics.tokens;
  made["text_bytes"] = report.text_bytes;
  made["skipped"] = report.skipped;
  made["left_out"] = report.left_out;
  made["broken_files"] = nb::cast(report.broken_files);
  made["empty_documents"] = report.empty_documents;
  made["replaced"] = report.replaced;
  made["runs"] = report.runs;
  made["codec_fallbacks"] = list_of(report.fallbacks);
  made["seconds"] = report.seconds;
  return made;
}

void bind_build(nb::module_& module) {
  module.def("is_id_name", corpora::is_id_name, nb::arg("name"));
  module.def("build_from_objects", build_from_objects, nb::arg("documents"), nb::arg("path"),
             nb::arg("options"), nb::arg("progress").none());
  module.def("build_from_files", build_from_files, nb::arg("inputs"), nb::arg("format"),
             nb::arg("path"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace gannet::python
