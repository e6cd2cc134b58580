// gannet version: what this build is and what it can do here.
#include "codecs/base/version.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "codecs/base/cuda/device.hpp"
#include "codecs/registry.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kVersionHelp{"gannet version [--json]   (also gannet --version)",
                                R"(
Prints the version, the back ends built, whether a GPU can be used here, the posting codecs,
and the versions of the libraries.)",
                                "  gannet --version"};

/// Empty in a build without CUDA.
constexpr std::string_view kCudaVersion = GANNET_CUDA_VERSION;  // NOLINT

/// "cuda (CUDA 13.0.88; no GPU: ...)" and so on.
std::string describe_cuda(bool usable, std::string_view why) {
  if (kCudaVersion.empty()) return fmt::format("cuda: {}", why);
  const std::string state =
      usable ? codecs::cuda::device_name() : fmt::format("not usable here: {}", why);
  return fmt::format("cuda: CUDA {}; {}", kCudaVersion, state);
}

Json version_json(bool usable, std::string_view why) {
  Json cuda{{"built", !kCudaVersion.empty()}, {"usable", usable}};
  if (!kCudaVersion.empty()) cuda["cuda_version"] = kCudaVersion;
  cuda[usable ? "device" : "why"] = usable ? codecs::cuda::device_name() : std::string(why);
  Json list_codecs = Json::array();
  for (const codecs::ListCodec& codec : codecs::all_list_codecs())
    list_codecs.push_back(codec.name);
  return {
      {"gannet_version", kVersion},
      {"compiler", GANNET_COMPILER},
      {"backends", {{"cpu", {{"usable", true}}}, {"cuda", std::move(cuda)}}},
      {"codecs", std::move(list_codecs)},
      {"libraries", GANNET_LIBRARIES},
  };
}

}  // namespace

int cmd_version(Args args) {
  OptionSet options(kVersionHelp);
  if (!options.parse(args)) return kOk;
  std::string why;
  const bool usable = codecs::cuda::available(&why);
  if (options.json()) {
    print_result("version", version_json(usable, why));
    return kOk;
  }
  print("gannet {}\n", kVersion);
  print("back ends  cpu; {}\n", describe_cuda(usable, why));
  print("codecs     {}\n", codecs::list_codec_names());
  print("libraries  {}\n", GANNET_LIBRARIES);
  print("compiler   {}\n", GANNET_COMPILER);
  return kOk;
}

}  // namespace gannet::tools
