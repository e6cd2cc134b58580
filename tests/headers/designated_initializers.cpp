// A program that sets some members of what it passes to the library, compiled with -Wextra: none of
// the others may be missed. Of each struct the first member is set alone, and the last one.
#include "codecs/device/stream_column.hpp"
#include "codecs/pick.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/evaluation/trec_run.hpp"
#include "corpora/topics/topics.hpp"
#include "index/builder.hpp"
#include "index/columns/column_file.hpp"
#include "index/index_writer.hpp"
#include "index/verify.hpp"
#include "query/columns/column_query.hpp"
#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "query/snippets/render.hpp"

namespace gannet::consumer {

template <class... Values>
void use(const Values&...);

void decode_and_read() {
  use(codecs::ColumnView{.codec = nullptr}, codecs::ColumnView{.count = 1},
      codecs::cuda::StreamOptions{.slots = 2}, codecs::cuda::StreamOptions{.finished = nullptr});
  use(corpora::ReaderOptions{.malformed = corpora::Malformed::kSkip},
      corpora::ReaderOptions{.stop = {}}, corpora::RankedDocument{.document = "d"},
      corpora::RankedDocument{.score = 1}, corpora::RankedList{.query = "q"},
      corpora::RankedList{.documents = {}}, corpora::TopicTerm{.term = "t"},
      corpora::TopicTerm{.weight = 2}, corpora::Topic{.id = "1"}, corpora::Topic{.vector = {}});
}

void build() {
  use(index::TextField{.name = "title"}, index::TextField{.text = "t"},
      index::WeightedTerm{.term = "t"}, index::WeightedTerm{.weight = 2},
      index::Document{.id = "d"}, index::Document{.terms = {}});
  use(index::BuildOptions{.write = {}}, index::BuildOptions{.threads = 2},
      index::BuildOptions{.progress = {}}, index::WriteOptions{.docid_codec = nullptr},
      index::WriteOptions{.store_text = true}, index::WriteOptions{.stop = {}},
      index::AnalyzerConfig{.stemmer = "english"}, index::AnalyzerConfig{.libraries = {}});
  use(index::ColumnOptions{.codec = "none"}, index::ColumnOptions{.stop = {}},
      index::VerifyReport{.problems = {}});
}

void search() {
  use(query::Query{.text = "t"}, query::Query{.k = 3}, query::Query{.scorer = {}},
      query::Query{.fuzzy_prefix = 1}, query::VerbatimTerm{.term = "t"},
      query::VerbatimTerm{.weight = 2}, query::SearchOptions{.stop = {}},
      query::SearchOptions{.exhaustive = true});
  use(query::SearcherOptions{.backend = query::BackendChoice::kCpu},
      query::SearcherOptions{.cuda = {.device = 1}},
      query::SearcherOptions{.cpu = {.bounds_bits = 1}}, query::CpuOptions{.threads = 1},
      query::CudaOptions{.host_threads = 1}, query::Expansion{.documents = 5});
  use(query::SnippetOptions{.fragments = 1}, query::SnippetOptions{.stop = {}},
      query::Markup{.open = "<em>"}, query::Markup{.ellipsis = "..."});
  use(query::Plan::Parts{.want = query::Want::kCount}, query::Plan::Parts{.expression = {}},
      query::QueryTerm{.text = "t"}, query::QueryTerm{.collection_frequency = 1},
      query::QueryTerm{.constant = true}, query::ColumnQuery{.sort = {}},
      query::ColumnQuery{.group = {}}, query::SortKey{.field = "f"},
      query::SortKey{.missing_first = true}, query::FacetRequest{.field = "f"},
      query::FacetRequest{.values = 3}, query::HistogramRequest{.field = "f"},
      query::HistogramRequest{.empty_bins = false}, query::GroupRequest{.field = "f"},
      query::GroupRequest{.hits = 3}, query::ColumnOptions{.threads = 1},
      query::ColumnOptions{.stop = {}}, query::CollectionStatistics{.documents = 1},
      query::TermStatistics{.documents = 1});
}

}  // namespace gannet::consumer
