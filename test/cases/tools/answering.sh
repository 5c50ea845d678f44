# Answers calls from a recording: serve RECORDING options...; get curl-arguments...; stop, which leaves what was printed in report.
base=http://127.0.0.1:$((PORT + 1))

serve() {
  recording=$1
  shift
  $SPARRING replay "$recording" --driver server --as pos -p "$PORT" --speed asap --same-ids --ready-file ready "$@" >report 2>&1 &
  server=$!
  until [ -f ready ]; do sleep 0.1; done
  token=$(curl -s "$base/oauth/token" -d grant_type=client_credentials -d client_id=subject -d client_secret=secret |
    sed 's/.*access_token":"\([^"]*\).*/\1/')
}
get() { curl -s -H "Authorization: Bearer $token" "$@"; }
stop() {
  kill -INT "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' ready)"
  wait "$server"
  rm ready
}
