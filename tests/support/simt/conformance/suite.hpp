// The suite of all cases. A program that includes it defines
// in this namespace what the functions below do, and instantiates the suite with Cases.
#pragma once

#include <gtest/gtest.h>

#include "codecs/core/lanes.hpp"
#include "tests/support/simt/conformance/fields.hpp"
#include "tests/support/simt/conformance/floats.hpp"
#include "tests/support/simt/conformance/integers.hpp"
#include "tests/support/simt/conformance/lanes.hpp"

namespace gannet::test::conformance {

/// Whether there is a device; else tests are skipped.
bool device_is_there();

/// Launches run_case<Case> for inputs of whole warps, in blocks of a warp; what it gives.
template <class Case>
std::vector<std::uint64_t> run_on_device(const std::vector<Input>& inputs);

template <class Case>
class Conformance : public ::testing::Test {};
TYPED_TEST_SUITE_P(Conformance);

TYPED_TEST_P(Conformance, GivesWhatTheFormulaSays) {
  if (!device_is_there()) GTEST_SKIP() << "no GPU";
  const std::vector<Input> inputs = random_inputs(128);
  const std::vector<std::uint64_t> expected = expected_of<TypeParam>(inputs);
  const std::vector<std::uint64_t> results = run_on_device<TypeParam>(inputs);
  ASSERT_EQ(results.size(), expected.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Input& in = inputs[i];
    ASSERT_EQ(results[i], expected[i])
        << std::hex << "lane " << i % kLanes << ": " << in.a << ' ' << in.b << ' ' << in.c << ' '
        << in.d << ' ' << std::hexfloat << in.f << ' ' << in.g;
  }
}

REGISTER_TYPED_TEST_SUITE_P(Conformance, GivesWhatTheFormulaSays);

struct CaseNames {
  template <class Case>
  static std::string GetName(int) {
    return Case::name;
  }
};

using Cases = ::testing::Types<
    // integers.hpp
    Popc, Popcll, Ffs, Ffsll, Clz, Clzll, Brev, Brevll, BytePerm, FunnelR, FunnelRC, FunnelL,
    FunnelLC, Umulhi, Umul64hi, Mulhi, Dp4a, Dp2aLo, Dp2aHi, MinMixed, MaxMixed, MinSigned, MaxLong,
    // fields.hpp
    Vminu2, Vminu4, Vmaxu2, Vmaxu4, Vadd2, Vadd4, Vsub2, Vsub4, Vaddus2, Vaddus4, Vsubus2, Vsubus4,
    Vabsdiffu2, Vabsdiffu4, Vcmpeq2, Vcmpeq4, Vcmpne2, Vcmpne4, Vcmpgeu2, Vcmpgeu4, Vcmpgtu2,
    Vcmpgtu4, Vcmpleu2, Vcmpleu4, Vcmpltu2, Vcmpltu4,
    // floats.hpp
    FaddRn, FsubRn, FmulRn, FdivRn, FsqrtRn, FrcpRn, FmafRn, Uint2Float, Int2Float, Saturate,
    UintAsFloat, IntAsFloat, MinFloat, MaxFloat, Float2Uint_rd, Float2Uint_ru, Float2Uint_rz,
    Float2Uint_rn, Float2Int_rd, Float2Int_ru, Float2Int_rz, Float2Int_rn, Float2UintNan,
    Float2IntNan,
    // lanes.hpp
    Shfl1, Shfl4, Shfl16, Shfl32, ShflUp1, ShflUp4, ShflUp16, ShflUp32, ShflDown1, ShflDown4,
    ShflDown16, ShflDown32, ShflXor1, ShflXor4, ShflXor16, ShflXor32, Ballot, Any, All, MatchAny,
    MatchAnyLong, MatchAll, ReduceAdd, ReduceMin, ReduceMax, ReduceMinSigned, ReduceMaxSigned,
    ReduceAnd, ReduceOr, ReduceXor>;

}  // namespace gannet::test::conformance
