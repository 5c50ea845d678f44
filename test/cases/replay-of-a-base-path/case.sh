# A recording that was made under a path is answered under it, a call outside the protocol as well; another path is a difference.
. "$TOOLS/answering.sh"

$SPARRING import orders.har --as pos --raw=unsafe -o orders.rec.ndjson >/dev/null 2>&1
serve orders.rec.ndjson --quiet
get "$base/partner/api/orders/p1"; echo
get "$base/orders/p2"; echo
get -w " %{http_code}\n" "$base/partner/api/internal/ping"
get -o /dev/null -w '%{http_code}\n' "$base/elsewhere/orders/p1"
stop
grep -c '/elsewhere' report
