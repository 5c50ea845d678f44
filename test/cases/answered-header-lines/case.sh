# A repeated header is answered as often as it was recorded, and one that a program joined or cannot be sent does not end the session.
. "$TOOLS/answering.sh"

$SPARRING import cookies.har --as pos --raw=unsafe -o cookies.rec.ndjson >/dev/null 2>&1
serve cookies.rec.ndjson --quiet
get -D - -o /dev/null "$base/orders/p1" | tr -d '\r' | grep -i '^set-cookie\|^link'
get -D - -o /dev/null "$base/orders/p2" | tr -d '\r' | grep -i '^set-cookie\|^x-note\|^a name'
stop
