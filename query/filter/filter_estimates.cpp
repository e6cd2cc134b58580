#include "query/filter/filter_estimates.hpp"

#include <algorithm>

#include "index/segment/live_documents.hpp"

namespace gannet::query {
namespace {

using FilterKind = SegmentFilter::Kind;

}  // namespace

double open_share(const SegmentFilter& filter) {
  double share = 1;
  switch (filter.kind) {
    case FilterKind::kNone:
      return 0;
    case FilterKind::kCodes: {
      const index::FieldColumn& column = *filter.column;
      if (column.texts() != nullptr || column.multi() || column.documents() == 0) return 1;
      double open = 0;
      for (const index::FieldBlock& block : column.blocks()) {
        const bool ruled_out =
            block.least > block.greatest || filter.codes.holds_none(block.least, block.greatest);
        if (!ruled_out) open += block.count;
      }
      return open / column.documents();
    }
    case FilterKind::kAnd:
      for (const SegmentFilter& part : filter.parts) share = std::min(share, open_share(part));
      return share;
    case FilterKind::kOr:
      share = 0;
      for (const SegmentFilter& part : filter.parts) share += open_share(part);
      return std::min(share, 1.0);
    default:
      return 1;
  }
}

double share_of_open_blocks(const SegmentFilter& filter, double estimated) {
  const double open = open_share(filter);
  return open == 0 ? 0 : std::min(1.0, estimated / open);
}

std::uint64_t least_passing(const SegmentFilter& filter, std::uint64_t documents) {
  switch (filter.kind) {
    case FilterKind::kAll:
      return documents;
    case FilterKind::kLive:
      return documents - filter.live->deleted();
    case FilterKind::kAnd: {
      std::uint64_t held_back = 0;
      for (const SegmentFilter& part : filter.parts) {
        held_back += documents - least_passing(part, documents);
      }
      return documents - std::min(documents, held_back);
    }
    case FilterKind::kCodes: {
      const index::FieldColumn& column = *filter.column;
      if (column.texts() != nullptr || column.multi() || !column.present().empty()) return 0;
      std::uint64_t passing = 0;
      for (const index::FieldBlock& block : column.blocks()) {
        if (filter.codes.holds_all(block.least, block.greatest)) passing += block.count;
      }
      return passing;
    }
    default:
      return 0;
  }
}

}  // namespace gannet::query
