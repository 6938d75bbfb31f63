#!/usr/bin/env bash
# Content hashes of what results depend on, as files whose time changes only when the content does: make compares times,
# and a file that was merely touched, rebuilt or prepared again to the same bytes must not make anything run again.
# make calls this when it starts, so that `make -n` tells the truth.
set -eu
stamps=$1
bin=$2

# write_stamp NAME HASH FILE; a first stamp is as old as its file
write_stamp() {
    local stamp=$stamps/$1.sha256
    [[ -f $stamp && $(<"$stamp") == "$2" ]] && return
    mkdir -p "${stamp%/*}"
    printf '%s\n' "$2" > "$stamp.partial"
    [[ -f $stamp ]] || touch -r "$3" "$stamp.partial"
    mv "$stamp.partial" "$stamp"
}

# write_file_stamps PLACE FILE...: the stamps of files of ours, at their paths, of programs in PLACE. One process reads all.
write_file_stamps() {
    local place=$1 line file hash
    shift
    [[ $# -gt 0 ]] || return 0
    while IFS= read -r line; do
        file=${line#*  }
        hash=$(sha256sum <<< "$line")
        write_stamp "$place${file#"${place:+$bin/}"}" "${hash%% *}" "$file"
    done < <(sha256sum "$@")
}

programs=()
for program in "$bin"/hmmlt-*; do
    if [[ -x $program ]]; then programs+=("$program"); fi
done
write_file_stamps bin/ "${programs[@]}"
mapfile -t models < <(find experiments -name '*.toml' 2> /dev/null)
write_file_stamps "" "${models[@]}"
# a data directory: its tables, and those of its test/; hashes of their bytes, whatever the name of the place
while IFS= read -r mark; do
    directory=${mark%/provenance.json}
    parts=(.)
    [[ -d $directory/test ]] && parts+=(test)
    write_stamp "$directory" "$(cd "$directory" && find "${parts[@]}" -maxdepth 1 -name '*.parquet' -print0 | sort -z |
        xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)" "$mark"
done < <(find datasets/*/prepared -name provenance.json -not -path '*/test/*' 2> /dev/null)
