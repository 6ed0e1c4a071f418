#!/bin/sh
# Feeds random inputs to the splitter and the epochs (nmea), to gpsd's lines (gpsd) and to the GPX
# reader (gpx), built with AddressSanitizer, and fails on the first finding.
#
#     Tests/Fuzz/fuzz.sh COUNT [TARGET…]
#
# COUNT inputs in all, split over the targets, which run side by side. Seeds are cut from fixtures/;
# what libFuzzer learns stays in .build/fuzz/corpus, so that a later run goes on from there. libgps
# and libxml2 are loaded while it runs and are not instrumented. A finding is kept in
# .build/fuzz/findings: mend the code, then put the file into fixtures/crashes, where a test replays
# it.
set -eu

[ $# -ge 1 ] && [ "$1" -gt 0 ] 2>/dev/null || {
    echo "usage: $0 COUNT [nmea|gpsd|gpx…]" >&2
    exit 2
}
count=$1
shift
[ $# -gt 0 ] || set -- nmea gpsd gpx
for target in "$@"; do
    [ -s "$(dirname "$0")/$target.dict" ] || { echo "fuzz: no target is called $target" >&2; exit 2; }
done
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$root/.build/fuzz
cd "$root"

libraries=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
library=$libraries/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
[ -s "$library" ] || { echo "fuzz: the Swift toolchain lacks $library" >&2; exit 1; }
SUREFOOT_FUZZ=1 swift build --quiet --scratch-path "$scratch" -c release --product Fuzz \
    -Xswiftc -sanitize=address \
    -Xswiftc -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table \
    -Xcc -fsanitize=address -Xcc -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp \
    -Xlinker "$library" -Xlinker -lstdc++
# Its own report of a trap would be taken for a second fault.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS="malloc_context_size=8:quarantine_size_mb=32${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
program=$scratch/release/Fuzz

# Cuts files into pieces of whole lines, as long as an input may be.
cut_up() {
    folder=$1 size=$2
    shift 2
    mkdir -p "$folder"
    for file in "$@"; do
        [ -f "$file" ] || continue
        split -C "$size" -a 4 "$file" "$folder/$(basename "$file")-"
    done
}

seeds=$scratch/seeds
rm -rf "$seeds"
mkdir -p "$scratch/findings" "$seeds/plain"
crashes=fixtures/crashes
cut_up "$seeds/nmea" 1200 fixtures/cases/*.nmea fixtures/noisy-mix.nmea "$crashes"/*.nmea
head -c 8000 fixtures/ten-hertz.nmea > "$seeds/plain/ten-hertz"
head -c 16000 fixtures/park-run.nmea > "$seeds/plain/park-run"
# Without sums, so that a field that was changed still is read.
for file in fixtures/cases/*.nmea "$seeds"/plain/*; do
    LC_ALL=C sed 's/\*[0-9A-Fa-f][0-9A-Fa-f]\r*$//' "$file" > "$seeds/plain/bare-$(basename "$file")"
done
cut_up "$seeds/nmea" 600 "$seeds"/plain/*
rm -rf "$seeds/plain"
cut_up "$seeds/gpsd" 1500 fixtures/cases/*.jsonl fixtures/gpsd-stream.jsonl "$crashes"/*.jsonl
cut_up "$seeds/gpx" 1000 fixtures/cases/*.gpx Tests/Fuzz/seeds/*.gpx "$crashes"/*.gpx

whole=
[ $# -eq 3 ] || whole=$((100 / $#))
running=
processes=
trap 'kill $processes; exit 1' HUP INT TERM
for target in "$@"; do
    case $target in
    nmea) share=50 length=1600 ;;
    gpsd) share=30 length=2000 ;;
    gpx) share=20 length=1200 ;;
    esac
    runs=$((count * ${whole:-$share} / 100 + 1))
    mkdir -p "$scratch/corpus/$target"
    echo "fuzz: $target, $runs inputs"
    "$program" "$target" -runs="$runs" -max_len="$length" -timeout=20 -rss_limit_mb=2048 \
        -dict="Tests/Fuzz/$target.dict" -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$scratch/findings/$target-" \
        "$scratch/corpus/$target" "$seeds/$target" > "$scratch/$target.log" 2>&1 &
    running="$running $target:$!"
    processes="$processes $!"
done

failed=
for one in $running; do
    target=${one%:*}
    if wait "${one#*:}"; then
        sed -n "s/^stat::average_exec_per_sec: */fuzz: $target done, inputs a second: /p" \
            "$scratch/$target.log"
    else
        failed="$failed $target"
        tail -n 60 "$scratch/$target.log" >&2
    fi
done
[ -z "$failed" ] || {
    echo "fuzz: failed:$failed; the input is in $scratch/findings, the log in $scratch" >&2
    exit 1
}
