# Answers that are no UTF-8 are played as they were recorded; without --raw they are said to be missing.
. "$TOOLS/answering.sh"

$SPARRING import menu.har --as pos --raw=unsafe -o raw.rec.ndjson >/dev/null 2>&1
serve raw.rec.ndjson --no-color
get "$base/orders/p1" | od -An -tx1
get "$base/orders/p2" | od -An -c
stop
grep -c 'its body' report
$SPARRING import menu.har --as pos -o safe.rec.ndjson >/dev/null 2>&1
serve safe.rec.ndjson --no-color
get "$base/orders/p1"; echo
stop
grep -o 'its body was replaced whole.*' report | head -1
