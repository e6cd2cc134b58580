// Every type of AllFieldTypes keeps its contract.
#include "tests/support/index/field_type_kit.hpp"

namespace gannet::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(All, FieldTypeKit, FieldTypes, FieldTypeNames);

}  // namespace
}  // namespace gannet::test
