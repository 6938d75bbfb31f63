#!/usr/bin/env bash
# Make this machine ready for hmmlt: Debian packages, then the project's own Python environment, .venv.
# usage: tools/setup.sh [SET]...    tools/debian-packages.txt and tools/requirements.txt, and debian-packages-SET.txt and
# requirements-SET.txt if they exist. Installs only what is missing and does nothing, quickly, when nothing is. What apt and
# pip say goes to build/setup/, and is shown if they fail.
set -euo pipefail
cd "$(dirname "$0")/.."
logs=build/setup
package_lists=(tools/debian-packages.txt)
wheel_lists=(tools/requirements.txt)

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# What a log ends with, unless the network is missing: then the sentence that follows says all.
explain() { grep -qE 'connection broken|Temporary failure resolving|Could not (resolve|connect)' "$1" || tail -n 15 "$1" >&2; }

for name in "$@"; do
    [ -f "tools/debian-packages-$name.txt" ] || die "$name: expected a set, tools/debian-packages-$name.txt, found none"
    package_lists+=("tools/debian-packages-$name.txt")
    [ ! -f "tools/requirements-$name.txt" ] || wheel_lists+=("tools/requirements-$name.txt")
done

# ---- Debian packages

# Another system has other names for the same things, or other versions.
os_release=${OS_RELEASE:-/etc/os-release}
system=$(. "$os_release" 2> /dev/null && printf '%s' "${PRETTY_NAME:-}") || true
known_debian() { (. "$os_release" && [ "$ID" = debian ] && [[ "${VERSION_ID:-}" =~ ^1[23]$ ]]) 2> /dev/null; }

missing_debian_packages() {
    local wanted installed
    wanted=$({ sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${package_lists[@]}"
        venv_is_complete || find_python > /dev/null || printf '%s\n' python3 python3-venv; } | tr -d ' ' | sort)
    # shellcheck disable=SC2086 # one word per package
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2> /dev/null | sed -n 's/^ii *//p' | sort) || true
    comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

# The one command that installs packages, as somebody who may would write it.
apt_command() {
    local command="apt-get update && apt-get install --yes --no-install-recommends $*"
    if [ "$(id -u)" -eq 0 ]; then printf '%s' "$command"; else printf "sudo sh -c '%s'" "$command"; fi
}

# as_root COMMAND...; its output to the log
as_root() {
    local sudo=()
    [ "$(id -u)" -eq 0 ] || sudo=(sudo -n)
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >> "$logs/apt.log" 2>&1 < /dev/null
}

may_be_root() { [ "$(id -u)" -eq 0 ] || { command -v sudo > /dev/null && sudo -n true 2> /dev/null; }; }

install_debian_packages() {
    local install=(apt-get install --yes -q --no-install-recommends) count
    # Most of the time of an installation is spent waiting until each of 20,000 small files is on the disk. If only new
    # packages come, none that this machine already runs on, they do without: who loses power in that minute has to install
    # them again (apt-get install --reinstall).
    if ! LC_ALL=C apt-get --simulate "${install[@]:1}" "$@" 2> /dev/null | grep -q '^Inst [^ ]* \['; then
        install+=(-o "Dpkg::Options::=--force-unsafe-io")
    fi
    count=$#
    say "installing $count Debian package$([ "$count" -eq 1 ] || echo s): $*"
    as_root "${install[@]}" "$@" || {
        explain "$logs/apt.log"
        die "these Debian packages are missing and apt-get could not install them (all it said: $logs/apt.log); once the" \
            "network is there, run: $(apt_command "$@")"
    }
}

# ---- Python environment

# A Python that can make a virtual environment and is new enough for the pinned wheels.
usable_python() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2])' > /dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
        if command -v "$candidate" > /dev/null && usable_python "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

# What .venv must match to be left alone: the pinned packages and where the environment stands. A file of its own for each
# list, since sets come later and on top.
fingerprint() { { cat "$1"; pwd; } | sha256sum | cut -d ' ' -f 1; }
mark_of() { printf '.venv/hmmlt-%s' "$(basename "$1" .txt)"; }
is_marked() { [ "$(cat "$(mark_of "$1")" 2> /dev/null)" = "$(fingerprint "$1")" ]; }

make_venv() {
    local python list
    local lists=("${wheel_lists[@]/#/--requirement=}") # also those that are there, so that pip sees that all fit together
    unset PIP_TARGET PIP_PREFIX PIP_USER # a user's own pip settings must not send packages elsewhere
    if ! is_marked tools/requirements.txt; then
        # One that was cut short, or filled by hand, goes on; one of other packages or another place begins anew.
        if [ -e "$(mark_of tools/requirements.txt)" ] || ! .venv/bin/python -m pip --version > /dev/null 2>&1; then
            python=$(find_python) ||
                die "Python 3.11 or newer with its venv module is needed; found $(python3 --version 2>&1)"
            rm -rf .venv
            "$python" -m venv .venv >> "$logs/pip.log" 2>&1 || { explain "$logs/pip.log"; die "$python -m venv .venv failed"; }
        fi
    fi
    say "installing $(cat "${wheel_lists[@]}" | grep -c '==') pinned Python packages into .venv with $(.venv/bin/python --version)"
    # --no-compile: a tenth of these modules is ever imported, and compiled then.
    .venv/bin/python -m pip install --disable-pip-version-check --no-compile --require-hashes "${lists[@]}" \
        >> "$logs/pip.log" 2>&1 < /dev/null || {
        explain "$logs/pip.log"
        die "these Python packages are missing and pip could not install them (all it said: $logs/pip.log): $(missing_wheels);" \
            "once the network is there, run: .venv/bin/python -m pip install --require-hashes ${lists[*]}"
    }
    .venv/bin/python -c 'import pyarrow' || die ".venv has no pyarrow although pip installed it"
    for list in "${wheel_lists[@]}"; do
        fingerprint "$list" > "$(mark_of "$list")"
    done
}

missing_wheels() {
    .venv/bin/python - "${wheel_lists[@]}" << 'PYTHON'
import re, sys
from importlib.metadata import PackageNotFoundError, version
missing = []
for pin in (line for path in sys.argv[1:] for line in open(path) if "==" in line):
    name, wanted = re.match(r"([^=]+)==(\S+)", pin).groups()
    try:
        if version(name) == wanted:
            continue
    except PackageNotFoundError:
        pass
    missing.append(name)
print(" ".join(missing))
PYTHON
}

venv_is_complete() {
    local list
    for list in "${wheel_lists[@]}"; do
        is_marked "$list" || return 1
    done
}

# ---- both, at the same time where that is possible

missing=()
if known_debian; then
    mapfile -t missing < <(missing_debian_packages)
elif command -v dpkg-query > /dev/null && [ -z "$(missing_debian_packages)" ]; then
    : # a relative of Debian that has everything
else
    note="note: hmmlt is tried on Debian 12 and 13, and this is ${system:-another system}; it needs Python 3.11 or newer and what \
Debian calls $(sed -e 's/#.*//' "${package_lists[@]}" | xargs); going on with what is found"
    mkdir -p "$logs"
    if [ "$(cat "$logs/note" 2> /dev/null)" != "$note" ]; then # once
        printf '%s\n' "$note" | tee "$logs/note" >&2
    fi
    for program in c++ cmake ninja git espeak-ng; do
        command -v "$program" > /dev/null || die "$program: expected it among the programs of this system, found none; install" \
            "it, and then run this again"
    done
fi

mkdir -p "$logs"
if [ "${#missing[@]}" -gt 0 ]; then
    may_be_root || die "these Debian packages are missing and only root can install them; please run:" \
        "$(apt_command "${missing[@]}")"
    : > "$logs/apt.log"
    as_root apt-get update -q || true # what cannot be fetched shows when it is wanted
    if ! find_python > /dev/null; then install_debian_packages python3 python3-venv; fi
fi
if venv_is_complete; then
    making_venv=
else
    : > "$logs/pip.log"
    set -m # a process group of its own, to be ended as one
    make_venv &
    making_venv=$!
    set +m
    trap 'kill -- -"$making_venv" 2> /dev/null || true' EXIT
fi
mapfile -t missing < <([ "${#missing[@]}" -eq 0 ] || missing_debian_packages)
if [ "${#missing[@]}" -gt 0 ]; then install_debian_packages "${missing[@]}"; fi
[ -z "$making_venv" ] || wait "$making_venv"
trap - EXIT
