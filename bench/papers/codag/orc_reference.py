#!/usr/bin/env python3
"""Holds the codecs rle-v1 and rle-v2 against ORC's own library (the C++ one, inside pyarrow).

  python3 -m pip install --target FOLDER pyarrow
  PYTHONPATH=FOLDER python3 bench/papers/codag/orc_reference.py --include build/dev/include

For every run structure, integer type and file version (0.11: RLE version 1; 0.12: version 2):
  - the library writes a file; the column's integer stream is cut out and decoded by ours;
  - ours encodes the same values; the bytes are compared with the library's;
  - a file around our stream is read by the library.
String columns give unsigned streams (their lengths). The script compiles a small library from the
headers with g++; --golden prints short streams for tests. Exit status 0 if all values agree.
"""

import argparse
import ctypes
import io
import pathlib
import random
import subprocess
import sys
import tempfile

import pyarrow
import pyarrow.orc

SHIM = r"""
#include <cstring>
#include "gannet/codecs/orc/rle_v1.hpp"
#include "gannet/codecs/orc/rle_v2.hpp"
using namespace gannet::codecs;
template <class Codec>
static std::size_t encode(std::span<const std::int64_t> values, bool is_signed, std::uint8_t* out) {
  std::vector<std::uint8_t> bytes;
  Codec::encode_strip(values, is_signed, bytes);
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}
template <class Codec>
static int decode(std::span<const std::uint8_t> bytes, bool is_signed, std::uint64_t* out,
                  std::uint32_t count) {
  if (Codec::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()), count) != nullptr) return 1;
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  MemoryInput<Codec::order> input({words.data(), 0, static_cast<std::uint32_t>(bytes.size())});
  typename Codec::template Decoder<std::uint64_t> decoder(is_signed);
  HostOutput<std::uint64_t> output({}, out, count);
  decode_symbols<DecodeBy::kAllLanes>(SerialLanes{}, decoder, input, output);
  return 0;
}
extern "C" std::size_t orc_encode(int version, const std::int64_t* values, std::size_t count,
                                  int is_signed, std::uint8_t* out) {
  return version == 1 ? encode<RleV1>({values, count}, is_signed, out)
                      : encode<RleV2>({values, count}, is_signed, out);
}
extern "C" int orc_decode(int version, const std::uint8_t* bytes, std::size_t size, int is_signed,
                          std::uint64_t* out, std::uint32_t count) {
  return version == 1 ? decode<RleV1>({bytes, size}, is_signed, out, count)
                      : decode<RleV2>({bytes, size}, is_signed, out, count);
}
"""


class Ours:
    """Our encoder and decoder, compiled from the headers."""

    def __init__(self, include):
        folder = tempfile.TemporaryDirectory()
        self.folder = folder
        source = pathlib.Path(folder.name, "shim.cpp")
        source.write_text(SHIM)
        library = str(source.with_suffix(".so"))
        subprocess.run(["g++", "-std=c++20", "-O2", "-w", "-shared", "-fPIC", f"-I{include}",
                        str(source), "-o", library], check=True)
        self.library = ctypes.CDLL(library)
        self.library.orc_encode.restype = ctypes.c_size_t

    def encode(self, version, values, is_signed):
        array = (ctypes.c_int64 * len(values))(*values)
        out = (ctypes.c_uint8 * (12 * len(values) + 16))()
        size = self.library.orc_encode(version, array, ctypes.c_size_t(len(values)),
                                       int(is_signed), out)
        return bytes(out[:size])

    def decode(self, version, stream, count, is_signed):
        out = (ctypes.c_uint64 * count)()
        if self.library.orc_decode(version, stream, ctypes.c_size_t(len(stream)), int(is_signed),
                                   out, ctypes.c_uint32(count)) != 0:
            return None
        sign = 1 << 63
        return [(value ^ sign) - sign for value in out]


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """One protobuf field: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(data):
    """The fields of a protobuf message: {number: [values]}."""
    fields, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        kind = key & 7
        if kind == 0:
            value = number()
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        elif kind == 2:
            length = number()
            value, at = data[at:at + length], at + length
        else:
            value, at = data[at:at + 4], at + 4
        fields.setdefault(key >> 3, []).append(value)
    return fields


DATA, LENGTH = 1, 2
SHORT, INT, LONG, STRING, STRUCT = 2, 3, 4, 7, 12


def stream_of(file, kind):
    """The bytes of column 1's stream of a kind, and the column's encoding, of a one-stripe file."""
    postscript_size = file[-1]
    postscript = message(file[-1 - postscript_size:-1])
    footer_end = len(file) - 1 - postscript_size
    footer = message(file[footer_end - postscript[1][0]:footer_end])
    (stripe,) = (message(data) for data in footer[3])
    at = stripe[1][0]
    footer_at = at + stripe[2][0] + stripe[3][0]
    stripe_footer = message(file[footer_at:footer_at + stripe[4][0]])
    encoding = message(stripe_footer[2][1]).get(1, [0])[0]
    found = b""
    for stream in map(message, stripe_footer[1]):
        length = stream[3][0]
        if stream.get(2, [0])[0] == 1 and stream.get(1, [0])[0] == kind:
            found += file[at:at + length]
        at += length
    return found, encoding


def file_around(stream, kind, version, count):
    """An ORC file with one column whose data is `stream`."""
    head = b"ORC"
    encodings = field(2, field(1, 0)) + field(2, field(1, 0 if version == 1 else 2))
    stripe_footer = field(1, field(1, DATA) + field(2, 1) + field(3, len(stream))) + encodings
    stripe = (field(1, len(head)) + field(2, 0) + field(3, len(stream)) +
              field(4, len(stripe_footer)) + field(5, count))
    types = (field(4, field(1, STRUCT) + field(2, b"\x01") + field(3, b"x")) +
             field(4, field(1, kind)))
    statistics = field(7, field(1, count)) + field(7, field(1, count))
    content = len(head) + len(stream) + len(stripe_footer)
    footer = (field(1, len(head)) + field(2, content) + field(3, stripe) + types +
              field(6, count) + statistics + field(8, 0))
    minor = 11 if version == 1 else 12
    postscript = (field(1, len(footer)) + field(2, 0) + field(3, 65536) +
                  field(4, varint(0) + varint(minor)) + field(5, 0) + field(6, 6) +
                  field(8000, b"ORC"))
    return head + stream + stripe_footer + footer + postscript + bytes([len(postscript)])


def structures(bits, count):
    """Columns of signed values of so many bits, by name."""
    rng = random.Random(bits)
    top = (1 << (bits - 1)) - 1

    def runs(lengths, values):
        out = []
        while len(out) < count:
            out += [values()] * lengths()
        return out[:count]

    def clamped(values):
        return [max(-top - 1, min(top, value)) for value in values]

    def any_width():
        return rng.getrandbits(bits) >> rng.randrange(bits) if rng.random() < 0.5 else \
            -(rng.getrandbits(bits - 1) >> rng.randrange(bits - 1))

    def rising(step):
        level, out = -1000, []
        for _ in range(count):
            level = min(top, level + rng.randrange(step))
            out.append(level)
        return out

    small = lambda: rng.randrange(-50, 50)
    return {
        "constant": [7] * count,
        "short runs": runs(lambda: rng.randrange(1, 8), lambda: rng.randrange(1 << 14)),
        "long runs": runs(lambda: 256, lambda: rng.randrange(1 << 14)),
        "longest runs": runs(lambda: rng.randrange(500, 530), small),
        "literals": clamped([rng.randrange(-1 << 20, 1 << 20) for _ in range(count)]),
        "mixed": runs(lambda: rng.choice([1, 1, 1, 2, 3, 9, 10, 11, 130, 131, 600]), small),
        "one step": clamped([3 * i - 500 for i in range(count)]),
        "falling": [-value for value in clamped(rising(40))],
        "rising": rising(2), "rising fast": clamped(rising(1 << 12)),
        "outliers": clamped([rng.randrange(100000, 200000) if rng.random() < 0.02 else
                             rng.randrange(100) for _ in range(count)]),
        "wide outliers": clamped([rng.getrandbits(bits - 2) if rng.random() < 0.01 else small()
                                  for _ in range(count)]),
        "far outliers": clamped([1 << (bits - 3) if i % 509 == 300 else i * 7 % 4
                                 for i in range(count)]),
        "any width": clamped([any_width() for _ in range(count)]),
        "extremes": [rng.choice([-top - 1, -top, -1, 0, 1, top - 1, top]) for _ in range(count)],
        "extreme runs": runs(lambda: rng.randrange(1, 20), lambda: rng.choice([-top - 1, top])),
    }


def written(table, version, strategy):
    sink = io.BytesIO()
    with pyarrow.orc.ORCWriter(sink, file_version="0.11" if version == 1 else "0.12",
                               compression="uncompressed",
                               compression_strategy=strategy) as writer:
        writer.write(table)
    return sink.getvalue()


class Tally:
    def __init__(self):
        self.streams = self.failures = 0
        self.same = {}

    def check(self, good, what):
        self.streams += 1
        if not good:
            self.failures += 1
            print("WRONG:", what)

    def count_same(self, what, same):
        equal, total = self.same.get(what, (0, 0))
        self.same[what] = (equal + same, total + 1)


def check_integers(ours, tally, count):
    types = {16: (pyarrow.int16(), SHORT), 32: (pyarrow.int32(), INT), 64: (pyarrow.int64(), LONG)}
    for bits, (arrow, kind) in types.items():
        for name, values in structures(bits, count).items():
            table = pyarrow.table({"x": pyarrow.array(values, arrow)})
            for version in (1, 2):
                for strategy in ("speed", "compression"):
                    what = f"int{bits}, {name}, version {version}, {strategy}"
                    stream, encoding = stream_of(written(table, version, strategy), DATA)
                    tally.check(encoding == (0 if version == 1 else 2), what + ": encoding")
                    tally.check(ours.decode(version, stream, count, True) == values,
                                what + ": decoded by ours")
                    same = ours.encode(version, values, True) == stream
                    tally.count_same(f"version {version}, {strategy}", same)
                    if not same and strategy == "compression":
                        print("other bytes:", what, len(stream),
                              len(ours.encode(version, values, True)))
                file = file_around(ours.encode(version, values, True), kind, version, count)
                read = pyarrow.orc.ORCFile(io.BytesIO(file)).read()
                tally.check(read.column(0).to_pylist() == values,
                            f"int{bits}, {name}, version {version}: ours, read by the library")


def check_lengths(ours, tally, count):
    """Unsigned streams: the lengths of strings."""
    for name, values in structures(10, count).items():
        lengths = [abs(value) % 500 for value in values]
        table = pyarrow.table({"x": pyarrow.array(["a" * length for length in lengths])})
        for version in (1, 2):
            stream, _ = stream_of(written(table, version, "compression"), LENGTH)
            what = f"lengths, {name}, version {version}"
            tally.check(ours.decode(version, stream, count, False) == lengths, what)
            tally.count_same(f"version {version}, unsigned",
                             ours.encode(version, lengths, False) == stream)


def print_golden():
    """Short streams by the library, as C++ initialisers."""
    columns = {
        "short repeat": [-300] * 7, "long repeat": [5] * 600, "step": list(range(10, 70, 3)),
        "falling": [100, 99, 97, 94, 90, 85, 79, 72], "direct": [1, -2, 300, -40000, 5, 6],
        "patched": [3, 5, 1, 2 ** 40, 7, -2, 4, 6, 1, 0, 2, 5, 3, 4, 1, 6, 7, 2, 3, 5, 1, 4],
        "extremes": [-2 ** 63, 2 ** 63 - 1, 0, -1, 1],
        "far patch": [1 << 30 if i == 400 else i * 7 % 4 for i in range(420)],
    }
    for name, values in columns.items():
        table = pyarrow.table({"x": pyarrow.array(values, pyarrow.int64())})
        for version in (1, 2):
            for strategy in ("speed", "compression"):
                stream, _ = stream_of(written(table, version, strategy), DATA)
                print(f"{name}, version {version}, {strategy}: {stream.hex()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--include", help="folder in which gannet/codecs/... can be found")
    parser.add_argument("--count", type=int, default=20000, help="values a column")
    parser.add_argument("--golden", action="store_true", help="print short streams and stop")
    arguments = parser.parse_args()
    if arguments.golden:
        print_golden()
        return 0
    if not arguments.include:
        parser.error("--include is needed")
    ours, tally = Ours(arguments.include), Tally()
    check_integers(ours, tally, arguments.count)
    check_lengths(ours, tally, arguments.count)
    print(f"pyarrow {pyarrow.__version__}: {tally.streams} checks, {tally.failures} failed")
    for what, (same, total) in sorted(tally.same.items()):
        print(f"bytes as the library's, {what}: {same} of {total} streams")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
