#include "corpora/documents/web/archive.hpp"

#include "corpora/documents/fields.hpp"

namespace gannet::corpora {

std::optional<std::uint64_t> parse_length(std::string_view text) {
  if (text.empty() || text.front() == '+') return std::nullopt;
  const auto length = parse_number<std::uint64_t>(text);
  return length && *length <= std::uint64_t{1} << 62 ? length : std::nullopt;
}

bool take_page(const HttpResponse& response, std::size_t limit, Page& page, PageRoom& room) {
  constexpr int kOk = 200;
  if (response.status != kOk) return false;
  page.content_type = header_value(response.head, "content-type");
  // What is no text need not be decoded.
  if (!page.content_type.empty() && !is_text_page(page.content_type, {})) return false;
  page.bytes = decoded_body(response, limit, room.chunks, room.content);
  return is_text_page(page.content_type, page.bytes);
}

bool ArchiveReader::next(ArchiveInput& input, ArchiveBatch& batch) {
  input.take_blank_lines();
  if (input.at_end()) return false;
  ArchiveRecord record;
  record.offset = input.offset();
  record.head = batch.bytes.size();
  if (!begins_record(input.peek_line(kLongestLine))) {
    record.problem = "no " + std::string(record_name()) + " begins here";
    find_record(input);
  } else {
    const Body body = read_head(input, batch.bytes);
    record.head_size = batch.bytes.size() - record.head;
    record.problem = body.problem;
    if (body.problem.empty()) {
      read_body(input, body, record, batch.bytes);
    } else {
      // Of a line that has no end nothing was taken, and it would be found again.
      if (input.offset() == record.offset) input.take(input.peek_line(kLongestLine).size());
      find_record(input);
    }
    if (!body.wanted && record.problem.empty()) {
      batch.bytes.resize(record.head);
      return true;
    }
  }
  if (!record.problem.empty()) {
    batch.bytes.resize(record.head);
    record.head_size = record.body_size = 0;
  }
  batch.records.push_back(std::move(record));
  return true;
}

void ArchiveReader::read_body(ArchiveInput& input, const Body& body, ArchiveRecord& record,
                              std::string& bytes) {
  const bool too_large = body.wanted && body.size > max_record_bytes_;
  const bool keep = body.wanted && !too_large;
  record.body = bytes.size();
  const std::uint64_t there = keep ? input.append_to(bytes, body.size) : input.skip(body.size);
  record.body_size = bytes.size() - record.body;
  const std::string size = std::to_string(body.size);
  if (there < body.size) {
    record.problem = "the header says that " + size + " bytes follow, but the file ends after " +
                     std::to_string(there);
    return;
  }
  if (too_large) {
    record.problem = "a record of " + size + " bytes; at most " +
                     std::to_string(max_record_bytes_) + " are read";
  }
  // A wrong length shows where the record should end.
  input.take_blank_lines();
  if (input.at_end() || begins_record(input.peek_line(kLongestLine))) return;
  record.problem = "the header says that " + size + " bytes follow, but no " +
                   std::string(record_name()) + " begins behind them";
  find_record(input);
}

void ArchiveReader::find_record(ArchiveInput& input) const {
  while (!input.at_end()) {
    const std::string_view line = input.peek_line(kLongestLine);
    if (begins_record(line)) return;
    input.take(line.size());
  }
}

}  // namespace gannet::corpora
