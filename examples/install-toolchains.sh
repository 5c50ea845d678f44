#!/bin/sh
# Installs the toolchains of the examples that are missing, from Debian. Run it as root.
set -eu
packages=''
command -v python3 > /dev/null || packages="$packages python3"
command -v go > /dev/null || packages="$packages golang-go"
command -v javac > /dev/null || packages="$packages default-jdk-headless"
if [ -z "$packages" ]; then
  echo 'python3, go and javac are there'
  exit
fi
apt-get update
# shellcheck disable=SC2086
apt-get install --yes --no-install-recommends $packages
