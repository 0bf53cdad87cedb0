# What the packages have in common, for the scripts beside this file, which read it after they went to
# the folder of the repository: the version, the time that files get, and how a folder is made an
# archive.
# shellcheck shell=bash

. Scripts/common.bash
version=$(version)

# Times are those of the last commit, so that the same sources make the same bytes.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]] && ! SOURCE_DATE_EPOCH=$(git log -1 --format=%ct); then
  echo "This is no clone of the repository: set SOURCE_DATE_EPOCH to the time that files shall get." >&2
  exit 1
fi
# Nor do they depend on who makes them.
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
