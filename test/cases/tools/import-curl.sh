# Imports the curl command on stdin: import_curl prints its requests, and what is not read of it.
import_curl() {
  $SPARRING import - --format curl --raw=unsafe --force -o got.rec.ndjson >notes 2>&1
  node "$TOOLS/requests.mjs" got.rec.ndjson
  grep -o 'the body is in a file.*\|the body is made by.*\|curl takes one of.*\|left out: .*\|curl knows no option.*\|curl refuses.*' notes
  rm -f got.rec.ndjson
}
