#include "index/fields/reading/present_bits.hpp"

#include <bit>
#include <string>

#include "index/fields/fields_layout.hpp"

namespace gannet::index {

std::span<const std::uint64_t> open_present(const ContainerReader& file, const FieldSpec& spec,
                                            std::size_t number, std::uint64_t having,
                                            std::uint32_t documents) {
  const auto fail = [&](const std::string& what) {
    file.fail("field '" + spec.name + "': " + what);
  };
  const Tag tag = field_tag(FieldSection::kPresent, number);
  const bool all = having == documents;
  if (file.has(tag) == all) {
    fail("section '" + to_string(tag) +
         (all ? "' is there, though all documents have the field"
              : "' is missing, though some documents lack the field"));
  }
  if (all) return {};
  const auto present = file.section<std::uint64_t>(tag, (std::uint64_t{documents} + 63) / 64);
  std::uint64_t bits = 0;
  for (const std::uint64_t word : present) bits += static_cast<std::uint64_t>(std::popcount(word));
  if (bits != having) {
    fail("its bitmap has " + std::to_string(bits) + " documents instead of " +
         std::to_string(having));
  }
  if (documents % 64 != 0 && present.back() >> documents % 64 != 0) {
    fail("its bitmap has bits behind the last document");
  }
  return present;
}

}  // namespace gannet::index
