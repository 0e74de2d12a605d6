#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Installs what Tessera needs from Debian's packages; StarPU is found or built with it (build.sh).
# Packages that are there already are left alone; with nothing missing, apt-get is not called.
#
#   --check    only list the packages that are missing; exit status 1 if there are any
#   --simgrid  also what bench/simulate.sh needs
#
set -euo pipefail

check_only=
simulated=
for option in "$@"; do
  case $option in
    --check) check_only=1 ;;
    --simgrid) simulated=1 ;;
    *) echo "install-dependencies: unknown option $option: expected --check, --simgrid" >&2; exit 2 ;;
  esac
done

packages=(
  # build tools
  g++ cmake ninja-build make pkg-config git patch python3

  # libraries
  libmetis-dev libopenmpi-dev openmpi-bin libhwloc-dev libfxt-dev
  libtiff-dev libhdf5-dev libnetcdf-dev libzip-dev libssl-dev zlib1g-dev libisal-dev libbz2-dev libpng-dev libeigen3-dev libteem-dev libpugixml-dev
  libcli11-dev libtomlplusplus-dev libmuparser-dev libspdlog-dev libfmt-dev nlohmann-json3-dev

  # looking at running flows: ParaView, and what its CMake files ask for without naming it
  paraview-dev python3-paraview python3-dev libboost-dev libxml2-dev libx11-dev libglew-dev libfreetype-dev
  libutfcpp-dev liblz4-dev libdouble-conversion-dev

  # tests and benchmarks: pvpython (of python3-paraview) reads the output back
  libgtest-dev libgmock-dev libbenchmark-dev
  python3-numpy python3-pytest xvfb xauth

  # the Python module, and its progress bar
  pybind11-dev python3-tqdm python3-tomli-w

  # make validate: reads fields, draws plots
  python3-h5py python3-matplotlib

  # manual pages; make site
  help2man doxygen python3-venv

  # make format, make lint
  clang-format

  # to build StarPU from its Debian source package
  ca-certificates dpkg-dev
)

# Embree (triangle meshes) is a must on x86-64 only; elsewhere Tessera builds without it and refuses STL files.
if [[ $(dpkg --print-architecture) == amd64 ]]; then packages+=(libembree-dev); fi

if [[ -n $simulated ]]; then packages+=(libsimgrid-dev xsltproc); fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  if [[ $status != installed* ]]; then missing+=("$package"); fi
done

if [[ -n $check_only ]]; then
  if ((${#missing[@]} > 0)); then
    printf '%s\n' "${missing[@]}"
    exit 1
  fi
  exit
fi

if ((${#missing[@]} > 0)); then
  echo "install-dependencies: installing ${missing[*]}"
  as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "install-dependencies: neither root nor sudo here: ask root to install them" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  apt_get=("${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300)  # wait for another apt-get
  "${apt_get[@]}" -q update
  "${apt_get[@]}" -q install --yes --no-install-recommends "${missing[@]}"
fi
