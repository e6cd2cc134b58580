// Every tile codec of tile_codecs.hpp keeps its contract.
#include "tests/support/codecs/tile_kit.hpp"

namespace gannet::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(All, TileRoundtrip, CodecTypes, CodecNames);
INSTANTIATE_TYPED_TEST_SUITE_P(All, TileDamage, CodecTypes, CodecNames);
INSTANTIATE_TYPED_TEST_SUITE_P(All, TileWideForms, CodecTypes, CodecNames);

}  // namespace
}  // namespace gannet::test
