#!/bin/sh
# install-packages.sh PACKAGE…: installs those Debian packages that are missing, as root or by sudo.
# Nothing is fetched when all are there.
set -eu

missing=
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo > /dev/null; then
    sudo=sudo
else
    echo "These packages are missing. As root, run: $install" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update
# shellcheck disable=SC2086 # one word a package
$sudo $install
