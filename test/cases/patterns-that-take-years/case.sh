# Two patterns of the user's contract would take years for 40 characters from the wire.
$SPARRING up --as software-service --contract openapi.yaml=ordering-application --port "$PORT" \
  --ready-file ready.json --quiet --no-watch </dev/null >out.txt 2>&1 &
session=$!
until [ -s ready.json ]; do sleep 0.1; done
host=$(sed -n 's/.*"ordering-application":"\([^"]*\)".*/\1/p' ready.json)
control=$(sed -n 's/.*"control":"\([^"]*\)".*/\1/p' ready.json)
years='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'
for body in "{\"text\":\"$years\"}" "{\"word\":\"$years\"}" '{"count":"many"}'; do
  for times in 1 2 3; do
    curl -s -m 5 -o reply.txt -w '%{http_code}\n' -H 'Content-Type: application/json' -d "$body" "$host/notes"
  done
done | sort | uniq -c | sed 's|^ *||'
$SPARRING verdicts CONTRACT --control "$control" | grep -o 'body /count expected a whole number\|judge by its pattern [^ ]*' | sort -u
kill -TERM $session
wait $session
echo "ended with $?"
