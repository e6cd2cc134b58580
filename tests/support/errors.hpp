// What a call throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace gannet::test {

/// The message of the error of type E that `f` throws.
template <class E, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception of the expected type";
  return {};
}

}  // namespace gannet::test
