#!/usr/bin/env bash
# Make this machine ready to build hmmlt: Debian packages, then the project's own Python environment.
# Installs only what is missing and does nothing, quickly, when nothing is. Arguments: further lists of packages.
set -euo pipefail
cd "$(dirname "$0")/.."
package_lists=(tools/debian-packages.txt "$@")

say() { printf 'setup: %s\n' "$*" >&2; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

missing_debian_packages() {
    local wanted installed
    wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${package_lists[@]}" | tr -d ' ' | sort)
    # shellcheck disable=SC2086 # one word per package
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p' | sort) || true
    comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

install_debian_packages() {
    local packages=("$@") run=()
    local command="apt-get update && apt-get install --yes --no-install-recommends ${packages[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            run=(sudo -n)
        else
            die "these Debian packages are missing and only root can install them; please run
  sudo sh -c '$command'"
        fi
    fi
    say "installing ${#packages[@]} Debian packages: ${packages[*]}"
    "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
    "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes -q --no-install-recommends "${packages[@]}" >&2
}

# A Python that can make a virtual environment and is new enough for the pinned wheels.
usable_python() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2])' > /dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
        if command -v "$candidate" >/dev/null && usable_python "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

# What .venv must match to be left alone: the pinned packages and where the environment stands.
venv_fingerprint() {
    { cat tools/requirements.txt; pwd; } | sha256sum | cut -d ' ' -f 1
}

make_venv() {
    local python
    if ! python=$(find_python); then
        command -v dpkg-query >/dev/null || die "Python 3.11 or newer with its venv module is needed"
        install_debian_packages python3 python3-venv
        python=$(find_python) || die "Python 3.11 or newer with its venv module is needed; found $(python3 --version 2>&1)"
    fi
    unset PIP_TARGET PIP_PREFIX PIP_USER # a user's own pip settings must not send packages elsewhere
    say "making .venv with $("$python" --version) and $(grep -c '==' tools/requirements.txt) pinned packages"
    rm -rf .venv
    "$python" -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --require-hashes --requirement tools/requirements.txt
    .venv/bin/python -c 'import pyarrow' || die ".venv has no pyarrow although pip installed it"
    printf '%s\n' "$(venv_fingerprint)" > .venv/hmmlt-setup
}

if command -v dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_debian_packages)
    if [ "${#missing[@]}" -gt 0 ]; then install_debian_packages "${missing[@]}"; fi
else
    say "this is not a Debian system; the packages of ${package_lists[*]} (or conanfile.txt) must be there already"
fi
if [ "$(cat .venv/hmmlt-setup 2>/dev/null)" != "$(venv_fingerprint)" ]; then make_venv; fi
