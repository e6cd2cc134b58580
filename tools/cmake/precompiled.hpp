// What most files of the libraries include, read once a library where GANNET_PRECOMPILE is on.
// Files include what they use all the same: builds without it, and the header check, see to that.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
