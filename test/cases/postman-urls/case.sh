# The URLs of a collection are encoded as Postman sends them.
$SPARRING import shop.postman_collection.json --raw=unsafe -o got.rec.ndjson >/dev/null 2>&1
node "$TOOLS/requests.mjs" got.rec.ndjson
