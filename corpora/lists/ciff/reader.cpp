#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/unpacked_file.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ciff/fields.hpp"
#include "corpora/lists/ciff/message.hpp"
#include "index/files/mapped_file.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;
using ciff::DocumentField;
using ciff::Field;
using ciff::HeaderField;
using ciff::ListField;
using ciff::MalformedMessage;
using ciff::Message;
using ciff::PostingField;

using Bytes = std::span<const std::byte>;

/// Documents that an inverted source may have.
constexpr std::uint64_t kMaxDocuments = std::uint64_t{1} << 29;

/// A message's name, put together only if something is wrong with it.
struct Name {
  const char* kind;
  std::optional<std::uint64_t> number = {};

  std::string text() const { return number ? kind + (' ' + std::to_string(*number)) : kind; }
};

Name list_name(std::uint64_t i) { return {"list", i}; }
Name record_name(std::uint64_t i) { return {"the document's record", i}; }

/// A file of messages, each behind its size.
class MessageFile {
 public:
  MessageFile(fs::path path, const std::stop_token& stop)
      : path_(std::move(path)), file_(map_unpacked(path_, stop)) {}

  std::uint64_t size() const { return file_.bytes().size(); }

  /// The message whose size is at byte `at`, which becomes the byte behind it. `what` names it.
  Bytes take(std::uint64_t& at, const Name& name) const {
    constexpr std::uint64_t kLongestVarint = 10;
    const std::uint64_t left = size() - at;
    if (left == 0) fail(at, name, "is missing");
    google::protobuf::io::CodedInputStream stream(
        reinterpret_cast<const std::uint8_t*>(file_.bytes().data()) + at,
        static_cast<int>(std::min(left, kLongestVarint)));
    std::uint64_t length = 0;
    if (!stream.ReadVarint64(&length)) fail(at, name, "has no size");
    const auto behind = static_cast<std::uint64_t>(stream.CurrentPosition());
    if (length > left - behind) {
      fail(at, name,
           "has " + std::to_string(length) + " bytes, but only " + std::to_string(left - behind) +
               " follow");
    }
    if (length > std::numeric_limits<std::int32_t>::max()) {
      fail(at, name, "has 2^31 bytes or more, which no protobuf message may have");
    }
    const Bytes message = file_.bytes().subspan(at + behind, length);
    at += behind + length;
    return message;
  }
  Bytes message(std::uint64_t at, const Name& name) const { return take(at, name); }

  [[noreturn]] void fail(std::uint64_t at, const Name& name, const std::string& what) const {
    throw FormatError(path_.string() + ": at byte " + std::to_string(at) + ": " + name.text() +
                      ' ' + what);
  }
  [[noreturn]] void fail_version(std::uint64_t version) const {
    throw VersionError(path_.string() + ": CIFF version " + std::to_string(version) +
                       "; this program reads version 1");
  }

  /// Calls `read`, and says of a malformed message which it is.
  template <class Read>
  auto reading(std::uint64_t at, const Name& name, Read read) const {
    try {
      return read();
    } catch (const MalformedMessage&) {
      fail(at, name, "is no protobuf message");
    }
  }

 private:
  fs::path path_;
  index::MappedFile file_;
};

struct Header {
  std::uint64_t version = 0, lists = 0, documents = 0, total_documents = 0;
};

Header header_of(Bytes bytes) {
  Header header;
  Message message(bytes);
  while (const auto field = message.next()) {
    switch (field->number) {
      case HeaderField::kVersion:
        header.version = field->value;
        break;
      case HeaderField::kLists:
        header.lists = field->value;
        break;
      case HeaderField::kDocuments:
        header.documents = field->value;
        break;
      case HeaderField::kTotalDocuments:
        header.total_documents = field->value;
        break;
      default:
        break;
    }
  }
  return header;
}

class CiffSource : public index::InvertedSource {
 public:
  CiffSource(const fs::path& path, const std::stop_token& stop) : file_(path, stop) {
    std::uint64_t at = 0;
    const Bytes bytes = file_.take(at, kHeaderName);
    const Header header = file_.reading(0, kHeaderName, [&] { return header_of(bytes); });
    if (header.version != ciff::kVersion) file_.fail_version(header.version);
    check(header);
    StopCheck check_stop(stop);
    find_lists(header.lists, at, check_stop);
    find_records(header.documents, at, check_stop);
    if (at != file_.size())
      file_.fail(at, {"the file"}, "goes on behind the last document's record");
  }

  std::uint64_t documents() const override { return records_.size(); }
  std::uint32_t length(std::uint64_t docid) const override {
    const std::uint64_t length = record(docid, DocumentField::kLength).value;
    if (length > std::numeric_limits<std::int32_t>::max()) {
      file_.fail(records_[docid], {"document", docid}, "has a length below 0 or above 2^31 - 1");
    }
    return static_cast<std::uint32_t>(length);
  }
  std::string document_id(std::uint64_t docid) const override {
    return std::string(record(docid, DocumentField::kId).text());
  }

  std::uint64_t lists() const override { return lists_.size(); }
  std::string term(std::uint64_t i) const override {
    const Field term = file_.reading(lists_[i], list_name(i), [&] {
      return Message::find(file_.message(lists_[i], list_name(i)), ListField::kTerm);
    });
    if (term.bytes.empty()) file_.fail(lists_[i], list_name(i), "has no term");
    return std::string(term.text());
  }
  std::uint64_t postings(std::uint64_t i) const override { return counts_[i]; }

  void list(std::uint64_t i, std::vector<std::uint32_t>& docids,
            std::vector<std::uint32_t>& freqs) const override {
    docids.clear();
    freqs.clear();
    const Bytes bytes = file_.message(lists_[i], list_name(i));
    file_.reading(lists_[i], list_name(i), [&] {
      Message message(bytes);
      while (const auto field = message.next()) {
        if (field->number == ListField::kPosting) add_posting(i, field->bytes, docids, freqs);
      }
    });
    if (docids.size() != counts_[i]) {
      file_.fail(lists_[i], list_name(i),
                 "has " + std::to_string(docids.size()) +
                     " postings, but its document frequency is " + std::to_string(counts_[i]));
    }
  }

 private:
  void check(const Header& header) const {
    if (header.documents > kMaxDocuments) {
      file_.fail(0, kHeaderName,
                 "announces " + std::to_string(header.documents) + " documents; there may be 2^29");
    }
    if (header.lists > file_.size()) {
      file_.fail(
          0, kHeaderName,
          "announces " + std::to_string(header.lists) + " lists, more than the file has bytes");
    }
    if (header.total_documents > header.documents) {
      file_.fail(0, kHeaderName,
                 "announces records of " + std::to_string(header.documents) +
                     " documents of a collection of " + std::to_string(header.total_documents) +
                     "; scores need all of them");
    }
  }

  void find_lists(std::uint64_t lists, std::uint64_t& at, StopCheck& check_stop) {
    for (std::uint64_t i = 0; i < lists; ++i) {
      check_stop();
      const std::uint64_t start = at;
      const Bytes bytes = file_.take(at, list_name(i));
      const std::uint64_t count = file_.reading(start, list_name(i), [&] {
        return Message::find(bytes, ListField::kDocumentFrequency).value;
      });
      if (count > kMaxDocuments) {
        file_.fail(start, list_name(i), "has the document frequency " + std::to_string(count));
      }
      lists_.push_back(start);
      counts_.push_back(static_cast<std::uint32_t>(count));
    }
  }

  void find_records(std::uint64_t documents, std::uint64_t& at, StopCheck& check_stop) {
    if (documents > file_.size() - at) {
      file_.fail(0, kHeaderName,
                 "announces " + std::to_string(documents) + " documents, but only " +
                     std::to_string(file_.size() - at) + " bytes follow the lists");
    }
    records_.assign(static_cast<std::size_t>(documents), kNone);
    for (std::uint64_t i = 0; i < documents; ++i) {
      check_stop();
      const std::uint64_t start = at;
      const Name name = record_name(i);
      const Bytes bytes = file_.take(at, name);
      const std::uint64_t docid = file_.reading(
          start, name, [&] { return Message::find(bytes, DocumentField::kDocid).value; });
      if (docid >= documents) {
        file_.fail(start, name,
                   "has the docid " + std::to_string(docid) + ", but there are " +
                       std::to_string(documents) + " documents");
      }
      if (records_[docid] != kNone) {
        file_.fail(start, name, "has the docid " + std::to_string(docid) + " of one before it");
      }
      records_[docid] = start;
    }
  }

  Field record(std::uint64_t docid, std::uint32_t number) const {
    const std::uint64_t at = records_[docid];
    const Name name{"document", docid};
    return file_.reading(at, name, [&] { return Message::find(file_.message(at, name), number); });
  }

  void add_posting(std::uint64_t i, Bytes bytes, std::vector<std::uint32_t>& docids,
                   std::vector<std::uint32_t>& freqs) const {
    std::uint64_t gap = 0;
    std::uint64_t frequency = 0;
    Message posting(bytes);
    while (const auto field = posting.next()) {
      if (field->number == PostingField::kGap) gap = field->value;
      if (field->number == PostingField::kFrequency) frequency = field->value;
    }
    const std::uint64_t before = docids.empty() ? 0 : docids.back();
    if (gap == 0 && !docids.empty()) fail_posting(i, docids.size(), "docids do not ascend");
    if (gap >= documents() - before) {
      fail_posting(i, docids.size(),
                   "the docid is too large for " + std::to_string(documents()) + " documents");
    }
    if (frequency == 0 || frequency > std::numeric_limits<std::int32_t>::max()) {
      fail_posting(i, docids.size(), "the frequency is not from 1 to 2^31 - 1");
    }
    docids.push_back(static_cast<std::uint32_t>(before + gap));
    freqs.push_back(static_cast<std::uint32_t>(frequency));
  }

  [[noreturn]] void fail_posting(std::uint64_t i, std::size_t posting,
                                 const std::string& what) const {
    file_.fail(lists_[i], list_name(i),
               "is wrong at posting " + std::to_string(posting) + ": " + what);
  }

  static constexpr Name kHeaderName{"the header"};
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  MessageFile file_;
  std::vector<std::uint64_t> lists_;    ///< where each one's size is
  std::vector<std::uint32_t> counts_;   ///< their document frequencies
  std::vector<std::uint64_t> records_;  ///< likewise, by docid
};

}  // namespace

std::unique_ptr<index::InvertedSource> open_ciff(const fs::path& file,
                                                 const std::stop_token& stop) {
  return std::make_unique<CiffSource>(file, stop);
}

}  // namespace gannet::corpora
