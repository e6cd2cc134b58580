#!/usr/bin/env bash
# Rebuilds the tables and figures of the papers on this machine: bench/papers/papers.sh WHAT [FOLDER]
#   cikm19     tables 1 to 4 and figure 3 of "GPU-Accelerated Decoding of Integer Lists" (CIKM 2019); tables 2
#              and 4 for a ds2i collection: COLLECTION=base QUERIES=file
#   sigmod22   figures 5, 7, 8 and the random access of section 8 of "Tile-based Lightweight Integer Compression
#              in GPU" (SIGMOD 2022), and sums fused with decoding
#   ssb        its figures 9, 10, 12 and query flight 1 of the Star Schema Benchmark
#   wah        figures 4 to 7 of the GPU-WAH paper
#   codag      figures 7 and 8 of CODAG: ORC's run lengths
#   deflate    the same for Deflate
#   cascaded   nvCOMP's cascaded plans (NVCOMP=libnvcomp.so.5 measures nvCOMP as well)
#   streaming  columns sent over PCIe while they are decoded
#   encode     encoding on the GPU
#   all        one after the other
# Tables go to stdout; JSON and figures (SVG) to FOLDER, build/papers by default. All but cikm19 need a GPU.
set -euo pipefail
what=${1:-}
folder=${2:-build/papers}
programs=${PROGRAMS:-}
for candidate in build/release/bench build/cuda/bench build/dev/bench build/cpu/bench; do
  if [[ -z $programs && -x $candidate/bench_cikm19 ]]; then programs=$candidate; fi
done
if [[ -z $programs ]]; then
  echo "bench/papers/papers.sh: build first (cmake --preset release && cmake --build --preset release)," \
    "or say where the programs are: PROGRAMS=path/to/bench" >&2
  exit 2
fi
mkdir -p "$folder"

rebuild() {
  local name=$1 program=$2
  shift 2
  if [[ ! -x $programs/$program ]]; then
    echo "bench/papers/papers.sh: $program was not built (no CUDA compiler); $name is left out" >&2
    return
  fi
  "$programs/$program" "$@" --json "$folder/$name.json" --plot "$folder"
}

cikm19=()
if [[ -n ${COLLECTION:-} ]]; then cikm19+=(--collection "$COLLECTION"); fi
if [[ -n ${QUERIES:-} ]]; then cikm19+=(--queries "$QUERIES"); fi
nvcomp=()
if [[ -n ${NVCOMP:-} ]]; then nvcomp+=(--nvcomp "$NVCOMP"); fi

all=(cikm19 sigmod22 ssb wah codag deflate cascaded streaming encode)
case $what in
  all) wanted=("${all[@]}") ;;
  *) wanted=("$what") ;;
esac
for name in "${wanted[@]}"; do
  case $name in
    cikm19) rebuild cikm19 bench_cikm19 "${cikm19[@]}" ;;
    sigmod22) rebuild sigmod22 bench_cuda_models ;;
    ssb) rebuild ssb bench_cuda_ssb ;;
    wah) rebuild wah bench_cuda_wah ;;
    codag) rebuild codag bench_cuda_codag ;;
    deflate) rebuild deflate bench_cuda_deflate ;;
    cascaded) rebuild cascaded bench_cuda_cascaded "${nvcomp[@]}" ;;
    streaming) rebuild streaming bench_cuda_streaming ;;
    encode) rebuild encode bench_cuda_encode ;;
    *)
      sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2
      exit 2
      ;;
  esac
done
