#include "corpora/documents/bytes/text_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gannet::corpora {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::size_t kLongestMark = 3;

}  // namespace

TextStream::TextStream(const std::filesystem::path& path, std::optional<Encoding> encoding,
                       std::stop_token stop)
    : stream_(path, std::move(stop)) {
  std::string head(kLongestMark, '\0');
  head.resize(stream_.read(head.data(), head.size(), problem_));
  if (const auto marked = encoding_marked(head)) {
    head.erase(0, size_of_mark(*marked));
    encoding = marked;
  }
  if (encoding && *encoding != Encoding::kUtf8) {
    decoder_.emplace(*encoding);
    decoder_->append(head, false, ready_);
  } else {
    ready_ = head;
  }
}

void TextStream::refill() {
  ready_.clear();
  begin_ = 0;
  std::string bytes(kChunk, '\0');
  bytes.resize(stream_.read(bytes.data(), bytes.size(), problem_));
  ended_ = bytes.size() < kChunk;
  // A character that is cut in two by damage is none.
  decoder_->append(bytes, ended_ && problem_.empty(), ready_);
}

std::size_t TextStream::read(char* out, std::size_t size, ReadProblem& problem) {
  for (std::size_t filled = 0;;) {
    const std::size_t there = std::min(size - filled, ready_.size() - begin_);
    std::memcpy(out + filled, ready_.data() + begin_, there);
    begin_ += there;
    filled += there;
    if (filled == size) return filled;
    if (!problem_.empty()) {
      problem = problem_;
      return filled;
    }
    if (!decoder_) return filled + stream_.read(out + filled, size - filled, problem);
    if (ended_) return filled;
    refill();
  }
}

}  // namespace gannet::corpora
