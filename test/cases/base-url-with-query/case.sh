# A service behind a gateway that wants a key in the query: webhooks, the check of doctor, and a recording through the proxy.
cat > service.mjs <<'M'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
createServer((request, response) => {
  appendFileSync('got', `${request.method} ${request.url}\n`)
  response.writeHead(204).end()
}).listen(Number(process.argv[2]), '127.0.0.1')
M
node service.mjs $((PORT + 20)) &
service=$!
while ! curl -s -o /dev/null http://127.0.0.1:$((PORT + 20))/up; do sleep 0.1; done
at="http://127.0.0.1:$((PORT + 20))"
$SPARRING record --to "$at/api/?key=7#part" --as pos -p $PORT -o out.rec.ndjson > ready 2>/dev/null &
proxy=$!
until grep -q ready ready || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
curl -s "http://127.0.0.1:$((PORT + 1))/orders/o1?page=2"; curl -s "http://127.0.0.1:$((PORT + 1))/orders/o1"
kill -INT $proxy; wait $proxy
$SPARRING doctor --as pos --channel webhook --subject "$at/hook?key=7" -p $PORT >/dev/null 2>&1
grep -E 'orders' got | sort -u
kill $service
