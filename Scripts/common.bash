# Shared functions of the bash scripts, which read this file first. They run in the repository's folder.
# shellcheck shell=bash
set -euo pipefail
caller_folder=${caller_folder:-$PWD}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "$*" >&2
  exit 1
}

# Reports a fault; the check continues, and ends with `exit $status`.
# shellcheck disable=SC2034
status=0
fault() {
  echo "$*" >&2
  # shellcheck disable=SC2034
  status=1
}

# Prints the usage of the script, without its name, and fails.
usage() {
  echo "usage: Scripts/${0##*/}${*:+ $*}" >&2
  exit 64
}

# Fails unless all these programs are installed: PROGRAM, or PROGRAM:PACKAGE if the package has another name.
needs() {
  local program missing=()
  for program in "$@"; do
    command -v "${program%%:*}" >/dev/null || missing+=("${program%%:*} (package ${program##*:})")
  done
  ((${#missing[@]} == 0)) || fail "These programs are missing: ${missing[*]}. Scripts/setup --tests" \
    "installs those of Scripts/test, --gate those of the other checks, and --engines those of check-engines."
}

# Exports AACORN, the path of the command: the one that the caller names there, or a product of Scripts/compile.
export_command() {
  AACORN=$(readlink -f "${AACORN:-$(Scripts/compile "$1")}")
  export AACORN
}

# Sets `browsers` to the one that the first argument names, or to both and returns 1; fails if one is not installed.
choose_browsers() {
  browsers=(firefox chromium)
  if [[ ${1:-} == chromium || ${1:-} == firefox ]]; then browsers=("$1"); fi
  if [[ ${browsers[*]} == *firefox* ]]; then needs firefox-esr; fi
  if [[ ${browsers[*]} == *chromium* ]]; then needs chromium chromedriver:chromium-driver; fi
  ((${#browsers[@]} == 1))
}

# Creates a folder, unless it exists, and prints its absolute path; a relative path starts at the caller's
# folder.
make_folder() {
  (cd "$caller_folder" && mkdir -p "$1" && cd "$1" && pwd)
}

# Sets `folder` to a new temporary folder, which is removed at the end.
make_temporary_folder() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
}

version() {
  sed -n 's/.*number: StaticString { "\([0-9.]*\)" }.*/\1/p' Sources/AacornCodec/AacornVersion.swift | grep . \
    || fail "Cannot find the version in Sources/AacornCodec/AacornVersion.swift."
}
