// gannet version: what this build is and what it can do here.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "codecs/device/device.hpp"
#include "codecs/registry.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet version [--json]   (also gannet --version)",
    "Prints the version, the back ends built, whether a GPU can be used here, the posting codecs,\n"
    "and the versions of the libraries.",
    "  gannet --version"};

/// Empty in a build without CUDA.
constexpr std::string_view kCudaVersion = GANNET_CUDA_VERSION;  // NOLINT

/// "cuda (CUDA 13.0.88; no GPU: ...)" and so on.
std::string describe_cuda(bool usable, std::string_view why) {
  if (kCudaVersion.empty()) return "cuda: not built (no CUDA compiler at build time)";
  const std::string state =
      usable ? codecs::cuda::device_name() : fmt::format("not usable here: {}", why);
  return fmt::format("cuda: CUDA {}; {}", kCudaVersion, state);
}

void print_json(bool usable, std::string_view why) {
  Json json;
  json.begin_object().member("version", GANNET_VERSION).member("compiler", GANNET_COMPILER);
  json.key("backends").begin_object().key("cpu").begin_object().member("usable", true).end_object();
  json.key("cuda").begin_object().member("built", !kCudaVersion.empty()).member("usable", usable);
  if (!kCudaVersion.empty()) json.member("cuda_version", kCudaVersion);
  if (usable) {
    json.member("device", codecs::cuda::device_name());
  } else {
    json.member("why", why);
  }
  json.end_object().end_object().key("codecs").begin_array();
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) json.value(codec.name);
  json.end_array().member("libraries", GANNET_LIBRARIES).end_object().print();
}

}  // namespace

int cmd_version(Args args) {
  OptionSet options(kHelp);
  if (!options.parse(args)) return kOk;
  std::string why;
  const bool usable = codecs::cuda::available(&why);
  if (options.json()) {
    print_json(usable, why);
    return kOk;
  }
  fmt::print("gannet {}\n", GANNET_VERSION);
  fmt::print("back ends  cpu; {}\n", describe_cuda(usable, why));
  fmt::print("codecs     {}\n", codecs::list_codec_names());
  fmt::print("libraries  {}\n", GANNET_LIBRARIES);
  fmt::print("compiler   {}\n", GANNET_COMPILER);
  return kOk;
}

}  // namespace gannet::tools
