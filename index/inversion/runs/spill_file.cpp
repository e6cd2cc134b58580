#include "index/inversion/runs/spill_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "codecs/error.hpp"
#include "index/inversion/runs/posting_code.hpp"
#include "index/inversion/rounds.hpp"

namespace gannet::index {
namespace {

[[noreturn]] void fail(std::string_view what, const std::filesystem::path& path, int error) {
  throw IoError("cannot " + std::string(what) + " the temporary file " + path.string() + ": " +
                std::strerror(error));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using StdioFile = std::unique_ptr<std::FILE, CloseFile>;

StdioFile open_file(const std::filesystem::path& path, const char* mode) {
  StdioFile file(std::fopen(path.c_str(), mode));
  if (!file) fail("open", path, errno);
  std::setvbuf(file.get(), nullptr, _IOFBF, kRunBuffer);
  return file;
}

/// Lists on their way to a file.
struct Spilling {
  std::vector<PendingList> lists;
  std::size_t count = 0;  ///< of `lists` in use
  std::vector<std::uint8_t> bytes;
};

bool take_lists(FragmentSource& source, std::uint64_t round_weight, Spilling& round) {
  std::uint64_t weight = 0;
  for (round.count = 0; weight < round_weight; ++round.count) {
    if (round.count == round.lists.size()) round.lists.emplace_back();
    if (!source.next(round.lists[round.count])) break;
    weight += round.lists[round.count].weight + round.lists[round.count].term.size() + 16;
  }
  return round.count > 0;
}

void format_records(const FragmentSource& source, Spilling& round) {
  round.bytes.clear();
  std::vector<std::uint8_t> coded;
  for (std::size_t i = 0; i < round.count; ++i) {
    PendingList& list = round.lists[i];
    coded.clear();
    source.fragments(list, coded);
    append_varint(list.term.size(), round.bytes);
    round.bytes.insert(round.bytes.end(), list.term.begin(), list.term.end());
    append_varint(list.weight, round.bytes);
    append_varint(coded.size(), round.bytes);
    round.bytes.insert(round.bytes.end(), coded.begin(), coded.end());
    list.coded = {};
  }
}

}  // namespace

void write_run(FragmentSource& source, const std::filesystem::path& path,
               std::uint64_t round_weight) {
  StdioFile file = open_file(path, "wb");
  std::vector<Spilling> rounds(3);
  in_rounds(
      rounds, [&](Spilling& round) { return take_lists(source, round_weight, round); },
      [&](Spilling& round) { format_records(source, round); },
      [&](Spilling& round) {
        const std::size_t size = round.bytes.size();
        if (std::fwrite(round.bytes.data(), 1, size, file.get()) != size)
          fail("write", path, errno);
      });
  if (std::fclose(file.release()) != 0) fail("write", path, errno);
}

/// One run at one of its records.
class MergedRuns::Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path), file_(open_file(path, "rb")) {}

  /// Moves on to the next term; false at the end of the run.
  bool next() {
    const int first = std::getc(file_.get());
    if (first == EOF) {
      if (std::ferror(file_.get()) != 0) fail("read", path_, errno);
      return false;
    }
    std::ungetc(first, file_.get());
    term_.resize(read_varint());
    read(term_.data(), term_.size());
    weight_ = read_varint();
    return true;
  }

  const std::string& term() const { return term_; }
  std::uint64_t weight() const { return weight_; }

  /// Appends the fragments of the term; once for each term.
  void read_fragments(std::vector<std::uint8_t>& coded) {
    const std::size_t before = coded.size();
    const std::size_t size = read_varint();
    coded.resize(before + size);
    read(coded.data() + before, size);
  }

 private:
  std::uint64_t read_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const int byte = std::getc(file_.get());
      if (byte == EOF) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    cut_short();
  }

  void read(void* out, std::size_t size) {
    if (std::fread(out, 1, size, file_.get()) != size) cut_short();
  }

  [[noreturn]] void cut_short() const {
    if (std::ferror(file_.get()) != 0) fail("read", path_, errno);
    throw IoError("the temporary file " + path_.string() +
                  " is damaged: it was changed while the index was built");
  }

  std::filesystem::path path_;
  StdioFile file_;
  std::string term_;
  std::uint64_t weight_ = 0;
};

MergedRuns::MergedRuns(const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    readers_.push_back(std::make_unique<Reader>(path));
    if (readers_.back()->next()) push(readers_.size() - 1);
  }
}

MergedRuns::~MergedRuns() = default;

bool MergedRuns::comes_after(std::size_t a, std::size_t b) const {
  const int order = readers_[a]->term().compare(readers_[b]->term());
  return order != 0 ? order > 0 : a > b;
}

void MergedRuns::push(std::size_t reader) {
  heap_.push_back(reader);
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](std::size_t a, std::size_t b) { return comes_after(a, b); });
}

std::size_t MergedRuns::pop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [this](std::size_t a, std::size_t b) { return comes_after(a, b); });
  const std::size_t reader = heap_.back();
  heap_.pop_back();
  return reader;
}

bool MergedRuns::next(PendingList& list) {
  if (heap_.empty()) return false;
  list.term = readers_[heap_.front()]->term();
  list.weight = 0;
  list.coded.clear();
  while (!heap_.empty() && readers_[heap_.front()]->term() == list.term) {
    const std::size_t top = pop();
    list.weight += readers_[top]->weight();
    readers_[top]->read_fragments(list.coded);
    if (readers_[top]->next()) push(top);
  }
  return true;
}

void MergedRuns::postings(const PendingList& list, std::vector<Docid>& docids,
                          std::vector<std::uint32_t>& freqs) const {
  decode_fragments(list.coded, docids, freqs);
}

void MergedRuns::fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const {
  coded.insert(coded.end(), list.coded.begin(), list.coded.end());
}

void reduce_runs(std::vector<std::filesystem::path>& runs, std::size_t fan_in,
                 std::uint64_t round_weight,
                 const std::function<std::filesystem::path()>& new_path) {
  while (runs.size() > fan_in) {
    std::vector<std::filesystem::path> merged;
    for (std::size_t first = 0; first < runs.size(); first += fan_in) {
      const auto from = runs.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = std::min(fan_in, runs.size() - first);
      const std::vector<std::filesystem::path> group(from,
                                                     from + static_cast<std::ptrdiff_t>(count));
      merged.push_back(new_path());
      MergedRuns source(group);
      write_run(source, merged.back(), round_weight);
      for (const std::filesystem::path& path : group) std::filesystem::remove(path);
    }
    runs = std::move(merged);
  }
}

}  // namespace gannet::index
