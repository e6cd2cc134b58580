#include "index/segment/segment.hpp"

#include <array>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"

namespace gannet::index {
namespace {

/// Asks the segment for one term after the other.
class PlainWalk final : public TermWalk {
 public:
  explicit PlainWalk(const Segment& segment) : segment_(segment) {}

  bool next() override { return read(); }
  bool seek(std::string_view key) override {
    next_ = segment_.terms_with_prefix(key).first;
    return read();
  }
  std::string_view key() const override { return key_; }
  std::uint32_t id() const override { return static_cast<std::uint32_t>(next_ - 1); }

 private:
  bool read() {
    if (next_ >= segment_.statistics().terms) return false;
    key_ = segment_.term(static_cast<TermId>(next_));
    ++next_;
    return true;
  }

  const Segment& segment_;
  std::uint64_t next_ = 0;
  std::string key_;
};

}  // namespace

std::unique_ptr<TermWalk> Segment::walk_terms() const { return std::make_unique<PlainWalk>(*this); }

std::uint64_t Segment::identity() const {
  const Statistics& has = statistics();
  const std::array numbers{has.documents, has.terms, has.postings, has.tokens};
  return xxh3(std::as_bytes(std::span(numbers)));
}

std::span<const std::uint32_t> Segment::text_lengths(std::uint32_t text) const {
  if (text == kMainText) return document_lengths();
  throw UsageError("the segment has no text field " + std::to_string(text));
}

std::span<const std::uint32_t> Segment::text_spans(std::uint32_t text) const {
  return text_lengths(text);
}

PlaceOfPositions Segment::place_of_positions(TermId id, const PostingList& list) const {
  if (list.is_short()) return {positions(), id, 0};
  return {positions(), id, static_cast<std::uint64_t>(list.skips.data() - skips().data())};
}

std::uint32_t Segment::text_of(TermId) const { return kMainText; }

std::vector<std::uint32_t> Segment::text_fields() const { return {}; }

TextStatistics Segment::text_statistics(std::uint32_t field) const {
  throw UsageError("the segment has no text field " + std::to_string(field));
}

const FieldColumn& Segment::field(std::size_t number) const {
  throw UsageError("the segment has no field " + std::to_string(number));
}

void Segment::find_documents(std::string_view id, std::vector<Docid>& found) const {
  if (!has_ids()) return;
  for (Docid d = 0; d < statistics().documents; ++d) {
    if (document_id(d) == id) found.push_back(d);
  }
}

}  // namespace gannet::index
