#include "index/inversion/spill_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"
#include "index/inversion/posting_code.hpp"
#include "index/work/pipeline.hpp"

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

StdioFile open_to_read(const std::filesystem::path& path) {
  StdioFile file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("open", path, errno);
  std::setvbuf(file.get(), nullptr, _IOFBF, kRunBuffer);
  return file;
}

/// Lists on their way to a file.
struct SpillBatch {
  std::vector<PendingList> lists;
  std::size_t count = 0;  ///< of `lists` in use
  std::vector<std::uint8_t> bytes;
};

bool take_lists(FragmentSource& source, std::uint64_t batch_postings, SpillBatch& batch) {
  std::uint64_t postings = 0;  // what else a record takes counts as such
  for (batch.count = 0; postings < batch_postings; ++batch.count) {
    if (batch.count == batch.lists.size()) batch.lists.emplace_back();
    if (!source.next(batch.lists[batch.count])) break;
    const PendingList& list = batch.lists[batch.count];
    postings += list.max_values + list.term.size() + 16;
  }
  return batch.count > 0;
}

void format_records(const FragmentSource& source, SpillBatch& batch) {
  batch.bytes.clear();
  std::vector<std::uint8_t> coded;
  for (std::size_t i = 0; i < batch.count; ++i) {
    PendingList& list = batch.lists[i];
    coded.clear();
    source.fragments(list, coded);
    append_varint(list.term.size(), batch.bytes);
    batch.bytes.insert(batch.bytes.end(), list.term.begin(), list.term.end());
    append_varint(list.max_values, batch.bytes);
    append_varint(coded.size(), batch.bytes);
    batch.bytes.insert(batch.bytes.end(), coded.begin(), coded.end());
    list.coded = {};
  }
}

}  // namespace

void write_run(FragmentSource& source, const std::filesystem::path& path,
               std::uint64_t batch_postings, const std::stop_token& stop) {
  File file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  std::vector<SpillBatch> batches(3);
  for_batches(
      batches, stop, [&](SpillBatch& batch) { return take_lists(source, batch_postings, batch); },
      [&](SpillBatch& batch) { format_records(source, batch); },
      [&](SpillBatch& batch) { file.write(std::as_bytes(std::span(batch.bytes))); });
  file.close();
}

/// One run at one of its records.
class MergedRuns::Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path), file_(open_to_read(path)) {}

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
    max_values_ = read_varint();
    size_ = read_varint();
    return true;
  }

  const std::string& term() const { return term_; }
  std::uint64_t max_values() const { return max_values_; }
  /// Bytes of the term's fragments.
  std::uint64_t size() const { return size_; }

  /// Appends the fragments of the term; once for each term.
  void read_fragments(std::vector<std::uint8_t>& coded) {
    const std::size_t before = coded.size();
    coded.resize(before + size_);
    read(coded.data() + before, size_);
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
  std::uint64_t max_values_ = 0;
  std::size_t size_ = 0;
};

MergedRuns::MergedRuns(const std::vector<std::filesystem::path>& paths, bool with_positions)
    : with_positions_(with_positions) {
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
  list.max_values = 0;
  list.coded.clear();
  std::vector<std::size_t> with_term;
  std::uint64_t size = 0;
  while (!heap_.empty() && readers_[heap_.front()]->term() == list.term) {
    with_term.push_back(pop());
    list.max_values += readers_[with_term.back()]->max_values();
    size += readers_[with_term.back()]->size();
  }
  list.coded.reserve(size);  // a vector that grows would be there twice
  for (const std::size_t reader : with_term) {
    readers_[reader]->read_fragments(list.coded);
    if (readers_[reader]->next()) push(reader);
  }
  return true;
}

void MergedRuns::postings(const PendingList& list, ListPostings& postings) const {
  decode_fragments(list.coded, with_positions_, postings);
}

void MergedRuns::fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const {
  coded.insert(coded.end(), list.coded.begin(), list.coded.end());
}

void reduce_runs(std::vector<std::filesystem::path>& runs, std::size_t fan_in,
                 std::uint64_t batch_postings, const std::stop_token& stop,
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
      write_run(source, merged.back(), batch_postings, stop);
      for (const std::filesystem::path& path : group) remove_tree(path);
    }
    runs = std::move(merged);
  }
}

}  // namespace gannet::index
