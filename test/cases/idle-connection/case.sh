# A service that resets the second request of each connection, as one does that has just closed it: no event is lost or late.
cat > service.mjs <<'M'
import { createServer } from 'node:net'
createServer((socket) => {
  let requests = 0
  socket.on('error', () => undefined)
  socket.on('data', () => {
    if (++requests === 2) socket.resetAndDestroy()
    else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
M
node service.mjs $((PORT + 20)) &
service=$!
$SPARRING up --as pos --subject http://127.0.0.1:$((PORT + 20)) --channel webhook -p $PORT --quiet --ready-file ready >/dev/null 2>&1 &
up=$!
until [ -s ready ] || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
for i in 1 2 3; do $SPARRING orders create --wait CREATED --control http://127.0.0.1:$PORT >/dev/null 2>&1; done
sleep 1
$SPARRING traffic --control http://127.0.0.1:$PORT --json > traffic.json
echo "$(grep -o ECONNRESET traffic.json | wc -l) resets"
kill -INT $up; wait $up; kill $service
