// See tbb_on_threads.hpp.
#pragma once

#include "../tbb_on_threads.hpp"
