# A repeated header is answered as often as it was recorded.
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

$SPARRING import cookies.har --as pos --raw=unsafe -o cookies.rec.ndjson >/dev/null 2>&1
serve cookies.rec.ndjson
get -D - -o /dev/null "$base/orders/p1" | tr -d '\r' | grep -i '^set-cookie\|^link'
stop
