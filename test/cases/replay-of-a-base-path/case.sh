# A recording that was made under a path is answered under it; another path is a difference.
base=http://127.0.0.1:$((PORT + 1))

serve() {
  $SPARRING replay "$1" --driver server --as pos -p "$PORT" --speed asap --same-ids --ready-file ready --quiet >report 2>&1 &
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

$SPARRING import orders.har --as pos --raw=unsafe -o orders.rec.ndjson >/dev/null 2>&1
serve orders.rec.ndjson
get "$base/partner/api/orders/p1"; echo
get "$base/orders/p2"; echo
get -o /dev/null -w '%{http_code}\n' "$base/elsewhere/orders/p1"
stop
grep -c '/elsewhere' report
