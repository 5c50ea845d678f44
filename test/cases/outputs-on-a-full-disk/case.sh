# The recording, one reporter, or stdout is on a full disk: that is said, and nothing else is lost.
ln -s /dev/full x.rec.ndjson
$SPARRING run s.yaml --config c.yaml --reporter junit=/dev/full --reporter json=a.json --reporter pretty >out.txt 2>err.txt
echo "run ended with $?"
tail -n 1 out.txt
sed 's/[0-9][0-9]* exchanges/some exchanges/' err.txt
grep -o '"passed": [0-9]*' a.json
$SPARRING run s.yaml --reporter json=b.json --reporter pretty >/dev/full 2>err.txt
echo "run ended with $?"
cat err.txt
grep -o '"passed": [0-9]*' b.json
$SPARRING up --as software-service --record x.rec.ndjson --port "$PORT" --ready-file ready.json --quiet --no-watch </dev/null >/dev/null 2>&1 &
session=$!
until [ -s ready.json ]; do sleep 0.1; done
curl -s -o reply.txt "$(sed -n 's/.*"ordering-application":"\([^"]*\)".*/\1/p' ready.json)/v1/merchants"
kill -TERM $session
wait $session
echo "up ended with $?"
