#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The wheel of scripts/build-wheel.sh where there is nothing else: in a fresh virtual environment and, as root with debootstrap, on a
# Debian of its own with python3 and no compiler. Asks each for the permeability of a pack of 80^3 voxels, which has to have the bits
# of build/release, and looks at what each file of the wheel loads.
#
#   tests/install/wheel.sh [WHEEL]   without one, it is built
#
#   TESSERA       the program to compare with (build/release/bin/tessera)
#   DEBIAN        a folder with such a Debian (default: build/debian, made where it is missing)
#
set -euo pipefail
cd "$(dirname "$0")/../.."
source_folder=$PWD
tessera=$(realpath "${TESSERA:-build/release/bin/tessera}")
debian=${DEBIAN:-$source_folder/build/debian}
python=/usr/bin/python3
most_megabytes=40
most_seconds_to_install=30
most_seconds_to_k=60

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PYTHONPATH LD_LIBRARY_PATH

fail() { echo "tests/install/wheel: $1" >&2; exit 1; }
say() { echo "tests/install/wheel: $1"; }

wheel=${1:-}
if [[ -z $wheel ]]; then
  scripts/build-wheel.sh "$python"
  wheel=$(ls -t build/wheels/*.whl | head -n 1)
fi
megabytes=$(($(stat -c %s "$wheel") / 1000000))
say "$(basename "$wheel"): $megabytes MB"
((megabytes <= most_megabytes)) || fail "$wheel: expected $most_megabytes MB at most"

# With what pip would fetch, so that installing takes no network.
mkdir "$folder/wheels"
cp "$wheel" "$folder/wheels"
"$python" -m venv "$folder/fetch"
"$folder/fetch/bin/pip" download --quiet --only-binary :all: --dest "$folder/wheels" "$wheel"

export STARPU_HOME=$folder OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
generate=(generate spheres --size 80 --radius 10 --porosity 0.5 --seed 5)
permeability=(--shape "80,80,80" --no-fields --quiet --gpus 0 --cores 1)
(
  cd "$folder"
  "$tessera" "${generate[@]}" --out pack.raw >/dev/null
  "$tessera" permeability pack.raw "${permeability[@]}" --out expected >/dev/null
  sha256sum pack.raw >expected.sum
)

# ------------------------------------------------------------- run where the wheel is installed ---

cat >"$folder/probe.sh" <<PROBE
set -euo pipefail
fail() { echo "tests/install/wheel: \$1" >&2; exit 1; }
cd "\$1"
# timed WHAT SECONDS COMMAND...: within so many seconds of a core, which hardly depend on what else the machine does.
timed() {
  local what=\$1 most=\$2 wall core system TIMEFORMAT='%R %U %S'
  shift 2
  { time "\$@" >&3 2>&4; } 3>&1 4>&2 2>times
  read -r wall core system <times
  echo "tests/install/wheel: \$what: \$wall s, \$core + \$system s of a core"
  python3 -c "import sys; sys.exit(\$core + \$system > \$most)" || fail "\$what: expected \$most s at most"
}
install() {
  python3 -m venv venv
  venv/bin/pip install --quiet --no-index --find-links wheels tessera-lbm
}
first_k() {
  tessera ${generate[*]} --out pack.raw >/dev/null
  tessera permeability pack.raw ${permeability[*]} --out out >/dev/null
}
timed "virtual environment and installing" $most_seconds_to_install install

export PATH=\$PWD/venv/bin:\$PATH STARPU_HOME=\$PWD
timed "an image and its k" $most_seconds_to_k first_k
sha256sum --quiet --check expected.sum
python - <<'PYTHON'
import json
import numpy
import tessera
expected, command = (json.load(open(f"{out}/results.json"))["permeability"]["x"]["k_lattice"] for out in ("expected", "out"))
im = numpy.fromfile("pack.raw", numpy.uint8).reshape(80, 80, 80) == 0
module = tessera.permeability(im, axis=2, fields=False, gpus=0, cores=1, progress=False).k_lattice
print(f"tests/install/wheel: k {command} by the command, {module} by the module, {expected} by build/release")
assert command == module == expected
PYTHON
# A launcher that counts two processes is refused, in one line.
status=0
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 tessera info pack.raw --shape 80,80,80 >said 2>&1 || status=\$?
[[ \$status == 2 && \$(wc -l <said) == 1 ]] && grep -q "no MPI" said || fail "under a launcher: \$status, \$(cat said)"
tessera --version | grep -q "^MPI *without" || fail "--version says nothing of MPI"
tessera tune --help >/dev/null

# Outside of the wheel lies what manylinux promises.
site=\$(echo venv/lib/python3*/site-packages)
find "\$site" -path "*tessera*" -type f | while read -r file; do
  if [[ \$(head -c 4 "\$file" | tail -c 3) != ELF ]]; then continue; fi
  ldd "\$file" | awk '/=>/ { print \$1, \$3 }' | while read -r name path; do
    case \$(realpath --canonicalize-missing "/\$path") in
      "\$(realpath "\$site")"/*) ;;
      *) [[ \$name =~ ^lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z)\.so ]] || fail "\$file loads \$name of \$path" ;;
    esac
  done
done
PROBE

say "a virtual environment"
bash "$folder/probe.sh" "$folder"

if ((EUID != 0)) || ! command -v debootstrap >/dev/null; then
  say "no Debian of its own: expected root, and debootstrap"
  exit
fi
if [[ ! -e $debian/usr/bin/python3 ]]; then
  debootstrap --variant=minbase --include=python3,python3-venv bookworm "$debian" >"$folder/debootstrap.log" || fail "$(tail -n 3 "$folder/debootstrap.log")"
fi
say "a Debian with $(find "$debian/var/lib/dpkg/info" -name '*.list' | wc -l) packages"
if [[ -e $debian/usr/bin/gcc || -n $(find "$debian/usr/lib" -name 'libmpi*' -print -quit) ]]; then fail "$debian has a compiler or MPI"; fi
rm -rf "$debian/probe"
mkdir "$debian/probe"
cp -r "$folder"/{wheels,expected,expected.sum,probe.sh} "$debian/probe"
# What is mounted there goes away with the shell.
unshare --mount bash -c "mount -t proc proc '$debian/proc' && mount -t sysfs -o ro sysfs '$debian/sys' &&
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot '$debian' bash /probe/probe.sh /probe"
rm -rf "$debian/probe"
