# Two answers that are nested 9000 levels deep and differ in the innermost value, through every verb that reads a recording.
cat > map.yaml <<'M'
{ time: $.t, method: $.m, url: $.u, status: $.s, responseBody: $.b }
M
for x in 1 2; do
  node -e 'const d = 9000; console.log(JSON.stringify({ t: "2026-11-20T12:00:00Z", m: "GET", u: "http://127.0.0.1:7101/orders/o1", s: 200, b: `${"{\"a\":[".repeat(d)}${process.argv[1]}${"]}".repeat(d)}` }))' $x > $x.ndjson
  $SPARRING import $x.ndjson --format logs --mapping map.yaml --as pos --raw=unsafe -o $x.rec.ndjson >/dev/null 2>&1; echo "import $?"
done
$SPARRING diff 1.rec.ndjson 2.rec.ndjson | grep -o 'reply /body/a/0/a/0/a'; 
for reporter in json junit sarif; do $SPARRING diff 1.rec.ndjson 2.rec.ndjson --reporter $reporter >/dev/null 2>&1; echo "$reporter $?"; done
for format in har curl k6; do $SPARRING export 1.rec.ndjson --format $format -o out.$format --force >/dev/null 2>&1; echo "$format $?"; done
$SPARRING report 1.rec.ndjson -o page.html >/dev/null 2>&1; echo "report $?"
