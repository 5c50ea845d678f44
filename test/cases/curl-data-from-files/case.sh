# Data of a file makes the request that curl makes, though its content is not read.

show() {
  $SPARRING import - --format curl --raw=unsafe --force -o got.rec.ndjson >said 2>&1
  node requests.mjs got.rec.ndjson
  grep -o 'the body is in a file.*\|left out: .*\|curl knows no option.*\|curl refuses.*' said
  rm -f got.rec.ndjson
}

echo "curl http://shop.test/a --data-binary @order.xml -H 'Content-Type: text/xml'" | show
echo "curl http://shop.test/b -d x=1 --data-urlencode note@note.txt" | show
echo "curl http://shop.test/c --json @order.json" | show
