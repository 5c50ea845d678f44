# Credentials, lists, ranges and parameters of a URL are what curl makes of them; what it does not know is said.

show() {
  $SPARRING import - --format curl --raw=unsafe --force -o got.rec.ndjson >said 2>&1
  node requests.mjs got.rec.ndjson
  grep -o 'the body is in a file.*\|left out: .*\|curl knows no option.*\|curl refuses.*' said
  rm -f got.rec.ndjson
}

echo "curl 'http://ana%40shop:s3%3Acret@shop.test/x'" | show
echo "curl -X POST 'http://shop.test/orders/{a,b}/[8-10]'" | show
echo "curl 'http://shop.test/x#top' --url-query 'when=a&b=c' --url-query +raw=1" | show
echo "curl --data=a=1 http://shop.test/x" | show
echo "curl 'http://shop.test/[9-1]'" | show
