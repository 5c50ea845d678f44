# An event whose body is no UTF-8 text is signed anew by the bytes that are sent.
cat > service.mjs <<'M'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const body = Buffer.concat(chunks)
    const made = createHmac('sha256', 'secret').update(body).digest('hex')
    if (request.method === 'POST' && request.url === '/webhooks/orders')
      console.log(body.toString('latin1'), request.headers['x-app-signature'] === made)
    response.writeHead(204).end()
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
M
node service.mjs "$PORT" >>got &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done
$SPARRING record --to "http://127.0.0.1:$PORT" --as ordering-application -p $((PORT + 10)) --raw=unsafe -o bytes.rec.ndjson >ready 2>/dev/null &
proxy=$!
until grep -q ready ready || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
at=$(sed -n 's|.*software-service \(http[^ ]*\).*|\1|p' ready)
old=$(printf '%064d' 1)
printf '{"note":"p\343o"}' | curl -s -H 'Content-Type: application/json' -H "X-App-Signature: $old" --data-binary @- "$at/webhooks/orders"
kill -INT $proxy; wait $proxy
: >got
$SPARRING replay bytes.rec.ndjson --to "http://127.0.0.1:$PORT" --as pos --speed asap -p $((PORT + 5)) --no-color >said 2>&1
kill "$service"
iconv -f utf-8 -t utf-8 got
