# A request of a collection has no recorded answer: any answer is right, but none is not.
$SPARRING import shop.postman_collection.json --raw=unsafe -o shop.rec.ndjson >/dev/null 2>&1
$SPARRING export shop.rec.ndjson --format curl --base "http://127.0.0.1:$PORT" -o shop.sh 2>/dev/null
CLIENT_ID=me CLIENT_SECRET=s sh shop.sh 2>/dev/null | sed 's/ (expected/\n(expected/' | head -2
node service.mjs "$PORT" &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done
sh shop.sh
echo "exit $?"
kill "$service"
