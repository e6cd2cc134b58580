#include "codecs/columns.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "codecs/base/cancellation.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/core/host_tile.hpp"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs {
namespace {

bool takes_32_bits(ValueType type) { return size_of(type) <= 4; }

/// The words of a column of at most 32 bits per value: the values, extended with their sign.
std::vector<std::uint32_t> widened(ValueType type, std::span<const std::byte> values) {
  return with_value_type(type, [&]<class T>() {
    std::vector<std::uint32_t> words(values.size() / sizeof(T));
    StopCheck check_stop;
    for (std::size_t i = 0; i < words.size(); ++i) {
      T value;
      std::memcpy(&value, values.data() + i * sizeof(T), sizeof value);
      words[i] =
          static_cast<std::uint32_t>(value);  // NOLINT(bugprone-signed-char-misuse): signs extend
      check_stop();
    }
    return words;
  });
}

/// Stores the low bytes of `words` as values of `type`.
void narrow(ValueType type, std::span<const std::uint32_t> words, std::byte* out) {
  with_value_type(type, [&]<class T>() {
    if constexpr (sizeof(T) == 4) {
      std::memcpy(out, words.data(), words.size_bytes());
    } else {
      T* values = reinterpret_cast<T*>(out);
      for (std::size_t i = 0; i < words.size(); ++i) values[i] = static_cast<T>(words[i]);
    }
  });
}

/// Passes the column to `encode` as 32-bit words, copying it only where it must be widened.
template <class Encode>
void encode_words(ValueType type, std::span<const std::byte> values, const Encode& encode) {
  if (size_of(type) == 4) {
    encode({reinterpret_cast<const std::uint32_t*>(values.data()), values.size() / 4});
  } else {
    encode(widened(type, values));
  }
}

void check_takes(std::string_view codec, bool takes, ValueType type) {
  if (takes) return;
  throw UsageError(std::string(codec) + " does not code values of type " +
                   std::string(name_of(type)));
}

/// Throws UsageError unless values of `type` may stand at `values`.
void check_aligned(std::string_view codec, const std::byte* values, ValueType type) {
  if (reinterpret_cast<std::uintptr_t>(values) % size_of(type) == 0) return;
  throw UsageError(std::string(codec) + ": values of type " + std::string(name_of(type)) +
                   " must be aligned to " + std::to_string(size_of(type)) + " bytes");
}

/// Throws UsageError unless `values` is an array of `type` that may be encoded.
void check_values(std::string_view codec, bool takes, ValueType type,
                  std::span<const std::byte> values) {
  check_takes(codec, takes, type);
  check_aligned(codec, values.data(), type);
  if (values.size() % size_of(type) != 0) {
    throw UsageError(std::string(codec) + ": " + std::to_string(values.size()) +
                     " bytes are no whole number of values of type " + std::string(name_of(type)));
  }
  check_encodable(codec, values.size() / size_of(type));
}

/// The tile codecs, over words.
template <class C>
struct Tiles {
  static void encode(ValueType type, std::span<const std::byte> values,
                     const Parameters& parameters, std::vector<std::uint32_t>& words) {
    check_values(C::name, takes_32_bits(type), type, values);
    parameters.finish(C::name);
    encode_words(type, values,
                 [&](std::span<const std::uint32_t> column) { C::encode(column, words); });
  }

  static void validate(ValueType type, std::span<const std::uint32_t> words, std::uint32_t count) {
    check_takes(C::name, takes_32_bits(type), type);
    C::validate(words, count);
  }

  static void decode(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total,
                     std::uint32_t first, std::uint32_t count, std::byte* out) {
    if (count == 0) return;
    check_aligned(C::name, out, type);
    const ListView list{words.data(), total};
    const std::uint32_t end = first + count;
    std::uint32_t tile = first / kTile;
    auto cursor = C::seek(SerialLanes{}, list, tile);
    std::array<std::uint32_t, kTile> decoded;
    for (; tile * kTile < end; ++tile) {
      const std::uint32_t start = tile * kTile;
      const std::uint32_t from = std::max(first, start);
      const std::uint32_t to = std::min(end, start + kTile);
      std::byte* target = out + std::size_t{from - first} * size_of(type);
      if (size_of(type) == 4 && to - from == kTile) {
        next_tile_on_host<C>(list, tile, cursor, reinterpret_cast<std::uint32_t*>(target));
        continue;
      }
      next_tile_on_host<C>(list, tile, cursor, decoded.data());
      narrow(type, std::span(decoded).subspan(from - start, to - from), target);
    }
  }

  static std::uint32_t unit(ValueType, std::span<const std::uint32_t>, std::uint32_t) {
    return kTile;
  }

  static constexpr Codec describe() {
    return {C::id, C::name, true, C::traits.gaps, takes_32_bits, encode, validate, decode, unit};
  }
};

struct alignas(16) Scratch {
  std::uint32_t words[4];
};

/// Decodes values [first, first + count) chunk by chunk: into place where the codec may write
/// there, otherwise through a chunk of our own.
template <class C, class U>
void decode_chunks(std::span<const std::uint32_t> words, std::uint32_t total, std::uint32_t first,
                   std::uint32_t count, U* out) {
  const ListView column{words.data(), total};
  const std::uint32_t size = C::template chunk_values<U>(words.data());
  std::vector<Scratch> scratch(C::template scratch_words<U> / 4 + 1);
  std::vector<Scratch> own;
  const std::uint32_t end = first + count;
  for (std::uint32_t chunk = first / size; std::uint64_t{chunk} * size < end; ++chunk) {
    const std::uint32_t start = chunk * size;
    const std::uint32_t length = chunk_size(total, size, chunk);
    const std::uint32_t from = std::max(first, start);
    const std::uint32_t to = std::min(end, start + length);
    U* target = out + (from - first);
    const bool aligned = size % 16 != 0 || reinterpret_cast<std::uintptr_t>(target) % 16 == 0;
    const bool in_place = to - from == length && aligned;
    if (!in_place) own.resize(std::size_t{length} * sizeof(U) / sizeof(Scratch) + 1);
    U* decoded = in_place ? target : reinterpret_cast<U*>(own.data());
    if (!C::template decode_chunk<U>(SerialLanes{}, column, chunk, scratch[0].words, decoded)) {
      fail_block(C::name, chunk,
                 "its bytes are damaged (validate the column before it is decoded)");
    }
    if (!in_place) std::copy_n(decoded + (from - start), to - from, target);
  }
}

/// The chunk codecs. As on the device, a signed column is decoded as its unsigned twin.
template <class C>
struct Chunks {
  static bool takes(ValueType type) {
    return with_value_type(type, []<class T>() { return bool{C::template takes<T>}; });
  }

  /// Runs f.operator()<T>() for a type that the codec takes; throws UsageError for another one.
  template <class F>
  static auto with(ValueType type, const F& f) {
    check_takes(C::name, takes(type), type);
    return with_value_type(type, [&]<class T>() {
      if constexpr (C::template takes<T>) {
        return f.template operator()<T>();
      } else {
        return decltype(f.template operator()<Any>())();
      }
    });
  }

  static void encode(ValueType type, std::span<const std::byte> values,
                     const Parameters& parameters, std::vector<std::uint32_t>& words) {
    check_values(C::name, takes(type), type, values);
    with(type, [&]<class T>() {
      C::template encode<T>(
          std::span(reinterpret_cast<const T*>(values.data()), values.size() / sizeof(T)),
          parameters, words);
    });
  }

  static void validate(ValueType type, std::span<const std::uint32_t> words, std::uint32_t count) {
    with(type, [&]<class T>() { C::template validate<T>(words, count); });
  }

  static void decode(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total,
                     std::uint32_t first, std::uint32_t count, std::byte* out) {
    if (count == 0) return;
    check_aligned(C::name, out, type);
    with(type, [&]<class T>() {
      using U = std::make_unsigned_t<T>;
      decode_chunks<C, U>(words, total, first, count, reinterpret_cast<U*>(out));
    });
  }

  static std::uint32_t unit(ValueType type, std::span<const std::uint32_t> words,
                            std::uint32_t total) {
    if (total == 0) return 1;
    return with(type, [&]<class T>() {
      return C::template chunk_values<std::make_unsigned_t<T>>(words.data());
    });
  }

  static constexpr Codec describe() {
    return {C::id, C::name, false, false, takes, encode, validate, decode, unit};
  }

 private:
  template <class... Ts>
  static auto first_taken(std::tuple<Ts...>*) {
    using Taken = decltype(std::tuple_cat(
        std::declval<
            std::conditional_t<C::template takes<Ts>, std::tuple<Ts>, std::tuple<>>>()...));
    return std::tuple_element_t<0, Taken>{};
  }
  /// Some type that the codec takes.
  using Any = decltype(first_taken(
      static_cast<std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t, std::uint64_t>*>(nullptr)));
};

template <template <class> class Form, class... C>
constexpr std::array<Codec, sizeof...(C)> describe_all(std::tuple<C...>*) {
  return {Form<C>::describe()...};
}

template <std::size_t... Sizes>
constexpr auto joined(const std::array<Codec, Sizes>&... parts) {
  std::array<Codec, (Sizes + ...)> all{};
  std::size_t next = 0;
  const auto append = [&](const auto& part) {
    for (const Codec& codec : part) all[next++] = codec;
  };
  (append(parts), ...);
  return all;
}

constexpr auto kCodecs = joined(describe_all<Tiles>(static_cast<TileCodecs*>(nullptr)),
                                describe_all<Chunks>(static_cast<ChunkCodecs*>(nullptr)));

template <class Keep>
std::string names_where(const Keep& keep) {
  std::vector<std::string_view> names;
  for (const Codec& codec : kCodecs) {
    if (keep(codec) && std::find(names.begin(), names.end(), codec.name) == names.end()) {
      names.push_back(codec.name);
    }
  }
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace

std::span<const Codec> all_codecs() { return kCodecs; }

const Codec& codec_named(std::string_view name, ValueType type) {
  bool known = false;
  for (const Codec& codec : kCodecs) {
    if (codec.name != name) continue;
    if (codec.takes(type)) return codec;
    known = true;
  }
  const std::string quoted = "'" + std::string(name) + "'";
  const std::string of_type(name_of(type));
  const std::string names = codec_names(type);
  throw UsageError((known ? quoted + " does not code values of type " + of_type
                          : "no codec is called " + quoted) +
                   "; for " + of_type + " there " +
                   (names.empty() ? "is no codec" : "are " + names));
}

const Codec& codec_with(CodecId id) {
  for (const Codec& codec : kCodecs) {
    if (codec.id == id) return codec;
  }
  throw FormatError("unknown codec id " + std::to_string(static_cast<std::uint32_t>(id)));
}

std::string codec_names() {
  return names_where([](const Codec&) { return true; });
}

std::string codec_names(ValueType type) {
  return names_where([type](const Codec& codec) { return codec.takes(type); });
}

}  // namespace gannet::codecs
