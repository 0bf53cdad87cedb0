# What the packages have in common, for the scripts beside this file, which read it after they went to
# the folder of the repository: the version, the time that files get, and how a folder is made an
# archive.
# shellcheck shell=bash

version=$(sed -n 's/.*number: StaticString { "\([0-9.]*\)" }.*/\1/p' Sources/AacornCodec/AacornVersion.swift)
if [[ -z $version ]]; then
  echo "Cannot find the version in Sources/AacornCodec/AacornVersion.swift." >&2
  exit 1
fi

# Times are those of the last commit, so that the same sources make the same bytes.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]] && ! SOURCE_DATE_EPOCH=$(git log -1 --format=%ct); then
  echo "This is no clone of the repository: set SOURCE_DATE_EPOCH to the time that files shall get." >&2
  exit 1
fi
# Nor do they depend on who makes them.
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# Fails unless a program is there, and says which package of Debian it is in.
needs() {
  if ! command -v "$1" >/dev/null; then
    echo "$1 is missing; install the package $2, or run Scripts/setup --tests." >&2
    exit 1
  fi
}
