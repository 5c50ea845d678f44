# What an export cannot hold is counted, with the reason.
$SPARRING import pictures.har --as pos --raw=unsafe -o pictures.rec.ndjson >/dev/null 2>&1
$SPARRING export pictures.rec.ndjson --format k6 -o pictures.k6.har 2>&1
$SPARRING export pictures.rec.ndjson --format curl -o pictures.sh 2>&1
