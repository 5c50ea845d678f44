# A confirmation in Latin-1, and the same in UTF-8.
$SPARRING up --as pos -p $PORT --quiet --ready-file ready >/dev/null 2>&1 &
until [ -s ready ] || [ $((n=n+1)) -gt 90 ]; do sleep 0.1; done
host=http://127.0.0.1:$((PORT + 1))
token=$(curl -s $host/oauth/token -d grant_type=client_credentials -d client_id=subject -d client_secret=secret | sed 's/.*access_token":"\([^"]*\).*/\1/')
order=$($SPARRING orders create --control http://127.0.0.1:$PORT)
confirm() { curl -s -w ' %{http_code}\n' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' --data-binary @- $host/orders/$order/confirm; }
printf '{"reason":"p\343o"}' | confirm
printf '{"reason":"p\303\243o"}' | confirm
kill -INT $!; wait
