# Credentials, lists, ranges and parameters of a URL are what curl makes of them; what it does not know is said.

. "$TOOLS/import-curl.sh"

echo "curl 'http://ana%40shop:s3%3Acret@shop.test/x'" | import_curl
echo "curl -X POST 'http://shop.test/orders/{a,b}/[8-10]'" | import_curl
echo "curl 'http://shop.test/x#top' --url-query 'when=a&b=c' --url-query +raw=1" | import_curl
echo "curl --data=a=1 http://shop.test/x" | import_curl
echo "curl 'http://shop.test/[9-1]'" | import_curl
