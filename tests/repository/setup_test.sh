#!/usr/bin/env bash
# setup_test.sh ROOT FOLDER: without root, scripts/setup installs nothing, prints the exact command and exits 2; with
# everything there it does nothing. Stand-ins for id, dpkg-query and apt-get come first in PATH.
set -u
root=$1 folder=$2 failed=0
rm -rf "$folder"
mkdir -p "$folder/bin"
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"; chmod +x "$folder/bin/$1"; }
stand_in apt-get "touch '$folder/apt_was_called'"
stand_in id 'echo 1000'
fail() { echo "FAILED: $1"; echo "$output"; failed=1; }

stand_in dpkg-query 'case "$*" in *libmpfr-dev|*nettle-dev) exit 1 ;; *) echo installed ;; esac'
output=$(PATH=$folder/bin:$PATH "$root/scripts/setup" --build 2>&1)
[ $? -eq 2 ] || fail "status is not 2 without root"
[[ $output == *"sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends nettle-dev libmpfr-dev'"* ]] ||
  fail "the exact command is not printed"
[ ! -e "$folder/apt_was_called" ] || fail "apt-get was called without root"

stand_in id 'echo 0'
stand_in apt-get "echo \"\$@\" >>'$folder/apt_was_called'; exit 100"
output=$(PATH=$folder/bin:$PATH "$root/scripts/setup" --build 2>&1)
[ $? -eq 1 ] && [[ $output == *"apt-get failed"* ]] || fail "a failed apt-get does not fail setup"
[ "$(cat "$folder/apt_was_called")" = update ] || fail "apt-get went on after a failed update"
rm "$folder/apt_was_called"

stand_in dpkg-query 'echo installed'
output=$(PATH=$folder/bin:$PATH "$root/scripts/setup" --build 2>&1)
[ $? -eq 0 ] && [ ! -e "$folder/apt_was_called" ] || fail "something was done where nothing is missing"

output=$(PATH=$folder/bin:$PATH "$root/scripts/setup" --unknown 2>&1)
[ $? -eq 2 ] || fail "an unknown flag is not refused"
exit $failed
