#include "query/columns/counting/whole_number.hpp"

#include <algorithm>

namespace gannet::query {

std::string to_text(Int128 number, unsigned scale) {
  const bool negative = number < 0;
  Uint128 rest = negative ? -static_cast<Uint128>(number) : static_cast<Uint128>(number);
  std::string digits;  // backwards
  for (; rest != 0 || digits.size() <= scale; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  std::ranges::reverse(digits);
  if (scale != 0) {
    digits.insert(digits.size() - scale, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (negative ? "-" : "") + digits;
}

}  // namespace gannet::query
