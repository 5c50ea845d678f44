# A time in seconds stays before one in milliseconds that it preceded, and no time is in the future.
node "$TOOLS/collector.mjs" "$PORT" times >collected &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done
$SPARRING import events.har --as pos --raw=unsafe -o events.rec.ndjson >/dev/null 2>&1
$SPARRING replay events.rec.ndjson --to "http://127.0.0.1:$PORT" -p $((PORT + 5)) --rate 8 >/dev/null 2>&1
kill "$service"
sort collected | uniq -c
