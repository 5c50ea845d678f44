# Answers that are no UTF-8 are played as they were recorded; without --raw they are said to be missing.
base=http://127.0.0.1:$((PORT + 1))

serve() {
  $SPARRING replay "$1" --driver server --as pos -p "$PORT" --speed asap --same-ids --ready-file ready --no-color >report 2>&1 &
  server=$!
  until [ -f ready ]; do sleep 0.1; done
  token=$(curl -s "$base/oauth/token" -d grant_type=client_credentials -d client_id=subject -d client_secret=secret |
    sed 's/.*access_token":"\([^"]*\).*/\1/')
}
get() { curl -s -H "Authorization: Bearer $token" "$@"; }
stop() {
  kill -INT "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' ready)"
  wait "$server"
  rm ready
}

$SPARRING import menu.har --as pos --raw=unsafe -o raw.rec.ndjson >/dev/null 2>&1
serve raw.rec.ndjson
get "$base/orders/p1" | od -An -tx1
get "$base/orders/p2" | od -An -c
stop
grep -c 'its body' report
$SPARRING import menu.har --as pos -o safe.rec.ndjson >/dev/null 2>&1
serve safe.rec.ndjson
get "$base/orders/p1"; echo
stop
grep -o 'its body was replaced whole.*' report | head -1
