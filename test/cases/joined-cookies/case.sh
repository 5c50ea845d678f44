# A browser joined two cookies of a reply into one header, by a line end; another program three, by commas.
cat > joined.har <<'HAR'
{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[
{"startedDateTime":"2026-11-20T12:00:00Z","time":5,
"request":{"method":"POST","url":"http://127.0.0.1:20001/login","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":-1},
"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[
{"name":"Set-Cookie","value":"theme=dark; Path=/\ncarrinho=5c1e9f4b8a7d2036; Path=/; HttpOnly"},
{"name":"Set-Cookie","value":"a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT, painel=77aa0b1c2d3e4f50; Secure, loja=c0ffee1234abcd99"}],
"content":{"size":2,"mimeType":"application/json","text":"{}"},"redirectURL":"","headersSize":-1,"bodySize":-1},
"cache":{},"timings":{"send":1,"wait":3,"receive":1}}]}}
HAR
$SPARRING import joined.har --as pos -o joined.rec.ndjson > /dev/null 2>&1
for secret in 5c1e9f4b8a7d2036 77aa0b1c2d3e4f50 c0ffee1234abcd99; do
  echo "$(grep -c $secret joined.rec.ndjson) lines with $secret"
done
echo "$(grep -c 'Path=/; HttpOnly' joined.rec.ndjson) with the attributes"
