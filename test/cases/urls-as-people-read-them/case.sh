# Archives and logs whose URLs have letters and blanks as a person reads them: they are sent as a client must send them.
cat > service.mjs <<'M'
import { createServer } from 'node:http'
createServer((request, response) => {
  console.log(request.url)
  response.end('{}')
}).listen(Number(process.argv[2]), '127.0.0.1')
M
node service.mjs "$PORT" >urls &
service=$!
until curl -s -o /dev/null "http://127.0.0.1:$PORT/up"; do sleep 0.1; done
cat > map.yaml <<'M'
{ time: $.t, method: $.m, url: $.u, status: $.s }
M
echo '{"t":"2026-11-20T12:00:00Z","m":"GET","u":"http://shop.test/orders/José 1?q=a b","s":200}' > log.ndjson
$SPARRING import log.ndjson --format logs --mapping map.yaml --as pos --raw=unsafe -o log.rec.ndjson >/dev/null 2>&1
$SPARRING import read.har --as pos --raw=unsafe -o har.rec.ndjson >/dev/null 2>&1
echo "curl 'http://shop.test/orders/ação'" | $SPARRING import - --format curl --as pos --raw=unsafe -o curl.rec.ndjson >/dev/null 2>&1
for each in log har curl; do
  $SPARRING export $each.rec.ndjson --format curl --base "http://127.0.0.1:$PORT" -o $each.sh 2>/dev/null
  CLIENT_ID=me CLIENT_SECRET=s ORDERING_APPLICATION_TOKEN=t sh $each.sh >/dev/null 2>&1
done
kill "$service"
grep orders urls
