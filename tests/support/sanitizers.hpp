// Inputs of a size that suits instrumented code.
#pragma once

#include <cstddef>

namespace gannet::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// `size`, of an input that is made so large that work on it takes a second or more; where code is
/// instrumented it takes about as long with a tenth.
constexpr std::size_t long_work(std::size_t size) { return kSanitized ? size / 10 : size; }

}  // namespace gannet::test
