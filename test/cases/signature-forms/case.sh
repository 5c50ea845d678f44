# A new signature has the form of the recorded one; a header that cannot be made anew is left out with a word.
node "$TOOLS/collector.mjs" "$PORT" signature &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done
$SPARRING import events.har --as pos --raw=unsafe -o events.rec.ndjson >/dev/null 2>&1
$SPARRING replay events.rec.ndjson --to "http://127.0.0.1:$PORT" -p $((PORT + 5)) --rate 20 --no-color >said 2>&1
kill "$service"
grep 'left out' said
