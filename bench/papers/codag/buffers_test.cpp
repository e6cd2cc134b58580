// CODAG's input streams: every source of words gives the same bits, whoever decodes, and columns of
// strips come back from all of them.
#include "bench/papers/codag/buffers.hpp"

#include <gtest/gtest.h>

#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/orc_values.hpp"
#include "tests/support/codecs/stream_values.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::ListView;
using codecs::SerialLanes;
using codecs::papers::CodagInput;
using codecs::papers::DecodeBy;
using All = codecs::papers::SharedWords<SerialLanes, DecodeBy::kAllLanes>;
using Lane0 = codecs::papers::SharedWords<SerialLanes, DecodeBy::kLane0>;
using Registers = codecs::papers::RegisterWords<SerialLanes>;
using codecs::papers::PlainWords;

/// Calls use.operator()<by>(words) for every source of words and who decodes from it.
template <class Use>
void from_every_source(ByteRange range, const Use& use) {
  const SerialLanes lanes;
  std::uint32_t buffer[All::kBufferWords];
  use.template operator()<DecodeBy::kAllLanes>(All(lanes, range, buffer));
  use.template operator()<DecodeBy::kLane0>(Lane0(lanes, range, buffer));
  use.template operator()<DecodeBy::kAllLanes>(Registers(lanes, range));
  use.template operator()<DecodeBy::kAllLanes>(PlainWords(range));
  use.template operator()<DecodeBy::kLane0>(PlainWords(range));
}

template <BitOrder order>
void check_sources(ByteRange range, std::uint32_t seed) {
  const SerialLanes lanes;
  std::uint32_t buffer[All::kBufferWords];
  CodagInput<DecodeBy::kAllLanes, All, order> shared(All(lanes, range, buffer), range.begin);
  check_fields<order>(shared, range, seed);
  CodagInput<DecodeBy::kAllLanes, Registers, order> registers(Registers(lanes, range), range.begin);
  check_fields<order>(registers, range, seed);
}

TEST(CodagStreams, EverySourceGivesTheBitsOfTheDefinition) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    // The words end where memory does, and the range may begin and end at any byte.
    const std::uint32_t count = 1 + random() % 200;
    const FencedWords words(uniform(count, 32, round), round % 2 == 0 ? kBehind : kBefore);
    const std::uint32_t begin = random() % std::min(4 * count, 300u);
    const std::uint32_t end = begin + random() % (4 * count - begin + 1);
    check_sources<BitOrder::kLsbFirst>({words.data(), begin, end}, round);
    check_sources<BitOrder::kMsbFirst>({words.data(), begin, end}, round);
  }
}

TEST(CodagStreams, DecodersGiveTheSameFromEverySource) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Words words = random_copies(seed);
    const std::size_t capacity = 1 + seed * 37 % 6000;
    const auto expected = expected_copies(words, capacity);
    from_every_source({words.data(), 0, 400}, [&]<DecodeBy by>(auto source) {
      CodagInput<by, decltype(source), BitOrder::kLsbFirst> input(source, 0);
      std::vector<std::uint8_t> out(capacity);
      codecs::HostOutput<std::uint8_t> output({}, out.data(), static_cast<std::uint32_t>(capacity));
      Copies decoder;
      codecs::papers::decode_symbols<by>(SerialLanes{}, decoder, input, output);
      out.resize(output.position());
      ASSERT_EQ(out, expected);
    });
  }
}

template <class Codec, class T>
void check_column(const std::vector<T>& values, const std::string& parameters) {
  using U = std::make_unsigned_t<T>;
  Words encoded;
  Codec::template encode<T>(values, codecs::Parameters(parameters), encoded);
  const FencedWords words(encoded, kBehind);
  const ListView column{words.data(), static_cast<std::uint32_t>(values.size())};
  const std::vector<U> expected(values.begin(), values.end());
  for (std::uint32_t chunk = 0; chunk * encoded[0] < values.size(); ++chunk) {
    const std::uint32_t first = chunk * encoded[0];
    const std::uint32_t size = codecs::chunk_size(column.count, encoded[0], chunk);
    const ByteRange range = Codec::Column::stream_of(column, chunk);
    from_every_source(range, [&]<DecodeBy by>(auto source) {
      CodagInput<by, decltype(source), Codec::order> input(source, range.begin);
      std::vector<U> decoded(size);
      codecs::papers::decode_whole_chunk<Codec, U, by>(SerialLanes{}, column, chunk, input,
                                                       decoded.data());
      ASSERT_TRUE(std::equal(decoded.begin(), decoded.end(), expected.begin() + first));
    });
  }
}

template <class Codec, class T>
void check_type() {
  for (const std::string& structure : kRunStructures) {
    SCOPED_TRACE(structure);
    for (const std::uint32_t count : {1u, 3u, 129u, 2049u, 9000u}) {
      check_column<Codec>(values_of<T>(numbers_in(structure, count, count)), "");
    }
  }
  check_column<Codec>(values_of<T>(numbers_in("mixed", 70000)), "chunk=65536");
}

template <class Codec>
class CodagColumns : public ::testing::Test {};
using OrcCodecs = ::testing::Types<codecs::RleV1, codecs::RleV2>;
TYPED_TEST_SUITE(CodagColumns, OrcCodecs, CodecNames);

TYPED_TEST(CodagColumns, ComeBackFromEverySource) {
  check_type<TypeParam, std::int8_t>();
  check_type<TypeParam, std::uint16_t>();
  check_type<TypeParam, std::uint32_t>();
  check_type<TypeParam, std::int64_t>();
}

}  // namespace
}  // namespace gannet::test
