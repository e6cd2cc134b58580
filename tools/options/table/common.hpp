// Options of many commands.
#pragma once

#include "tools/options/table/option.hpp"

namespace gannet::tools::options {

template <const auto& names>
Names names_in() {
  return Names(std::begin(names), std::end(names));
}

/// What posting lists are read from and written to, beside an index.
inline constexpr std::string_view kListFormats[] = {"ds2i", "ciff"};

/// Which index a command takes without it: tools/options/index_argument.hpp.
inline constexpr Option kIndex{"index", Text{Kind::kFolder}, kNone,
                               R"(the index (a folder); also the first word,
    or GANNET_INDEX in the environment)"};
inline constexpr Option kMemory{"memory", Size{}, {"2G"}, "most memory: 512M, 8G"};
inline constexpr Option kThreads{"threads", Whole{}, {"0"}, "0: all cores"};
inline constexpr Option kOverwrite{"overwrite", Flag{}, kNone, "replace a file that is there"};
inline constexpr Option kQuiet{"quiet", Flag{}, kNone, "no progress line and no summary"};
inline constexpr Option kNoProgress{"quiet", Flag{}, kNone, "no progress line"};

/// What becomes of what is malformed, by corpora::Malformed.
inline constexpr std::string_view kOnErrorNames[] = {"stop", "skip"};
inline constexpr Choice kOnErrorChoice{names_in<kOnErrorNames>};

}  // namespace gannet::tools::options
