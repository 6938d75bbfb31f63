#!/usr/bin/env bash
# Makes goals one after the other and shows one line for each, with its time: tools/show_phases.sh LOGS NAME='ARGUMENTS OF
# MAKE'... What they print goes to LOGS/NAME.log, and its end is shown if a phase fails; but standard output of the last one
# is what all was done for, and is shown when it is done. Under `make -n` the goals say what they would do.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$1
shift

flags=" ${MAKEFLAGS:-}"
if [[ $flags =~ ^\ ?[A-Za-z]*n ]]; then # the first word holds the flags of one letter
    for phase in "$@"; do
        # shellcheck disable=SC2086 # several arguments
        make --no-print-directory ${phase#*=} || exit
    done
    exit
fi
# The goals use all cores themselves; a `make -j` has nothing to hand on.
MAKEFLAGS=$(sed -E 's/(^| )(-j[0-9]*|--jobserver[^ ]*)//g' <<< "$flags")
export MAKEFLAGS

# Whoever ends this, by Ctrl-C or by closing the terminal, ends the phase with it, and it is over when the prompt is back.
running=
stop() {
    trap '' INT TERM HUP
    [ -z "$running" ] || { kill -- -"$running"; wait "$running"; } 2> /dev/null
    echo >&2
    exit 130
}
trap stop INT TERM HUP
mkdir -p "$logs"
# Two at once would write the same files. The phases inherit the lock: what a killed run has left at work counts too.
exec 9> "$logs/lock"
while flock --nonblock --conflict-exit-code 75 9; [ $? -eq 75 ]; do
    [ -n "${told:-}" ] || echo "waiting: an earlier run in this folder has not ended yet (it holds $logs/lock)" >&2
    told=1
    sleep 0.2
done
if [ -t 2 ]; then every=1; else every=30; fi
width=$(tput cols 2> /dev/null || echo 80)

# The last line of a phase's log, made one short line.
last_line() { tail -c 400 "$1" 2> /dev/null | tr '\r' '\n' | sed -e 's/\x1b\[[0-9;]*[A-Za-z]//g' -e '/^[[:space:]]*$/d' | tail -n 1; }
show() { # NAME SECONDS WORDS
    local line
    line=$(printf '%-8s %4d s  %s' "$1" "$2" "$3")
    if [ -t 2 ]; then printf '\r\033[K%s' "${line:0:width-1}" >&2; else printf '%s\n' "${line% }" >&2; fi
}

for phase in "$@"; do
    name=${phase%%=*}
    log=$logs/$name.log
    : > "$log"
    output=$log
    [ "$phase" != "${!#}" ] || output=$logs/$name.out
    begin=$SECONDS
    [ "$output" = "$log" ] || : > "$output"
    set -m # a process group of its own: Ctrl-C ends it through the trap
    # shellcheck disable=SC2086
    make --no-print-directory ${phase#*=} >> "$output" 2>> "$log" < /dev/null &
    running=$!
    set +m
    shown=$SECONDS
    while kill -0 "$running" 2> /dev/null; do
        sleep 0.1
        if [ $((SECONDS - shown)) -ge "$every" ]; then
            shown=$SECONDS
            show "$name" $((SECONDS - begin)) "$(last_line "$log")"
        fi
    done
    wait "$running"
    status=$?
    running=
    if [ "$status" -ne 0 ]; then
        show "$name" $((SECONDS - begin)) "failed"
        [ ! -t 2 ] || echo >&2
        grep -vE -e '^\[[0-9]+/[0-9]+\] [A-Z]' -e "^make\[[0-9]+\]: ('.*' is up to date|Nothing to be done for '.*')\.$" "$log" |
            tail -n 40 >&2
        echo "all it said: $log" >&2
        exit "$status"
    fi
    show "$name" $((SECONDS - begin)) done
    [ ! -t 2 ] || echo >&2
    grep '^note: ' "$log" >&2
done
cat "$output"
