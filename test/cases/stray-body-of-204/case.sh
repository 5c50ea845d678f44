# Bytes behind a 204 are no answer of their own: the event is taken.
node service.mjs "$PORT" &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done
$SPARRING import events.har --as pos --raw=unsafe -o events.rec.ndjson >/dev/null 2>&1
$SPARRING replay events.rec.ndjson --to "http://127.0.0.1:$PORT" --speed asap -p $((PORT + 5)) --no-color >report 2>&1
echo "exit $?"
grep -c 'HPE_\|error' report
kill "$service"
