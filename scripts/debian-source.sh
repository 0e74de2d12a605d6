#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Unpacks Debian's source package into a folder of its name, here: debian-source.sh PACKAGE VERSION
#
# The machine's own package sources, with "deb" turned into "deb-src", go to a private folder, so that the system's sources and
# lists stay as they are.
#
set -euo pipefail

package=$1
version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

etc=$(apt-config shell dir Dir::Etc/d | cut -d"'" -f2)
mkdir -p "$work"/{etc/sources.list.d,lists/partial,cache/archives/partial}
for file in "$etc"sources.list "$etc"sources.list.d/*.{list,sources}; do
  if [[ -e $file ]]; then
    sed -E 's/^deb\s/deb-src /; s/^Types:.*/Types: deb-src/' "$file" >"$work/etc/${file#"$etc"}"
  fi
done
apt=(
  apt-get -q
  -o "Dir::Etc::SourceList=$work/etc/sources.list"
  -o "Dir::Etc::SourceParts=$work/etc/sources.list.d"
  -o "Dir::State::Lists=$work/lists"
  -o "Dir::Cache=$work/cache"
  -o "APT::Sandbox::User=$(id -un)"
)
"${apt[@]}" update
"${apt[@]}" source --download-only "$package"
# apt-get has checked the package against the signed list.
dpkg-source --no-check -x "${package}_$version"*.dsc "$package"
