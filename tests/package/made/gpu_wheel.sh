#!/usr/bin/env bash
# Installs the wheel with kernels on a machine that has a GPU and need not have a network or a compiler, and searches and decodes there on
# the device: answers are those of the CPU, to the last bit.
#   tests/package/made/gpu_wheel.sh --fetch FOLDER      where there is a network: downloads beside the wheel in FOLDER what it needs
#   tests/package/made/gpu_wheel.sh FOLDER              on the machine: Python 3.10 or later with NumPy, the wheel in FOLDER
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
[[ ${1:-} != --help ]] || { usage; exit; }
if [[ ${1:-} == --fetch && $# == 2 ]]; then
  for version in 3.10 3.11 3.12 3.13 3.14; do
    python3 -m pip download --quiet --no-deps --only-binary :all: --python-version "$version" --platform manylinux_2_28_x86_64 --dest "$2" nanobind-backend
  done
  ls -l "$2"
  exit
fi
[[ $# == 1 && $1 != --* ]] || { usage >&2; exit 2; }
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip install --quiet --no-index --no-deps --find-links "$folder" --target "$work/site" nanobind-backend "$folder"/gannet_cu*.whl
export PYTHONPATH=$work/site PATH=$work/site/bin:$PATH
cd "$work"
gannet version
python3 "$here/trial.py"
python3 "$here/gpu_trial.py"
python3 "$here/gpu_trial.py" --documents docs.jsonl
gannet index docs.jsonl -o idx --quiet
printf '1\tw1 w20 w300\n2\tw7 w11\n3\tw2 +w40 -w5\n' >topics.tsv
for backend in cpu cuda; do gannet run idx --topics topics.tsv -k 100 --backend "$backend" --output "$backend.run" --quiet; done
cmp cpu.run cuda.run
# Every output is compared with what was encoded.
gannet bench decode --backend cuda --quick --codec gpu-bp128,gpu-dfor --max-log 20 --repeats 3
echo "gpu_wheel: $(wc -l <cuda.run) hits, the same on both back ends"
