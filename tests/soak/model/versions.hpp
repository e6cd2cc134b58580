// Documents as histories write them. Each is a version of its own: it has a number that no other
// one has, and all that an index gives back says which it is.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "index/builder.hpp"

namespace gannet::soak {

/// What a test found wrong.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Words of texts are w0, which most have, to w23, which few have; keywords are t0 to t5.
inline constexpr unsigned kWords = 24;
inline constexpr unsigned kTags = 6;

/// Fields of the schema.
enum Field : std::uint32_t { kNumber, kTag, kTitle, kNote };

struct Version {
  std::string id;
  std::uint32_t number = 0;     ///< field n
  std::vector<unsigned> words;  ///< of the main text
  std::vector<unsigned> title;  ///< field title; empty: it has none
  std::optional<unsigned> tag;  ///< field tag
};
using VersionPointer = std::shared_ptr<const Version>;
/// In the order in which they came.
using Documents = std::vector<VersionPointer>;

index::Schema schema();
/// Options of an index of such documents.
index::BuildOptions build_options();

std::string words_text(const std::vector<unsigned>& words);
/// The stored field of a version.
std::string note_of(const Version& version);

/// A version as a Writer takes it. Stays where it is: views point into it.
class ReadyDocument {
 public:
  explicit ReadyDocument(const Version& version);
  ReadyDocument(const ReadyDocument&) = delete;
  ReadyDocument& operator=(const ReadyDocument&) = delete;

  index::Document view() const { return {.id = id_, .fields = {&text_, 1}, .values = values_}; }

 private:
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  std::string id_;
  std::deque<std::string> kept_;
  index::TextField text_;
  std::vector<index::FieldText> values_;
};

/// Versions as a build reads them.
class VersionSource final : public index::DocumentSource {
 public:
  /// `numbered`: documents are called by the numbers of their versions, since versions of one
  /// document stand beside each other.
  explicit VersionSource(Documents documents, bool numbered = false)
      : documents_(std::move(documents)), numbered_(numbered) {}

  std::unique_ptr<index::RawBatch> read() override;
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override;
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return documents_.size(); }

 private:
  const Documents documents_;
  const bool numbered_;
  std::size_t next_ = 0;
};

/// All versions that a history has made. Thread-safe.
class Archive {
 public:
  /// A version of a document, at random.
  VersionPointer make(std::mt19937& random, std::string id);
  /// The one whose note this is; null if there is none.
  VersionPointer find(const std::string& note) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, VersionPointer> by_note_;
};

/// Takes away what has the id of `version`, and puts it at the end.
void put(Documents& documents, const VersionPointer& version);
void take_away(Documents& documents, const std::string& id);
bool has(const Documents& documents, const std::string& id);

}  // namespace gannet::soak
