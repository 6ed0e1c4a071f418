#!/bin/sh
# Puts the GPX 1.1 schema into a cache folder and prints its path.
#
#     export SUREFOOT_GPX_SCHEMA="$(Tests/support/gpx-schema.sh .build/test-data)"
#
# The schema's licence is not stated, so it is not in this repository: it comes out of Debian's
# package zoph, which is unpacked and never installed. Works as root and as user, and without a
# network once the cache holds it. Prints nothing and exits 1, saying why, if it cannot be had.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 CACHE-FOLDER" >&2; exit 2; }
mkdir -p "$1"
cache=$(cd "$1" && pwd)
schema=$cache/gpx11.xsd
inside=usr/share/zoph/www/php/xml/gpx11.xsd

if [ -s "$schema" ]; then
    echo "$schema"
    exit 0
fi

work=$(mktemp -d "$cache/gpx-schema.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if [ -s "/$inside" ]; then
    cp "/$inside" "$work/gpx11.xsd"
else
    # The user _apt cannot write here, so apt says it downloads without its sandbox: no fault.
    if ! (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root zoph) \
        >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "gpx-schema: cannot download Debian's zoph; as root: apt-get update" >&2
        exit 1
    fi
    dpkg-deb -x "$work"/zoph_*.deb "$work/zoph"
    cp "$work/zoph/$inside" "$work/gpx11.xsd"
fi
grep -q 'targetNamespace="http://www.topografix.com/GPX/1/1"' "$work/gpx11.xsd" || {
    echo "gpx-schema: what zoph holds is not the GPX 1.1 schema" >&2
    exit 1
}
# By rename, so that two runs at once never see half a file.
mv "$work/gpx11.xsd" "$schema"
echo "$schema"
