#include "corpora/documents/web/archive.hpp"

#include <algorithm>

#include "corpora/documents/sources/fields.hpp"

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
  if (says_type(page.content_type) && kind_of_page(page.content_type, {}) == PageKind::kOther) {
    return false;
  }
  page.bytes = decoded_body(response, limit, room.chunks, room.content);
  return kind_of_page(page.content_type, page.bytes) != PageKind::kOther;
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
  // What is no page is read, too, while that is cheap: its length may be wrong.
  const bool keep = body.size <= (body.wanted ? max_record_bytes_ : kMaxHead);
  record.body = bytes.size();
  std::uint64_t begun = 0;  // records in what is not kept
  const std::uint64_t there =
      keep ? input.append_to(bytes, body.size) : skip(input, body.size, begun);
  record.body_size = bytes.size() - record.body;
  const std::string size = std::to_string(body.size);
  bool all_kept = keep;
  if (there == body.size) {
    if (too_large) {
      record.problem = "a record of " + size + " bytes; at most " +
                       std::to_string(max_record_bytes_) + " are read";
    }
    // A wrong length shows where the record should end.
    all_kept = input.take_blank_lines(keep ? &bytes : nullptr);
    if (input.at_end() || begins_record(input.peek_line(kLongestLine))) {
      bytes.resize(record.body + record.body_size);
      return;
    }
    record.problem = "the header says that " + size + " bytes follow, but no " +
                     std::string(record_name()) + " begins behind them";
  } else {
    record.problem = "the header says that " + size + " bytes follow, but the file ends after " +
                     std::to_string(there);
  }
  if (all_kept) begun = go_back(input, std::string_view(bytes).substr(record.body));
  record.lost = begun;
  if (begun > 0) record.problem += "; " + std::to_string(begun) + " that begin in them are lost";
  find_record(input);
}

/// Passes over bytes, as far as there are any, and counts the records that begin in them.
std::uint64_t ArchiveReader::skip(ArchiveInput& input, std::uint64_t size,
                                  std::uint64_t& records) const {
  std::uint64_t done = 0;
  while (done < size && !input.at_end()) {
    const std::string_view line = input.peek_line(kLongestLine);
    if (surely_begins_record(line)) ++records;
    const std::uint64_t part = std::min<std::uint64_t>(line.size(), size - done);
    input.take(static_cast<std::size_t>(part));
    done += part;
  }
  return done;
}

/// To the record that begins first in what was passed over, if any does. Returns how many begin
/// there and are lost, since too much was read again already.
std::uint64_t ArchiveReader::go_back(ArchiveInput& input, std::string_view passed) const {
  std::uint64_t lost = 0;
  while (!passed.empty()) {
    const std::string_view line = passed.substr(0, passed.find('\n'));
    const std::size_t size = std::min(line.size() + 1, passed.size());
    std::string whole(size <= kLongestLine ? passed.substr(0, size) : std::string_view());
    if (size == line.size()) whole += input.peek_line(kLongestLine);  // the body ends within it
    if (surely_begins_record(whole)) {
      if (lost == 0 && input.give_back(passed)) return 0;
      ++lost;
    }
    passed.remove_prefix(size);
  }
  return lost;
}

void ArchiveReader::find_record(ArchiveInput& input) const {
  while (!input.at_end()) {
    const std::string_view line = input.peek_line(kLongestLine);
    if (begins_record(line)) return;
    input.take(line.size());
  }
}

}  // namespace gannet::corpora
