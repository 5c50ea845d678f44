# Two logs of one answer, imported and compared: the value of a time may differ, its type, unit and form may not.
cat > map.yaml <<'M'
{ time: $.t, method: $.m, url: $.u, status: $.s, responseBody: $.b }
M
log() {
  printf '{"t":"2026-11-20T12:00:00Z","m":"GET","u":"http://127.0.0.1:7101/orders/o1","s":200,"b":{"createdAt":"2026-11-20T12:00:00Z",%s}}\n' "$2" > "$1.ndjson"
  $SPARRING import "$1.ndjson" --mapping map.yaml --as pos --raw=unsafe --force -o "$1.rec.ndjson" >/dev/null 2>&1
}
compare() {
  log a "$1"; log b "$2"
  $SPARRING diff a.rec.ndjson b.rec.ndjson --quiet >/dev/null 2>&1
  echo "$? $1 $2"
}
compare '"updatedAt":"2026-11-20T12:00:10Z"' '"updatedAt":"2026-11-20T12:00:10"'
compare '"updatedAt":1795176010' '"updatedAt":1795176010000'
compare '"updatedAt":"2026-11-20T12:00:10Z"' '"updatedAt":"2026-11-20T09:00:30.250-03:00"'
