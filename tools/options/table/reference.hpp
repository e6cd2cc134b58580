// Options of `gannet help` and `gannet completion`.
#pragma once

#include "tools/options/table/common.hpp"

namespace gannet::tools::options {

inline constexpr Option kHelpOptions[] = {
    {"command", Texts{.words = true, .kind = Kind::kCommand}, kNone,
     "the command: search, bench decode"},
    {"man", Flag{}, kNone, "print a manual page in troff"},
};

enum class Shell { kBash, kZsh, kFish };
inline constexpr std::string_view kShellNames[] = {"bash", "zsh", "fish"};
inline constexpr Option kShell{"shell", Choice{names_in<kShellNames>}, kRequired, "{}"};

}  // namespace gannet::tools::options
