// The numbers of CIFF's fields: of the header, a posting list, a posting and a document's record.
#pragma once

#include <cstdint>

namespace gannet::corpora::ciff {

inline constexpr std::uint64_t kVersion = 1;

struct HeaderField {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kLists = 2;           ///< messages that follow
  static constexpr std::uint32_t kDocuments = 3;       ///< records behind them
  static constexpr std::uint32_t kTotalLists = 4;      ///< of the collection
  static constexpr std::uint32_t kTotalDocuments = 5;  ///< of the collection
  static constexpr std::uint32_t kTokens = 6;
  static constexpr std::uint32_t kAverageLength = 7;  ///< float64
  static constexpr std::uint32_t kDescription = 8;
};

struct ListField {
  static constexpr std::uint32_t kTerm = 1;
  static constexpr std::uint32_t kDocumentFrequency = 2;
  static constexpr std::uint32_t kCollectionFrequency = 3;
  static constexpr std::uint32_t kPosting = 4;  ///< a message each
};

struct PostingField {
  static constexpr std::uint32_t kGap = 1;  ///< the docid, less the one before
  static constexpr std::uint32_t kFrequency = 2;
};

struct DocumentField {
  static constexpr std::uint32_t kDocid = 1;
  static constexpr std::uint32_t kId = 2;
  static constexpr std::uint32_t kLength = 3;
};

}  // namespace gannet::corpora::ciff
