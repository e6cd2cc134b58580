// A stop while a damaged segment's column is read.
#include <gtest/gtest.h>

#include <cstdint>
#include <stop_token>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/repair/salvaged_segment.hpp"

namespace gannet::index {
namespace {

/// Somebody asks for a stop while the first block is being decoded.
class StoppingColumn final : public LostColumn {
 public:
  StoppingColumn(const FieldSpec& spec, std::stop_source stop)
      : LostColumn(spec, 20 * kFieldBlock), stop_(std::move(stop)) {}
  void decode(std::size_t block, std::uint64_t* out) const override {
    LostColumn::decode(block, out);
    ++decoded_;
    stop_.request_stop();
  }
  int decoded() const { return decoded_; }

 private:
  mutable std::stop_source stop_;
  mutable int decoded_ = 0;
};

TEST(Salvage, AColumnIsNotReadToItsEndAfterAStop) {
  const std::stop_source stop;
  const FieldSpec spec = parse_field("n:i32");
  const StoppingColumn column(spec, stop);
  EXPECT_THROW(read_column(column, stop.get_token()), CancelledError);
  EXPECT_EQ(column.decoded(), 1);
}

}  // namespace
}  // namespace gannet::index
