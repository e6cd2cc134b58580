#include "index/updates/merge/write_merged.hpp"

#include <string>

#include "codecs/base/cancellation.hpp"
#include "index/commit/list_writer.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/updates/merge/merged_fields.hpp"
#include "index/updates/merge/merged_lists.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

/// Between two looks at the stop token.
constexpr Docid kDocumentsPerStep = 1024;

void add_documents(const MergedSegment& from, const MergeWork& work, IndexWriter& writer) {
  const Segment& segment = from.segment();
  const auto lengths = segment.document_lengths();
  for (Docid d = from.first(); d < from.end(); ++d) {
    if ((d - from.first()) % kDocumentsPerStep == 0) {
      throw_if_stopped(work.stop);
      if (work.progress) work.progress("reading documents", d - from.first(), from.documents());
    }
    if (!from.is_live(d)) continue;
    const std::string id = segment.has_ids() ? segment.document_id(d) : std::string();
    writer.add_document(id, lengths[d], segment.stored_text(d).value_or(std::string()));
  }
}

/// Spans of the documents that come along.
void add_spans(const MergedSegment& from, const Schema& schema, const std::stop_token& stop,
               IndexWriter& writer) {
  StopCheck check_stop(stop);
  const auto add = [&](std::uint32_t text) {
    const auto spans = from.segment().text_spans(text);
    for (Docid d = from.first(); d < from.end(); ++d) {
      check_stop();
      if (from.is_live(d)) writer.add_span(text, spans[d]);
    }
  };
  add(kMainText);
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    if (schema.fields()[i].is_text()) add(i);
  }
}

}  // namespace

std::uint64_t write_merged(std::span<const MergedSegment> segments, const Schema& schema,
                           const MergeWork& work, IndexWriter& writer) {
  for (const MergedSegment& segment : segments) check_for_copy(segment.segment(), work.stop);
  std::uint64_t documents = 0;
  for (const MergedSegment& segment : segments) {
    add_documents(segment, work, writer);
    if (writer.has_positions()) add_spans(segment, schema, work.stop, writer);
    documents += segment.documents();
  }
  if (FieldCollector* const fields = writer.fields()) {
    for (const MergedSegment& segment : segments) {
      add_fields(segment, schema, work.budget.run, work.stop, *fields);
    }
  }
  with_threads(work.budget.threads, [&] {
    using Places = MergedLists::Places;
    MergedLists lists(segments, writer.has_positions() ? Places::kKept : Places::kLeftOut);
    write_lists(lists, writer, work.budget.batch_postings, work.stop, [&](std::uint64_t done) {
      if (work.progress) work.progress("merging lists", done, 0);
    });
  });
  return documents;
}

}  // namespace gannet::index
