// The sections of a postings file.
#pragma once

#include <array>

#include "index/files/format.hpp"

namespace gannet::index::postings_sections {

inline constexpr Tag kWords{"WORD"};
inline constexpr Tag kRows{"ROWS"};
inline constexpr Tag kBlocks{"RBLK"};
inline constexpr Tag kSkips{"SKIP"};
inline constexpr Tag kMaxFreqs{"MAXF"};
inline constexpr Tag kMinLengths{"MINL"};
inline constexpr std::array kKnown{kWords, kRows, kBlocks, kSkips, kMaxFreqs, kMinLengths};

}  // namespace gannet::index::postings_sections
