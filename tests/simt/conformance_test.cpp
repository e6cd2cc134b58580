// The emulator's intrinsics and shuffles give what formulas say of them, as a GPU does: the same
// cases run there too (tests/simt/device/conformance_test.cu).
#include "tests/support/simt/conformance/suite.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::test::conformance {

bool device_is_there() { return true; }

template <class Case>
std::vector<std::uint64_t> run_on_device(const std::vector<Input>& inputs) {
  std::vector<std::uint64_t> results(inputs.size());
  simt::launch({.grid = static_cast<unsigned>(inputs.size() / kLanes), .block = kLanes},
               run_case<Case>, inputs.data(), results.data());
  return results;
}

INSTANTIATE_TYPED_TEST_SUITE_P(Emulated, Conformance, Cases, CaseNames);

}  // namespace gannet::test::conformance
