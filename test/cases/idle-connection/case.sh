# A service that closes each idle connection just when the next event is due: none is lost or late. It is a process of its own.
cat > service.mjs <<'M'
import { createServer } from 'node:http'
createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end()
    setTimeout(() => request.socket.destroy(), 499)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
M
node service.mjs $((PORT + 20)) &
service=$!
$SPARRING up --as pos --subject http://127.0.0.1:$((PORT + 20)) --channel webhook --orders-every 500ms -p $PORT --quiet --ready-file ready >/dev/null 2>&1 &
up=$!
until [ -s ready ] || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
sleep 12
$SPARRING traffic --control http://127.0.0.1:$PORT --json > traffic.json
echo "$(grep -o ECONNRESET traffic.json | wc -l) resets"
kill -INT $up; wait $up; kill $service
