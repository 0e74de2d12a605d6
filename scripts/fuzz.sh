#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Fuzzes every reader for a part of the time: scripts/fuzz.sh FOLDER [SECONDS [SEED]]
#
# FOLDER holds the fuzz_* programs of a build (preset asan or fuzz). What is found is kept in
# build/fuzz/crash-*, and makes the exit status 1.
#
set -euo pipefail
folder=$(realpath "$1")
seconds=${2:-60}
seed=${3:-1}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build/fuzz
cd build/fuzz

# A reader that asks for more memory than that believes a number in a damaged file.
export ASAN_OPTIONS=max_allocation_size_mb=2048:allocator_may_return_null=0:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=print_stacktrace=1

targets=("$folder"/fuzz_*)
each=$(((seconds + ${#targets[@]} - 1) / ${#targets[@]}))
status=0
for target in "${targets[@]}"; do
  name=$(basename "$target")
  if "$target" -help=1 2>&1 | grep -q libFuzzer; then
    mkdir -p "corpus/$name"
    TESSERA_FUZZ_SEEDS=corpus/$name "$target" -runs=0 >/dev/null 2>&1 || true
    "$target" -max_total_time="$each" -seed="$seed" -timeout=20 -rss_limit_mb=4096 -max_len=65536 \
      -artifact_prefix="crash-$name-" -print_final_stats=1 -verbosity=0 "corpus/$name" || status=1
  else
    "$target" -seconds="$each" -seed="$seed" || status=1
  fi
done
exit $status
