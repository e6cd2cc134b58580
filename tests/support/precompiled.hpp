// What nearly every test includes, read once a program (tests/CMakeLists.txt). Tests include what
// they use all the same.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <span>
