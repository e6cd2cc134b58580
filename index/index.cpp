#include "index/index.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "codecs/base/plain_number.hpp"
#include "codecs/base/threads/once.hpp"
#include "index/fields/field_column.hpp"
#include "index/files/limits.hpp"
#include "index/segment/live_documents.hpp"
#include "index/text/analyzer.hpp"

namespace gannet::index {

/// By field of the schema.
struct Index::TextAnalyzers {
  explicit TextAnalyzers(std::size_t fields) : once(new Once[fields]), analyzers(fields) {}
  std::unique_ptr<Once[]> once;
  std::vector<std::unique_ptr<const Analyzer>> analyzers;
};

Index::Index(std::vector<std::shared_ptr<const Segment>> segments, AnalyzerConfig analyzer,
             ScoringDefaults defaults, Schema schema,
             std::vector<std::shared_ptr<const LiveDocuments>> live)
    : analyzer_(std::move(analyzer)),
      defaults_(defaults),
      schema_(std::move(schema)),
      segments_(std::move(segments)),
      segment_list_(std::make_shared<const SegmentList>(segments_.begin(), segments_.end())) {
  if (const auto problem = scoring_problem(defaults.k1, defaults.b)) {
    throw UsageError("BM25's defaults: " + *problem);
  }
  if (schema_.has_text()) {
    texts_.resize(schema_.fields().size());
    text_analyzers_ = std::make_shared<TextAnalyzers>(texts_.size());
  }
  for (const auto& segment : segments_) {
    add_texts(*segment);
    docid_bases_.push_back(static_cast<Docid>(statistics_.documents));
    const Statistics& part = segment->statistics();
    if (part.documents > kMaxDocuments) {
      throw UsageError("a segment can have at most " + std::to_string(kMaxDocuments) +
                       " documents, not " + std::to_string(part.documents));
    }
    statistics_.documents += part.documents;
    statistics_.postings += part.postings;
    statistics_.tokens += part.tokens;
    // Of several segments, distinct terms are not known without merging their lexicons.
    statistics_.terms = std::max(statistics_.terms, part.terms);
    if (statistics_.documents > kMaxIndexDocuments) {
      throw UsageError("the segments have more documents together than an index can number");
    }
  }
  add_live(std::move(live));
}

void Index::add_live(std::vector<std::shared_ptr<const LiveDocuments>> live) {
  live.resize(live.empty() ? segments_.size() : live.size());
  if (live.size() != segments_.size()) {
    throw UsageError("live documents are given for each segment or for none");
  }
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    if (live[s] == nullptr) continue;
    if (live[s]->documents() != segments_[s]->statistics().documents) {
      throw UsageError("the live documents are not those of their segment");
    }
    deleted_ += live[s]->deleted();
  }
  live_ = std::move(live);
}

void Index::add_texts(const Segment& segment) {
  for (std::uint32_t i = 0; i < texts_.size(); ++i) {
    if (!schema_.fields()[i].is_text()) continue;
    const TextStatistics part = segment.text_statistics(i);
    texts_[i].documents += part.documents;
    texts_[i].tokens += part.tokens;
  }
}

const Analyzer& Index::text_analyzer(std::uint32_t field) const {
  text_analyzers_->once[field]([&] {
    text_analyzers_->analyzers[field] = std::make_unique<const Analyzer>(
        index::text_analyzer(analyzer_, schema_.fields()[field].text));
  });
  return *text_analyzers_->analyzers[field];
}

Index Index::part(std::size_t first, std::size_t end) const {
  if (first > end || end > segments_.size()) {
    throw UsageError("the index has not the segments " + std::to_string(first) + " to " +
                     std::to_string(end));
  }
  const auto cut = [&](const auto& all) {
    using Offset = std::ptrdiff_t;
    return std::vector(all.begin() + static_cast<Offset>(first),
                       all.begin() + static_cast<Offset>(end));
  };
  return {cut(segments_), analyzer_, defaults_, schema_, cut(live_)};
}

std::size_t Index::segment_of(Docid docid) const {
  const auto after = std::upper_bound(docid_bases_.begin(), docid_bases_.end(), docid);
  return static_cast<std::size_t>(after - docid_bases_.begin()) - 1;
}

std::string Index::document_id(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  if (!segments_[segment]->has_ids()) return std::to_string(docid);
  return segments_[segment]->document_id(docid - docid_bases_[segment]);
}

bool Index::is_live(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  return live_[segment] == nullptr || live_[segment]->has(docid - docid_bases_[segment]);
}

namespace {

/// The number that a text is, written as numbers of documents are; nothing for any other text.
std::optional<Docid> docid_in(std::string_view text) {
  if (text != "0" && text.starts_with('0')) return std::nullopt;
  return plain_number<Docid>(text);
}

}  // namespace

std::optional<Docid> Index::find_document(std::string_view id) const {
  std::vector<Docid> found;
  for (std::size_t s = segments_.size(); s-- > 0;) {  // what was added last is asked for most
    found.clear();
    segments_[s]->find_documents(id, found);
    for (const Docid docid : found) {
      if (is_live(docid_bases_[s] + docid)) return docid_bases_[s] + docid;
    }
  }
  const auto docid = docid_in(id);
  if (!docid || *docid >= statistics_.documents || !is_live(*docid)) return std::nullopt;
  return segments_[segment_of(*docid)]->has_ids() ? std::nullopt : docid;
}

std::optional<DocumentPlace> Index::locate_document(std::string_view id) const {
  if (const auto docid = find_document(id)) return DocumentPlace{*docid, segment_of(*docid), true};
  std::vector<Docid> found;
  for (std::size_t s = segments_.size(); s-- > 0;) {
    segments_[s]->find_documents(id, found);
    if (!found.empty()) return DocumentPlace{docid_bases_[s] + found.back(), s, false};
  }
  const auto docid = docid_in(id);
  if (!docid || *docid >= statistics_.documents) return std::nullopt;
  const std::size_t segment = segment_of(*docid);
  if (segments_[segment]->has_ids()) return std::nullopt;
  return DocumentPlace{*docid, segment, false};
}

std::optional<std::string> Index::stored_text(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  return segments_[segment]->stored_text(docid - docid_bases_[segment]);
}

std::optional<std::string> Index::stored_field(std::size_t field, Docid docid) const {
  if (docid >= statistics_.documents) {
    throw UsageError("the index has no document " + std::to_string(docid));
  }
  const std::size_t segment = segment_of(docid);
  const StoredTexts* const texts = segments_[segment]->field(field).texts();
  if (texts == nullptr) {
    throw UsageError("field " + std::to_string(field) +
                     " is not stored; its values are in columns");
  }
  return texts->text(docid - docid_bases_[segment]);
}

}  // namespace gannet::index
