# Common parts of the scripts in this folder: the version, the time of files, and a function that
# packs a folder. The scripts read this file after they have changed to the folder of the
# repository.
# shellcheck shell=bash

. Scripts/common.bash
# shellcheck disable=SC2034
version=$(version)

# File times are the time of the last commit, so that the same sources make the same bytes.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]] && ! SOURCE_DATE_EPOCH=$(git log -1 --format=%ct); then
  echo "This is not a clone of the repository. Set SOURCE_DATE_EPOCH to the time for all files." >&2
  exit 1
fi
# The locale, the time zone and the umask of the user do not change the bytes either.
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# Prints the names of the commands of a program, a line each.
commands_of() {
  "$1" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' | grep .
}
