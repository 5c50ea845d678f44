# Data of a file makes the request that curl makes, though its content is not read.

. "$TOOLS/import-curl.sh"

echo "curl http://shop.test/a --data-binary @order.xml -H 'Content-Type: text/xml'" | import_curl
echo "curl http://shop.test/b -d x=1 --data-urlencode note@note.txt" | import_curl
echo "curl http://shop.test/c --json @order.json" | import_curl
