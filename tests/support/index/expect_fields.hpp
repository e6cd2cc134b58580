// Comparing the fields of an index with the documents that it was built from.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/index/field_data.hpp"

namespace gannet::test {

/// The index holds exactly the documents' values.
inline void expect_fields(const index::Index& index, const std::vector<DocumentValues>& documents) {
  const index::Segment& segment = *index.segments().front();
  for (std::uint32_t f = 0; f < index.schema().fields().size(); ++f) {
    const index::FieldSpec& field = index.schema().fields()[f];
    EXPECT_EQ(values_in(segment.field(f)), expected_values(field, f, documents)) << field.name;
  }
}

}  // namespace gannet::test
