#include "index/inversion/inverter.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/positions/position_code.hpp"
#include "index/files/messages.hpp"
#include "index/inversion/posting_code.hpp"

namespace gannet::index {
namespace {

/// A term number and a local number for tokens that analysis drops.
constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();
/// Places that stay empty between two values of a text, so that no phrase crosses them.
constexpr std::uint32_t kValueGap = 100;
constexpr std::size_t kFirstEntries = std::size_t{1} << 15;
/// Tables that a huge batch has blown up beyond this many bytes are given back after it.
constexpr std::size_t kKeep = std::size_t{4} << 20;

template <class T>
void reset(std::vector<T>& table) {
  table.clear();
  if (table.capacity() * sizeof(T) > kKeep) table = {};
}

/// The main text and the text fields.
std::uint64_t texts_in(const Schema& schema) {
  return 1 +
         static_cast<std::uint64_t>(std::ranges::count_if(schema.fields(), &FieldSpec::is_text));
}

[[noreturn]] void refuse_weighted_terms(const Document& document) {
  throw InputError("document '" + printable(document.id) +
                   "' has weighted terms, which have no positions; build without positions "
                   "(--no-positions; in Python positions=False)");
}

std::uint32_t largest_span(const std::vector<std::uint32_t>& spans) {
  return spans.empty() ? 0 : *std::ranges::max_element(spans);
}

std::size_t hash_of(TermNumber term) { return (std::uint64_t{term} * 0x9e3779b97f4a7c15u) >> 32; }

}  // namespace

Inverter::Inverter(const AnalyzerConfig& analyzer, TermDictionary& dictionary,
                   std::uint64_t cache_memory, std::stop_token stop)
    : Inverter(analyzer, {}, dictionary, cache_memory, std::move(stop)) {}

Inverter::Inverter(const AnalyzerConfig& analyzer, const Schema& schema, TermDictionary& dictionary,
                   std::uint64_t cache_memory, std::stop_token stop, bool with_positions)
    : stop_(std::move(stop)),
      dictionary_(dictionary),
      with_positions_(with_positions),
      main_(analyzer, {}, schema.has_text(), cache_memory / (texts_in(schema))) {
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    texts_.emplace_back();
    const FieldSpec& field = schema.fields()[i];
    if (!field.is_text()) continue;
    texts_[i] = std::make_unique<Text>(text_analyzer(analyzer, field.text), text_key_prefix(i),
                                       false, cache_memory / texts_in(schema));
    text_fields_.push_back(i);
  }
}

std::span<const std::uint32_t> Inverter::text_lengths(std::uint32_t field) const {
  return texts_[field]->lengths;
}

std::span<const std::uint32_t> Inverter::spans(std::uint32_t text) const {
  return text == kMainText ? main_.spans : texts_[text]->spans;
}

void Inverter::forget() {
  main_.cache.clear();
  for (const std::uint32_t field : text_fields_) texts_[field]->cache.clear();
}

InvertedBatch Inverter::invert(std::span<const Document> documents,
                               std::vector<std::uint32_t>& lengths) {
  start_batch();
  lengths.clear();
  std::uint32_t number = 0;
  for (const Document& document : documents) {
    std::uint32_t length = 0;
    for (const TextField& field : document.fields) {
      length += count_tokens(main_, field.text, number);
    }
    if (with_positions_ && !document.terms.empty()) refuse_weighted_terms(document);
    length += count_terms(document.terms, number);
    lengths.push_back(length);
    if (with_positions_) end_text(main_, document.id);
    if (!text_fields_.empty()) count_text_fields(document, number);
    ++number;
  }
  group_postings();
  return encode_groups();
}

void Inverter::start_batch() {
  if (++batch_ == 0) {  // numbers start again: what the cache says about batches is void
    forget();
    batch_ = 1;
  }
  main_.spans.clear();
  main_.place = 0;  // a batch that was given up may have left one
  for (const std::uint32_t field : text_fields_) {
    texts_[field]->lengths.clear();
    texts_[field]->spans.clear();
    texts_[field]->place = 0;
  }
  reset(occurrences_);
  reset(positions_);
  reset(locals_);
  reset(postings_);
  reset(grouped_);
  if (coded_.size() > kKeep) coded_ = {};
  const bool huge = entries_.size() * sizeof(Entry) > kKeep;
  if (huge || entries_.empty()) entries_ = std::vector<Entry>(kFirstEntries);
  std::fill(entries_.begin(), entries_.end(), Entry{0, 0});
}

void Inverter::count_text_fields(const Document& document, std::uint32_t number) {
  for (const std::uint32_t field : text_fields_) texts_[field]->lengths.push_back(0);
  for (const FieldText& value : document.values) {
    if (value.field >= texts_.size() || texts_[value.field] == nullptr) continue;
    Text& source = *texts_[value.field];
    source.lengths.back() += count_tokens(source, value.text, number);
  }
  if (!with_positions_) return;
  for (const std::uint32_t field : text_fields_) end_text(*texts_[field], document.id);
}

void Inverter::end_text(Text& source, std::string_view document) {
  if (source.place > codecs::kMaxSpan) {
    throw InputError("document '" + printable(document) + "' has a text of " +
                     std::to_string(source.place) +
                     " places (at most 2^31 with positions); build without positions "
                     "(--no-positions; in Python positions=False)");
  }
  source.spans.push_back(static_cast<std::uint32_t>(source.place));
  source.place = 0;
}

std::uint32_t Inverter::count_tokens(Text& source, std::string_view text, std::uint32_t document) {
  return with_positions_ ? split_and_count<true>(source, text, document)
                         : split_and_count<false>(source, text, document);
}

template <bool kPositions>
std::uint32_t Inverter::split_and_count(Text& source, std::string_view text,
                                        std::uint32_t document) {
  std::uint32_t length = 0;
  const std::uint64_t first = source.place == 0 ? 0 : source.place + kValueGap;
  std::uint64_t place = first;
  StopCheck check_stop(stop_);
  throw_if_stopped(stop_);
  // Inlined by order: the tokenizer calls it in several places, one of them for nearly all tokens.
  source.analyzer.tokenize(
      text, [&](std::string_view token) __attribute__((always_inline)) {
        check_stop();
        const std::uint32_t local = local_of_token(source, token);
        if constexpr (kPositions) ++place;  // also of what is dropped
        if (local == kDropped) return;
        ++length;
        const std::uint32_t posting = count(locals_[local], local, document, 1);
        if constexpr (kPositions) {
          occurrences_.push_back({posting, static_cast<std::uint32_t>(place - 1)});
        }
      });
  if (place != first) source.place = place;  // a value without tokens is none
  return length;
}

std::uint32_t Inverter::count_terms(std::span<const WeightedTerm> terms, std::uint32_t document) {
  std::uint32_t length = 0;
  for (const WeightedTerm& term : terms) {
    const std::uint32_t local = local_of_token(main_, term.term);
    if (local == kDropped) continue;  // too long
    length += term.weight;
    count(locals_[local], local, document, term.weight);
  }
  return length;
}

inline std::uint32_t Inverter::count(Local& local, std::uint32_t index, std::uint32_t document,
                                     std::uint32_t weight) {
  if (local.last_document == document + 1) {
    postings_[local.posting].freq += weight;
    return local.posting;
  }
  local.last_document = document + 1;
  local.posting = static_cast<std::uint32_t>(postings_.size());
  ++local.postings;
  postings_.push_back({index, document, weight});
  return local.posting;
}

inline std::uint32_t Inverter::local_of_token(Text& source, std::string_view token) {
  TokenCache::Slot* slot = source.cache.find(token);
  if (slot != nullptr && slot->batch == batch_) return slot->local;
  if (slot == nullptr) {
    const TermNumber term = term_of(source, token);
    slot = &source.cache.insert(token);
    slot->term = term;
  }
  slot->batch = batch_;
  slot->local = slot->term == kDropped ? kDropped : local_of_term(slot->term);
  return slot->local;
}

TermNumber Inverter::term_of(Text& source, std::string_view token) {
  const std::string_view term = source.worker.term_of(token);
  if (term.empty() || (source.is_guarded && term.front() == '\0')) return kDropped;
  if (source.prefix_size == 0) return dictionary_.number_of(term);
  source.key.resize(source.prefix_size);
  source.key += term;
  return dictionary_.number_of(source.key);
}

std::uint32_t Inverter::local_of_term(TermNumber term) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t i = hash_of(term) & mask;
  for (; entries_[i].local != 0; i = (i + 1) & mask) {
    if (entries_[i].term == term) return entries_[i].local - 1;
  }
  const auto local = static_cast<std::uint32_t>(locals_.size());
  entries_[i] = {term, local + 1};
  locals_.push_back({term, 0, 0, 0});
  if (locals_.size() * 2 > entries_.size()) grow_entries();
  return local;
}

void Inverter::grow_entries() {
  entries_ = std::vector<Entry>(entries_.size() * 2);
  const std::size_t mask = entries_.size() - 1;
  for (std::uint32_t local = 0; local < locals_.size(); ++local) {
    std::size_t i = hash_of(locals_[local].term) & mask;
    while (entries_[i].local != 0) i = (i + 1) & mask;
    entries_[i] = {locals_[local].term, local + 1};
  }
}

void Inverter::group_postings() {
  std::uint32_t start = 0;
  for (Local& local : locals_) {  // from here on, `posting` is where the next one of the term goes
    local.posting = start;
    start += local.postings;
  }
  grouped_.resize(postings_.size());
  if (!with_positions_) {
    for (const Posting& posting : postings_) grouped_[locals_[posting.local].posting++] = posting;
    return;
  }
  for (Posting& posting : postings_) {  // from here on, `local` is where it is in grouped_
    const std::uint32_t slot = locals_[posting.local].posting++;
    grouped_[slot] = posting;
    posting.local = slot;
  }
  group_positions();
}

/// Occurrences come in the order of documents and places, so those of a posting ascend.
void Inverter::group_positions() {
  std::uint32_t start = 0;
  for (Posting& posting : grouped_) {  // from here on, `local` is where its positions start
    posting.local = start;
    start += posting.freq;
  }
  for (Posting& posting : postings_) posting.local = grouped_[posting.local].local;
  positions_.resize(occurrences_.size());
  for (const Occurrence& one : occurrences_) positions_[postings_[one.posting].local++] = one.place;
}

/// Bytes of the longest varint of a position of the batch.
std::size_t Inverter::longest_position() const {
  std::uint32_t span = largest_span(main_.spans);
  for (const std::uint32_t field : text_fields_) {
    span = std::max(span, largest_span(texts_[field]->spans));
  }
  std::uint8_t bytes[kMaxVarint];
  return static_cast<std::size_t>(put_varint(span, bytes) - bytes);
}

InvertedBatch Inverter::encode_groups() {
  const std::size_t most = grouped_.size() * kMaxPosting +
                           positions_.size() * (with_positions_ ? longest_position() : 0);
  if (coded_.size() < most) coded_.resize(most);
  InvertedBatch batch;
  batch.has_positions = with_positions_;
  batch.terms.reserve(locals_.size());
  batch.ends.reserve(locals_.size());
  std::uint8_t* out = coded_.data();
  const Posting* posting = grouped_.data();
  for (const Local& local : locals_) {
    std::uint32_t next = 0;
    for (const Posting* const end = posting + local.postings; posting != end; ++posting) {
      out = put_posting(posting->document - next, posting->freq, out);
      next = posting->document + 1;
      if (!with_positions_) continue;
      out = put_positions(std::span(positions_).subspan(posting->local, posting->freq), out);
    }
    batch.terms.push_back(local.term);
    batch.ends.push_back(static_cast<std::uint32_t>(out - coded_.data()));
  }
  const auto size = static_cast<std::size_t>(out - coded_.data());
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a batch of documents has " + std::to_string(size) +
                     " bytes of postings (at most 4 GB); have the reader cut smaller batches");
  }
  batch.bytes.assign(coded_.data(), out);
  return batch;
}

}  // namespace gannet::index
