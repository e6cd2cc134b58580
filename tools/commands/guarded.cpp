#include "tools/commands/guarded.hpp"

#include <algorithm>
#include <filesystem>
#include <new>

#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "index/manifest/busy_error.hpp"
#include "query/plan/query_error.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

void print_error(std::string_view who, const Failure& failure) {
  Json json = envelope_of(who);
  json["error"] = json_of(failure);
  print_json(json, stderr);
}

}  // namespace

std::string_view name_of(ExitCode code) {
  switch (code) {
    case kUsage:
      return "usage";
    case kBadInput:
      return "input";
    case kIo:
      return "io";
    case kGpu:
      return "gpu";
    case kDamaged:
      return "damaged";
    case kBusy:
      return "busy";
    case kTimeout:
      return "timeout";
    case kInterrupted:
      return "interrupted";
    case kOk:
    case kNegative:
    case kSkipped:
    case kInternal:
      break;
  }
  return "internal";
}

Json json_of(const Failure& failure) {
  Json json{{"code", name_of(failure.code)},
            {"exit_code", static_cast<int>(failure.code)},
            {"message", failure.message}};
  if (failure.column) json["column"] = *failure.column;
  return json;
}

bool asks_for_json(Args args) {
  const auto end = std::find(args.begin(), args.end(), "--");
  return std::find(args.begin(), end, "--json") != end;
}

Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const DeadlineError&) {
    return {kTimeout, "not done within --timeout; give it more time, or ask for less"};
  } catch (const CancelledError&) {
    return {kInterrupted, "interrupted"};
  } catch (const query::QueryError& e) {
    return {kUsage, e.what(), e.column};
  } catch (const index::BusyError& e) {
    return {kBusy, e.what()};
  } catch (const UsageError& e) {
    return {kUsage, e.what()};
  } catch (const DamageError& e) {
    return {kDamaged, e.what()};
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

int report(std::string_view who, const Failure& failure, bool json) {
  if (failure.code == kInterrupted || failure.code == kTimeout) discard_stdout();
  if (json) {
    print_error(who, failure);
    return failure.code;
  }
  std::string message = failure.message;
  std::replace(message.begin(), message.end(), '\n', ' ');
  print(stderr, "{}: {}\n", who, message);
  return failure.code;
}

int run_guarded(std::string_view who, bool json, const std::function<int()>& work) {
  set_speaker(who, json);
  try {
    const int code = work();
    flush_stdout();  // a full disk shows up here at the latest
    return code;
  } catch (...) {
    return report(who, failure_of(std::current_exception()), json);
  }
}

}  // namespace gannet::tools
