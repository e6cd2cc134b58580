#!/usr/bin/env bash
# Tables 1 and 3 and figure 3 of "GPU-Accelerated Decoding of Integer Lists" (CIKM 2019), measured on this
# machine: bench/cikm19.sh [FOLDER]. Writes FOLDER/cikm19.json, figure3.png and the tables, as text, to stdout.
#   Table 1   "bits per integer", rows 2^16 (sparse) and 2^25 (dense)
#   Figure 3  "billion integers/s" over list length
#   Table 3   "speedup" of one GPU launch over one CPU thread (on a machine with a GPU); our CPU decoders read
#             the GPU formats, so the baseline is not the paper's
set -euo pipefail
folder=${1:-build/cikm19}
mkdir -p "$folder"
gannet=${GANNET:-}
for candidate in build/release/gannet build/demo/gannet build/cpu/gannet; do
  if [[ -z $gannet && -x $candidate ]]; then gannet=$candidate; fi
done
if [[ -z $gannet ]]; then
  echo "bench/cikm19.sh: build first (cmake --preset release && cmake --build --preset release)," \
    "or name the program: GANNET=path/to/gannet bench/cikm19.sh" >&2
  exit 2
fi
"$gannet" bench decode --codec gpu-bp128,gpu-bp256,gpu-vbyte128,gpu-vbyte1024 --content gaps \
  --distribution both --universe '2^29' --lengths '2^16..2^25' --plot "$folder/figure3.png" \
  --output "$folder/cikm19.json"
echo "$folder/figure3.png $folder/cikm19.json"
