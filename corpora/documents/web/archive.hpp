// Archives of the web: records as they are read, and what the formats of archives have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "corpora/documents/web/archive_input.hpp"
#include "corpora/documents/web/http.hpp"
#include "corpora/documents/web/page.hpp"

namespace gannet::corpora {

/// A record that may hold a page, or one that is malformed.
struct ArchiveRecord {
  std::shared_ptr<const std::string> path = {};
  std::uint64_t offset = 0;  ///< where it begins in the decompressed file
  std::size_t head = 0;      ///< its header: where in the batch's bytes, and its size
  std::size_t head_size = 0;
  std::size_t body = 0;  ///< likewise
  std::size_t body_size = 0;
  std::size_t content_limit = 0;  ///< what content_limit() has of the body
  std::string problem = {};       ///< why it is malformed; then it has no header and body
  std::uint64_t lost = 0;         ///< records that begin in what a wrong length covers
};

struct ArchiveBatch : index::RawBatch {
  std::string bytes;
  std::vector<ArchiveRecord> records;
  std::vector<std::string> bad_files;  ///< TextBatch::bad_files
  std::size_t content_bytes = 0;       ///< at most, once all contents are decompressed

  std::size_t memory() const override { return bytes.capacity(); }
};

/// The longest line that a header may have, and the largest header.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 16;
inline constexpr std::size_t kMaxHead = std::size_t{1} << 18;

/// Reads the records of one file one by one. Not thread-safe.
class ArchiveReader {
 public:
  /// Longer records that may be pages are malformed.
  explicit ArchiveReader(std::size_t max_record_bytes) : max_record_bytes_(max_record_bytes) {}
  virtual ~ArchiveReader() = default;

  /// Reads the next record and adds it to the batch (but for its path) if it may hold a page or is
  /// malformed; false at the end of the file.
  bool next(ArchiveInput& input, ArchiveBatch& batch);

 protected:
  /// What a header says of the body behind it.
  struct Body {
    std::uint64_t size = 0;
    bool wanted = false;       ///< may hold a page
    std::string problem = {};  ///< the header is malformed, so that nobody knows where it ends
  };

  /// Whether a record can begin with this line.
  virtual bool begins_record(std::string_view line) const = 0;
  /// The same of a line within a body, which may be any text.
  virtual bool surely_begins_record(std::string_view line) const { return begins_record(line); }
  /// Takes the header that begins here, and appends it to `bytes`.
  virtual Body read_head(ArchiveInput& input, std::string& bytes) = 0;
  /// What begins_record() looks for: "a WARC record".
  virtual std::string_view record_name() const = 0;

 private:
  void read_body(ArchiveInput& input, const Body& body, ArchiveRecord& record, std::string& bytes);
  void find_record(ArchiveInput& input) const;
  std::uint64_t skip(ArchiveInput& input, std::uint64_t size, std::uint64_t& records) const;
  std::uint64_t go_back(ArchiveInput& input, std::string_view passed) const;

  std::size_t max_record_bytes_;
};

/// Makes pages of a format's records. Thread-safe.
class ArchiveFormat {
 public:
  virtual ~ArchiveFormat() = default;
  virtual std::unique_ptr<ArchiveReader> make_reader(std::size_t max_record_bytes) const = 0;
  /// The page in a record; nothing if there is none in it. Throws InputError with the reason if the
  /// record is malformed, as one is whose content has more than `limit` bytes. Views are into the
  /// record and `room`.
  virtual std::optional<Page> page_of(std::string_view head, std::string_view body, PageIds ids,
                                      std::size_t limit, PageRoom& room) const = 0;
};

/// Gives the page the type and the decoded body of a server's answer; false if the answer was
/// anything but 200 or is no text. Throws InputError as decoded_body() does.
bool take_page(const HttpResponse& response, std::size_t limit, Page& page, PageRoom& room);

std::unique_ptr<ArchiveFormat> warc_format();
std::unique_ptr<ArchiveFormat> arc_format();

/// The decimal number that is all of `text`; nothing if it is none, or above 2^62.
std::optional<std::uint64_t> parse_length(std::string_view text);

}  // namespace gannet::corpora
