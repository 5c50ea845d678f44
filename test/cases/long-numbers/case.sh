# A log whose bodies are objects with numbers that no double holds: they are recorded, compared and refused as they are written.
cat > map.yaml <<'M'
{ time: $.t, method: $.m, url: $.u, status: $.s, responseBody: $.b }
M
log() {
  printf '{"t":"2026-11-20T12:00:00Z","m":"GET","u":"http://127.0.0.1:7101/orders/o1","s":200,"b":{"shopNo":%s,"total":10.10}}\n' "$2" > "$1.ndjson"
  $SPARRING import "$1.ndjson" --mapping map.yaml --as pos --raw=unsafe --force -o "$1.rec.ndjson" >/dev/null 2>&1
}
log a 9223372036854775807; log b 9223372036854775806
grep -o '"text":"[^}]*}' a.rec.ndjson
$SPARRING diff a.rec.ndjson b.rec.ndjson | grep -A1 shopNo
echo '{"shopNo":9223372036854775807}' > order.json
$SPARRING orders create -f order.json --control http://127.0.0.1:$PORT 2>&1
echo "exit $?"
