#include "tools/commands/guarded.hpp"

#include <algorithm>
#include <filesystem>
#include <new>

#include "codecs/core/threads/deadline.hpp"
#include "codecs/error.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {

Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DeadlineError&) {
    return {kTimeout, "not done within --timeout; give it more time, or ask for less"};
  } catch (const CancelledError&) {
    return {kInterrupted, "interrupted"};
  } catch (const UsageError& e) {
    return {kUsage, e.what()};
  } catch (const FormatError& e) {
    return {kBadInput, e.what()};
  } catch (const InputError& e) {
    return {kBadInput, e.what()};
  } catch (const IoError& e) {
    return {kIo, e.what()};
  } catch (const std::filesystem::filesystem_error& e) {
    return {kIo, e.what()};
  } catch (const CudaError& e) {
    return {kGpu, e.what()};
  } catch (const std::bad_alloc&) {
    return {kInternal, "out of memory; try a smaller --memory, --batch or --k"};
  } catch (const std::exception& e) {
    return {kInternal, e.what()};
  }
}

int report(std::string_view who, const Failure& failure) {
  if (failure.code == kInterrupted || failure.code == kTimeout) discard_stdout();
  std::string message = failure.message;
  std::replace(message.begin(), message.end(), '\n', ' ');
  print(stderr, "{}: {}\n", who, message);
  return failure.code;
}

int run_guarded(std::string_view who, const std::function<int()>& work) {
  try {
    const int code = work();
    flush_stdout();  // a full disk shows up here at the latest
    return code;
  } catch (...) {
    return report(who, failure_of(std::current_exception()));
  }
}

}  // namespace gannet::tools
