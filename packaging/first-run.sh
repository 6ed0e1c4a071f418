#!/bin/sh
# first-run.sh SUREFOOT: records from an attached receiver; without one, plays the shipped capture as
# a receiver on a pseudo terminal, 20 times as fast as it was run. The run is saved either way.
set -eu

surefoot=$1
here=$(dirname "$0")/..

for device in /dev/ttyACM* /dev/ttyUSB*; do
    if [ -e "$device" ]; then
        echo "Recording from the receiver on $device. Ctrl-C ends the run and saves it."
        exec "$surefoot" record --from auto
    fi
done

echo 'No receiver is attached: playing fixtures/park-run.nmea as one, 20 times as fast as it was run.'
work=$(mktemp -d)
"$surefoot" fake --speed 20 "$here/fixtures/park-run.nmea" > "$work/path" &
fake=$!
trap 'kill $fake 2> /dev/null || true; rm -rf "$work"' EXIT
tries=0
while [ ! -s "$work/path" ] && [ $tries -lt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
"$surefoot" record --plain --from "serial:$(head -n 1 "$work/path")" --name 'Park run' --for 40s
