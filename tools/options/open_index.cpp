#include "tools/options/open_index.hpp"

#include <fmt/format.h>

#include <utility>

#include "codecs/error.hpp"

namespace gannet::tools {

namespace po = boost::program_options;

void add_index_option(OptionSet& options) {
  options.add()("index", po::value<std::string>()->required(), "the index (a folder)");
}

void add_backend_options(OptionSet& options) {
  options.add()("backend", po::value<std::string>()->default_value("auto"),
                "auto (the GPU if there is one and the index fits), cpu or cuda")(
      "device", po::value<int>()->default_value(0), "which GPU")(
      "threads", po::value<unsigned>()->default_value(0), "of the cpu back end; 0: all cores");
}

void add_scoring_options(OptionSet& options) {
  options.add()("mode", po::value<std::string>()->default_value("or"),
                "how terms without an operator combine: or, and")(
      "k1", po::value<float>(), "BM25's k1 (default: the index's)")(
      "b", po::value<float>(), "BM25's b, 0 to 1 (default: the index's)");
}

std::shared_ptr<const index::Index> open_index(const OptionSet& options) {
  return std::make_shared<const index::Index>(
      index::Index::open(options.get<std::string>("index")));
}

query::Searcher open_searcher(std::shared_ptr<const index::Index> index, const OptionSet& options) {
  query::SearcherOptions searcher;
  searcher.backend = query::backend_choice(options.get<std::string>("backend"));
  searcher.cpu.threads = options.get<unsigned>("threads");
  searcher.cuda.device = options.get<int>("device");
  return query::Searcher(std::move(index), searcher);
}

query::Query query_template(const OptionSet& options) {
  query::Query query;
  const auto& mode = options.get<std::string>("mode");
  if (mode != "or" && mode != "and") {
    throw UsageError(fmt::format("--mode: '{}' is neither 'or' nor 'and'", mode));
  }
  query.mode = mode == "and" ? query::Mode::kAnd : query::Mode::kOr;
  if (options.has("k1")) query.k1 = options.get<float>("k1");
  if (options.has("b")) query.b = options.get<float>("b");
  return query;
}

std::string external_id(const index::Index& index, std::uint32_t docid) {
  return index.segments().front()->document_id(docid);
}

std::optional<std::string> stored_text(const index::Index& index, std::uint32_t docid) {
  return index.segments().front()->stored_text(docid);
}

void write_report(Json& json, const query::Report& report) {
  const auto rate = [&](std::uint64_t n) {
    return report.seconds > 0 ? static_cast<double>(n) / report.seconds : 0.0;
  };
  json.begin_object().member("backend", report.backend).member("reason", report.reason);
  json.member("queries", report.queries).member("seconds", report.seconds);
  json.member("device_seconds", report.device_seconds);
  json.member("queries_per_second", rate(report.queries)).member("postings", report.postings);
  json.member("postings_per_second", rate(report.postings));
  json.member("tiles_decoded", report.tiles_decoded).member("tiles_total", report.tiles_total);
  json.end_object();
}

void accumulate(query::Report& sum, const query::Report& batch) {
  sum.backend = batch.backend;
  sum.reason = batch.reason;
  sum.queries += batch.queries;
  sum.postings += batch.postings;
  sum.tiles_decoded += batch.tiles_decoded;
  sum.tiles_total += batch.tiles_total;
  sum.seconds += batch.seconds;
  sum.device_seconds += batch.device_seconds;
}

}  // namespace gannet::tools
