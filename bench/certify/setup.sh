#!/bin/sh
# What no call of the protocol does, at a service that is a session of Sparring: by its control API (CONTROL is its URL).
post() {
  curl -fsS -o /dev/null -H 'content-type: application/json' -d "$2" "$CONTROL/$1"
}
case "$SPARRING_WISH" in
create-order) post orders "{\"order\": $SPARRING_ORDER}" ;;
begin-anew) post reset "{\"seed\": $(date +%s)}" ;;
*)
  test -n "$SPARRING_COMMANDS" || { echo "no command does it: $SPARRING_INSTRUCTION"; exit 1; }
  printf '%s' "$SPARRING_COMMANDS" | while read -r command; do post commands "$command" || exit 1; done
  ;;
esac
