# Defaults that are taken away, a folder that a file is put into, the end of the options, and what curl refuses.

. "$TOOLS/import-curl.sh"

echo "curl http://shop.test/a -d x=1 -u me:pw -H Content-Type: -H Authorization:" | import_curl
echo "curl http://shop.test/in/ -T order.xml" | import_curl
echo "curl -s -- http://shop.test/b/../c" | import_curl
echo "curl 'http://shop.test/a b'" | import_curl
echo "curl http://shop.test/d -I -d x=1" | import_curl
echo "curl http://shop.test/e -F a=b -d x=1" | import_curl
