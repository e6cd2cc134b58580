#include "index/fields/build/keyword_runs.hpp"

#include <fcntl.h>

#include <algorithm>
#include <queue>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/fields/build/field_batch.hpp"
#include "index/fields/build/spool_cursor.hpp"
#include "index/files/posix_file.hpp"
#include "index/lexicon/term_order.hpp"

namespace gannet::index {
namespace {

/// For the buffers of all runs together, while they are merged.
constexpr std::size_t kMergeBytes = std::size_t{4} << 20;
constexpr std::size_t kMinBuffer = std::size_t{4} << 10;
constexpr std::size_t kMaxBuffer = std::size_t{256} << 10;

}  // namespace

/// A file of its own has the ranks, opened for each buffer of them: there may be more runs than a
/// process can have open files.
struct KeywordRuns::Run {
  std::uint64_t strings = 0;  ///< where its strings begin in strings_
  std::uint64_t numbers = 0;  ///< likewise
  std::uint64_t count = 0;
  std::uint32_t bound = 0;  ///< one more than the largest number
  std::filesystem::path path;
  std::vector<std::uint32_t> ranks;  ///< that are not yet in the file
  bool in_file = false;

  void write() {
    const int fresh = in_file ? O_APPEND : O_CREAT | O_TRUNC;
    File file(path, O_WRONLY | O_NOFOLLOW | fresh);
    file.write(bytes_of(std::span<const std::uint32_t>(ranks)));
    file.close();
    in_file = true;
    ranks.clear();
  }
};

/// Goes through the strings of a run.
class KeywordRuns::Cursor {
 public:
  Cursor(const Spool& strings, const Run& run, std::size_t buffer)
      : bytes_(strings, run.strings, buffer), left_(run.count) {}

  bool next() {
    if (left_ == 0) return false;
    --left_;
    std::uint32_t length = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      length |= static_cast<std::uint32_t>(bytes_.next()) << shift;
    }
    text_.resize(length);
    for (char& c : text_) c = static_cast<char>(bytes_.next());
    return true;
  }
  const std::string& text() const { return text_; }

 private:
  SpoolCursor<unsigned char> bytes_;
  std::uint64_t left_;
  std::string text_;
};

KeywordRuns::KeywordRuns(const std::filesystem::path& scratch, std::stop_token stop)
    : scratch_(scratch), stop_(std::move(stop)), strings_(scratch), numbers_(scratch) {}

KeywordRuns::~KeywordRuns() {
  for (const auto& run : runs_) {
    if (run->in_file) try_remove_tree(run->path);
  }
}

void KeywordRuns::add(const TermDictionary& dictionary) {
  auto run = std::make_unique<Run>();
  run->strings = strings_.size();
  run->numbers = numbers_.size();
  run->bound = dictionary.bound();
  run->path = scratch_ / ("keyword-ranks-" + std::to_string(runs_.size()));
  std::vector<TermSortKey> order;
  order.reserve(dictionary.size());
  for (std::uint32_t number = 0; number < run->bound; ++number) {
    const std::string_view text = dictionary.term(number);
    if (!text.empty()) order.emplace_back(text, number);
  }
  sort_by_term(
      order, [&](std::uint32_t number) { return dictionary.term(number); }, stop_);
  StopCheck check_stop(stop_);
  for (const TermSortKey& key : order) {
    check_stop();
    const std::string_view text = dictionary.term(key.number);
    strings_.append_value(static_cast<std::uint32_t>(text.size()));
    strings_.append(bytes_of(text));
    numbers_.append_value(key.number);
  }
  run->count = order.size();
  runs_.push_back(std::move(run));
}

void KeywordRuns::merge(
    const std::function<void(std::uint32_t field, std::string_view text)>& take) {
  const std::size_t buffer =
      std::clamp(kMergeBytes / std::max<std::size_t>(runs_.size(), 1), kMinBuffer, kMaxBuffer);
  std::vector<Cursor> cursors;
  cursors.reserve(runs_.size());
  const auto after = [&](std::size_t a, std::size_t b) {
    const int order = cursors[a].text().compare(cursors[b].text());
    return order > 0 || (order == 0 && a > b);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> next(after);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    cursors.emplace_back(strings_, *runs_[i], buffer);
    if (cursors[i].next()) next.push(i);
  }
  std::string last;
  std::uint32_t rank = 0;
  StopCheck check_stop(stop_);
  while (!next.empty()) {
    check_stop();
    const std::size_t run = next.top();
    next.pop();
    const std::string& entry = cursors[run].text();
    if (entry != last) {
      rank = !last.empty() && last[0] == entry[0] ? rank + 1 : 0;
      last = entry;
      take(field_of_entry(last), std::string_view(last).substr(1));
    }
    runs_[run]->ranks.push_back(rank);
    if (runs_[run]->ranks.size() * sizeof rank >= buffer) runs_[run]->write();
    if (cursors[run].next()) next.push(run);
  }
}

std::vector<std::uint32_t> KeywordRuns::ranks(std::size_t number) const {
  const Run& run = *runs_[number];
  std::vector<std::uint32_t> in_order(run.count);
  const std::size_t in_file = run.count - run.ranks.size();
  if (in_file != 0) {
    const File file(run.path, O_RDONLY);
    file.read_at(0, std::as_writable_bytes(std::span(in_order).first(in_file)));
  }
  std::copy(run.ranks.begin(), run.ranks.end(),
            in_order.begin() + static_cast<std::ptrdiff_t>(in_file));
  std::vector<std::uint32_t> ranks(run.bound);
  SpoolCursor<std::uint32_t> numbers(numbers_, run.numbers);
  for (const std::uint32_t rank : in_order) ranks[numbers.next()] = rank;
  return ranks;
}

}  // namespace gannet::index
