#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Builds a target of a preset: build.sh PRESET [TARGET]
#
# StarPU is where build-starpu.sh says. If it has to build one first, what needs no StarPU is compiled
# meanwhile.
#
#   JOBS  parallel compiler jobs (default: one a core)
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
target=${2:-}
export JOBS=${JOBS:-$(nproc)}

compile() { cmake --build --preset "$preset" --parallel "$JOBS" "$@"; }

if ! starpu=$(scripts/build-starpu.sh --find); then
  scripts/build-starpu.sh >/dev/null &
  built=$!
  meanwhile=0
  { cmake --preset "$preset" -DTESSERA_STARPU=OFF >/dev/null && compile; } || meanwhile=$?
  wait "$built"
  if ((meanwhile != 0)); then exit "$meanwhile"; fi
  starpu=$(scripts/build-starpu.sh)
fi
PKG_CONFIG_PATH=$starpu${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} cmake --preset "$preset"
compile ${target:+--target "$target"}
