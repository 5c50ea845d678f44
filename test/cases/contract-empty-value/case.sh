# A parameter that may be there without a value, and one that may not.
node -e 'require("http").createServer((q, p) => p.end("[]")).listen(Number(process.argv[1]) + 20, "127.0.0.1")' $PORT &
service=$!
$SPARRING record --to http://127.0.0.1:$((PORT + 20)) --as pos --contract api.yaml=ordering-application -p $PORT -o out.rec.ndjson --no-color > ready 2> notices &
proxy=$!
until grep -q ready ready || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
for path in "?all" "?all=" "?all=x" "?page="; do
  curl -s -o /dev/null "http://127.0.0.1:$((PORT + 1))/v1/orders$path"
done
kill -INT $proxy; wait $proxy; kill $service; wait $service 2>/dev/null
grep -oE '(query parameter \w+ expected [^,]*, received "[^"]*"|path \S+ is none of the contract[^.(]*)' notices | sort
