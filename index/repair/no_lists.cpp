#include "index/repair/no_lists.hpp"

#include <algorithm>

#include "index/lexicon/lexicon.hpp"
#include "index/lists/postings.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

template <class Writer>
void put(SegmentFiles& files, FileKind kind, const fs::path& path, Writer&& writer) {
  const FileSummary summary = writer.finish();
  writer.publish_new();
  files.replace(kind, MappedFile(path));
  std::ranges::find(files.record().files, kind.name, &FileRecord::kind)->summary = summary;
}

}  // namespace

SegmentFiles without_lists(const SegmentFiles& files, const fs::path& scratch) {
  SegmentFiles without = files;
  SegmentRecord& record = without.record();
  record.statistics.terms = record.statistics.postings = 0;
  const fs::path lexicon = scratch / (record.name + "-no-terms");
  const fs::path postings = scratch / (record.name + "-no-postings");
  put(without, kLexiconFile, lexicon, LexiconWriter(lexicon, scratch));
  put(without, kPostingsFile, postings,
      PostingsWriter(postings, scratch, record.docid_codec(), record.freq_codec()));
  return without;
}

}  // namespace gannet::index
