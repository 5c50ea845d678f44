#!/usr/bin/env bash
# Builds the image by buildah and tries it: root file system read-only, not root, ready in time, its own health check,
# SIGTERM to process 1, a whole recording. Needs root, buildah, and Node with npm; leaves nothing behind.
#
#   examples/container/smoke.sh [sparring.tgz]
#
# BASE names the base image; without it one is made from this machine's Node, which needs no registry of images.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }
say() { printf 'smoke: %s\n' "$*"; }
fail() {
  printf 'smoke: FAILED: %s\n' "$*" >&2
  exit 1
}
inside=
end() {
  [ -z "$inside" ] || kill -KILL "$inside" 2>/dev/null || true
  umount -R "$work/root" 2>/dev/null || true
  buildah umount --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT

# The base: Node, npm and a shell of this machine, with the libraries that they load.
base_of_this_machine() {
  local node npm name mount
  node=$(node -p process.execPath)
  npm=$(readlink -f "$(command -v npm)")
  npm=${npm%/bin/*}
  name=$(buildah from scratch)
  mount=$(buildah mount "$name")
  mkdir -p "$mount"/{bin,usr/bin,usr/lib/node_modules,tmp,etc/ssl/certs,proc,dev,opt,data}
  chmod 1777 "$mount/tmp"
  cp -L "$node" "$mount/usr/bin/node"
  cp -L "$(command -v env)" "$(command -v rm)" "$(command -v chown)" "$mount/usr/bin/"
  cp -L "$(command -v sh)" "$mount/bin/sh"
  cp -rL "$npm" "$mount/usr/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$mount/usr/bin/npm"
  for program in "$node" "$(command -v sh)" "$(command -v env)" "$(command -v chown)"; do
    ldd "$(readlink -f "$program")" | grep -o '/[^ ]*' | while read -r library; do
      mkdir -p "$mount$(dirname "$library")"
      cp -Lu "$library" "$mount$library"
    done
  done
  # Names are looked up by these.
  for library in libnss_dns.so.2 libnss_files.so.2 libresolv.so.2; do
    found=$(ldconfig -p | grep -o "/[^ ]*/$library" | head -1 || true)
    [ -z "$found" ] || { mkdir -p "$mount$(dirname "$found")" && cp -Lu "$found" "$mount$found"; }
  done
  cp -L /etc/ssl/certs/ca-certificates.crt "$mount/etc/ssl/certs/" 2>/dev/null || true
  printf 'root:x:0:0:root:/:/bin/sh\n' >"$mount/etc/passwd"
  buildah config --env PATH=/usr/bin:/bin "$name"
  # A registry of packages behind a certificate authority of its own.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    cp -L "$NODE_EXTRA_CA_CERTS" "$mount/etc/ssl/certs/extra.pem"
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/extra.pem "$name"
  fi
  buildah commit --quiet "$name" localhost/base >/dev/null
  printf 'localhost/base'
}

mkdir "$work/context"
if [ $# -gt 0 ]; then
  cp "$1" "$work/context/sparring.tgz"
else
  (cd "$here/../.." && npm pack --silent --ignore-scripts --pack-destination "$work/context" >/dev/null)
  mv "$work"/context/sparring-*.tgz "$work/context/sparring.tgz"
fi
if [ -z "${BASE:-}" ]; then
  say 'the base is made from this machine, no registry of images is asked'
  BASE=$(base_of_this_machine)
fi
buildah build --quiet --file "$here/Containerfile" --build-arg "BASE=$BASE" \
  --build-arg "NPM_CONFIG_REGISTRY=${NPM_CONFIG_REGISTRY:-$(npm config get registry)}" \
  ${EXTRA_BUILD_ARGS:-} --tag localhost/sparring "$work/context" >"$work/build.log" 2>&1 || {
  tail -20 "$work/build.log" >&2
  fail 'the image cannot be built'
}
container=$(buildah from localhost/sparring)
image=$(buildah mount "$container")
say "the image holds $(du -sm "$image/opt/sparring" | cut -f1) MB of Sparring"

# What the image says of itself is what is run.
buildah inspect --type image localhost/sparring >"$work/image.json"
config() { node -p "const { config } = JSON.parse(require('fs').readFileSync('$work/image.json', 'utf8')).OCIv1; $1"; }
health() { node -p "JSON.parse(require('fs').readFileSync('$work/image.json', 'utf8')).Docker.config.Healthcheck?.Test?.slice(1).map((each) => \"'\" + each.replaceAll(\"'\", \"'\\\\\\\\''\") + \"'\").join(' ') ?? ''"; }
user=$(config 'config.User')
[ "$user" = 10001:10001 ] || fail "its user is $user"

mkdir "$work/root"
mount --rbind "$image" "$work/root"
mount -o remount,ro,bind "$work/root"
mount -t tmpfs tmpfs "$work/root/tmp"
mount -t tmpfs -o uid=10001,gid=10001 tmpfs "$work/root/data"
mount --rbind /dev "$work/root/dev" 2>/dev/null || true

# In the image: its environment and its user, on the read-only root.
{
  config "config.Env.map((each) => 'export ' + each.replace('=', \"='\") + \"'\").join('\n')"
  printf 'export SPARRING_PORT=18700 SPARRING_RECORD=/data/recordings/ SPARRING_TOKEN=smoke-test-token\n'
} >"$work/environment"
in_image() {
  chroot --userspec="$user" "$work/root" /bin/sh -c "$(cat "$work/environment"); cd /data; exec $*"
}
entry=$(config 'config.Entrypoint.join(" ")')
command_line=$(config 'config.Cmd.join(" ")')

in_image "node -e 'try { require(\"fs\").writeFileSync(\"/opt/x\", \"\"); process.exit(1) } catch (error) { process.exit(error.code === \"EROFS\" ? 0 : 2) }'" ||
  fail 'its root can be written to'
say "user $user, root read-only"

# Process 1 of a namespace of its own, as in a container.
started=$(date +%s%3N)
unshare --pid --fork --kill-child --mount-proc="$work/root/proc" -- \
  chroot --userspec="$user" "$work/root" /bin/sh -c "$(cat "$work/environment"); cd /data; exec $entry $command_line" \
  >"$work/stdout" 2>"$work/stderr" &
inside=$!
check=$(health)
until grep -q '^ready' "$work/stdout"; do
  kill -0 "$inside" 2>/dev/null || { cat "$work/stderr" >&2 && fail 'it ended before it was ready'; }
  [ $(($(date +%s%3N) - started)) -lt 10000 ] || fail 'it is not ready after 10 s'
  sleep 0.02
done
ready=$(($(date +%s%3N) - started))
in_image "$check" || fail 'its health check fails'
say "ready after $ready ms, its health check passes"
[ "$ready" -lt "${READY_WITHIN_MS:-1000}" ] || fail "ready only after $ready ms"

# Some traffic, so that there is something to keep.
in_image "$entry orders create --control http://127.0.0.1:18700 --json" >"$work/order.json" || fail 'no order can be created'
sleep 2

child=$(pgrep -P "$inside")
stopped=$(date +%s%3N)
kill -TERM "$child"
wait "$inside" && code=0 || code=$?
inside=
took=$(($(date +%s%3N) - stopped))
[ "$code" = 0 ] || fail "SIGTERM ends it with $code"
[ "$took" -lt 2000 ] || fail "SIGTERM ends it after $took ms only"
recording=$(cd "$work/root/data" && ls -d recordings)
in_image "$entry export /data/$recording --format har -o /tmp/traffic.har" >/dev/null || fail 'its recording cannot be read'
entries=$(node -p "JSON.parse(require('fs').readFileSync('$work/root/tmp/traffic.har', 'utf8')).log.entries.length")
[ "$entries" -gt 10 ] || fail "its recording has $entries exchanges only"
say "SIGTERM to process 1 ends it with 0 after $took ms; its recording is whole: $entries exchanges"
say passed
