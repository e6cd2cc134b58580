#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <simdjson.h>

#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/base/version.hpp"
#include "corpora/documents/bytes/byte_output.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ciff/fields.hpp"
#include "index/commit/segment_copy.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;
using ciff::DocumentField;
using ciff::HeaderField;
using ciff::ListField;
using ciff::PostingField;
using google::protobuf::io::CodedOutputStream;

constexpr std::uint32_t tag_of(std::uint32_t field, std::uint32_t wire_type) {
  return field << 3 | wire_type;
}
constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2;

/// A message under way. Fields that are 0 or empty are left out, as protobuf does.
class MessageBytes {
 public:
  MessageBytes() : text_(&bytes_), stream_(&text_) {}

  void number(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    stream_.WriteTag(tag_of(field, kVarint));
    stream_.WriteVarint64(value);
  }
  void real(std::uint32_t field, double value) {
    if (value == 0) return;
    stream_.WriteTag(tag_of(field, kFixed64));
    stream_.WriteLittleEndian64(std::bit_cast<std::uint64_t>(value));
  }
  void text(std::uint32_t field, std::string_view value) {
    if (value.empty()) return;
    stream_.WriteTag(tag_of(field, kBytes));
    stream_.WriteVarint32(static_cast<std::uint32_t>(value.size()));
    stream_.WriteRaw(value.data(), static_cast<int>(value.size()));
  }
  void posting(std::uint32_t gap, std::uint32_t frequency) {
    const std::size_t size = (gap == 0 ? 0 : 1 + CodedOutputStream::VarintSize32(gap)) + 1 +
                             CodedOutputStream::VarintSize32(frequency);
    stream_.WriteTag(tag_of(ListField::kPosting, kBytes));
    stream_.WriteVarint32(static_cast<std::uint32_t>(size));
    number(PostingField::kGap, gap);
    number(PostingField::kFrequency, frequency);
  }

  /// The message, to which nothing may be added afterwards; nothing if it has 2^31 bytes or more,
  /// which no message may.
  const std::string* finish() {
    stream_.Trim();
    const bool fits = bytes_.size() <= std::numeric_limits<std::int32_t>::max();
    return fits && !stream_.HadError() ? &bytes_ : nullptr;
  }

 private:
  std::string bytes_;
  google::protobuf::io::StringOutputStream text_;
  CodedOutputStream stream_;
};

class CiffWriter {
 public:
  CiffWriter(const fs::path& path, const std::stop_token& stop, index::Existing existing)
      : output_(path, stop, existing) {}

  /// `what` names the message in errors.
  void append(MessageBytes& message, std::string_view what) {
    const std::string* const bytes = message.finish();
    if (bytes == nullptr) {
      throw UsageError(std::string(what) + " takes 2^31 bytes or more, which " +
                       output_.path().string() + " cannot hold");
    }
    std::uint8_t size[5];
    const std::uint8_t* const end =
        CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(bytes->size()), size);
    output_.write(std::as_bytes(std::span<const std::uint8_t>(size, end)));
    output_.write(std::as_bytes(std::span(*bytes)));
  }

  /// `text` as it is. Throws UsageError if it is not UTF-8, which protobuf's strings are.
  const std::string& checked(const std::string& text, std::string_view what) const {
    if (simdjson::validate_utf8(text)) return text;
    throw UsageError("the " + std::string(what) + " '" + text + "' is not UTF-8, which " +
                     output_.path().string() + " cannot hold");
  }

  void finish() { output_.finish(); }

 private:
  ByteOutput output_;
};

void write_header(const index::Statistics& statistics, CiffWriter& writer) {
  MessageBytes header;
  header.number(HeaderField::kVersion, ciff::kVersion);
  header.number(HeaderField::kLists, statistics.terms);
  header.number(HeaderField::kDocuments, statistics.documents);
  header.number(HeaderField::kTotalLists, statistics.terms);
  header.number(HeaderField::kTotalDocuments, statistics.documents);
  header.number(HeaderField::kTokens, statistics.tokens);
  header.real(HeaderField::kAverageLength, statistics.average_length());
  header.text(HeaderField::kDescription, "gannet " GANNET_VERSION_STRING);
  writer.append(header, "the header");
}

/// Returns the number of postings.
std::uint64_t write_list(const index::Segment& segment, index::TermId id, CiffWriter& writer) {
  const std::string term = segment.term(id);
  const index::PostingList list = segment.list(id);
  std::vector<std::uint32_t> docids(list.count);
  std::vector<std::uint32_t> frequencies(list.count);
  list.decode_docids(docids.data());
  list.decode_frequencies(frequencies.data());
  MessageBytes message;
  message.text(ListField::kTerm, writer.checked(term, "term"));
  message.number(ListField::kDocumentFrequency, list.count);
  message.number(ListField::kCollectionFrequency,
                 std::reduce(frequencies.begin(), frequencies.end(), std::uint64_t{0}));
  for (std::size_t i = 0; i < docids.size(); ++i) {
    message.posting(i == 0 ? docids[0] : docids[i] - docids[i - 1], frequencies[i]);
  }
  writer.append(message, "the list of '" + term + "'");
  return list.count;
}

void write_documents(const index::Segment& segment, const std::stop_token& stop,
                     CiffWriter& writer) {
  StopCheck check_stop(stop);
  const auto lengths = segment.document_lengths();
  for (std::size_t docid = 0; docid < lengths.size(); ++docid) {
    check_stop();
    const std::string id = segment.document_id(static_cast<index::Docid>(docid));
    MessageBytes record;
    record.number(DocumentField::kDocid, docid);
    record.text(DocumentField::kId, writer.checked(id, "id"));
    record.number(DocumentField::kLength, lengths[docid]);
    writer.append(record, "a document's record");
  }
}

}  // namespace

void export_ciff(const index::Index& index, const fs::path& file,
                 const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
                 const Limits& limits, index::Existing existing) {
  if (limits.deadline != kNoDeadline) {
    return within_limits(limits, [&](const Limits& limited) {
      return export_ciff(index, file, progress, limited, existing);
    });
  }
  if (index.schema().has_text()) {
    throw UsageError("lists of CIFF are of one text; an index with text fields cannot be exported");
  }
  if (index.segments().size() != 1) {
    throw UsageError("an index of " + std::to_string(index.segments().size()) +
                     " segments cannot be exported; merge them into one");
  }
  if (index.deleted_documents() != 0) {
    throw UsageError("an index with deleted documents cannot be exported; merge it first");
  }
  const index::Segment& segment = *index.segments().front();
  const index::Statistics& statistics = segment.statistics();
  index::check_undamaged(segment, limits.stop);
  CiffWriter writer(file, limits.stop, existing);
  write_header(statistics, writer);
  std::uint64_t done = 0;
  for (index::TermId term = 0; term < statistics.terms; ++term) {
    throw_if_stopped(limits.stop);
    done += write_list(segment, term, writer);
    if (progress) progress(done, statistics.postings);
  }
  write_documents(segment, limits.stop, writer);
  throw_if_stopped(limits.stop);
  writer.finish();
}

}  // namespace gannet::corpora
