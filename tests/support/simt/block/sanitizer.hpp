// Whether the address sanitizer is there: g++ and clang say it in ways of their own.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define GANNET_SIMT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GANNET_SIMT_ASAN 1
#endif
#endif
