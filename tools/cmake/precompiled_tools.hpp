// precompiled.hpp, and what most files of the command include besides.
#pragma once

#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cmake/precompiled.hpp"
