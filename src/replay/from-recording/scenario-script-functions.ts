/** Shell functions of the script of a scenario: the session behind it, the control API, waits and checks. */
import { stopLine } from '../formats/failure-script.ts'

export const scriptFunctions = String.raw`set -u
failed=0 body='' server=''
scratch=$(mktemp -d) || exit 2
finish() {
${stopLine('"$scratch/ready"')}
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

# stop TEXT: where it cannot be said whether the failure shows.
stop() {
  printf 'STOP  %s\n' "$1" >&2
  exit 4
}

# start ROLE CHANNEL SESSION: starts a session, and waits until the service has come.
start() {
  printf '%s' "$3" > "$scratch/sparring.config.json"
  eval "exec ${'${SPARRING:-npx sparring}'} up --as $1 --channel $2 --subject \"\$subject\" --port \"\$SPARRING_PORT\" \
    -c \"\$scratch/sparring.config.json\" --wait-for-subject 30 --quiet --ready-file \"\$scratch/ready\"" \
    > "$scratch/log" 2>&1 &
  server=$!
  waited=0
  while [ ! -f "$scratch/ready" ]; do
    waited=$((waited + 1))
    if [ "$waited" -gt 60 ] || ! kill -0 "$server" 2>/dev/null; then
      tail -n 5 "$scratch/log" >&2
      stop "no session plays the partner of your service: is ${'${SPARRING:-npx sparring}'} there?"
    fi
    sleep 1
  done
  [ "$2" != polling ] || wait_for 30 'your service polls' has_calls 1 pollingEvents '' ''
}

# control METHOD PATH [JSON]: calls the control API; leaves the answer in $body.
control() {
  body=$(curl --silent --show-error --fail-with-body --globoff --max-time 60 --request "$1" \
    --header 'Content-Type: application/json' ${'${3+--data-raw "$3"}'} "http://127.0.0.1:$SPARRING_PORT$2") ||
    stop "$1 $2: $body"
}

# create ORDER...: makes orders while the clock stands, since one poll may have to bring the events of all.
create() {
  control POST /clock '{"mode":"stepped"}'
  given=$#
  for order; do
    set -- "$@" --next --silent --show-error --fail-with-body --globoff --max-time 60 \
      --header 'Content-Type: application/json' --data-raw "$order" "http://127.0.0.1:$SPARRING_PORT/orders"
  done
  shift $((given + 1))
  ids=$(curl "$@") || stop "POST /orders: $ids"
  control POST /clock '{"mode":"real"}'
}

# created NUMBER: the id of an order of the last create.
created() {
  printf '%s' "$ids" | tr '{}' '\n\n' | sed -n 's/.*"orderId":"\([^"]*\)".*/\1/p' | sed -n "$1p"
}

# text KEY: the first text under a key of the last answer.
text() {
  printf '%s' "$body" | tr '{}[],' '\n\n\n\n\n' | sed -n 's/^ *"'"$1"'" *: *"\(.*\)" *$/\1/p' | head -n 1
}

# count_calls OPERATION FILTER ORDER: leaves in $count how many there were; any order where it is empty.
count_calls() {
  control GET "/traffic?limit=1000&filter=$1%20$(printf '%s' "$2" | sed 's/ /%20/g; s/</%3C/g; s/>/%3E/g')${'${3:+&order=$3}'}"
  count=$(printf '%s' "$body" | tr '{' '\n' | grep -c '"seq":')
}

# has_calls TIMES OPERATION FILTER ORDER
has_calls() {
  count_calls "$2" "$3" "$4"
  [ "$count" -ge "$1" ]
}

has_calls_at_most() {
  count_calls "$2" "$3" "$4"
  [ "$count" -le "$1" ]
}

# has_status ORDER STATUS: it has, or had.
has_status() {
  control GET "/orders/$1"
  case $body in
    *'"status":"'"$2"'","at":'*) ;;
    *) return 1 ;;
  esac
}

# is_one_of ORDER STATUS...: its status now.
is_one_of() {
  control GET "/orders/$1"
  is=$(text status)
  shift
  for wanted; do [ "$is" != "$wanted" ] || return 0; done
  printf '      it is %s\n' "$is"
  return 1
}

# has_taken ORDER EVENT: the service has taken an event of this type.
has_taken() {
  control GET "/orders/$1"
  printf '%s' "$body" | tr '{' '\n' | grep '"eventType":"'"$2"'"' | grep -q '"state":"handed over"'
}

holds_invariant() {
  control GET "/verdicts?outcome=failed&id=$1"
  [ "$body" = '[]' ]
}

# drop_planned ORDER KIND WORD: takes what the partner plans off the agenda.
drop_planned() {
  control GET "/agenda?limit=100&order=$1"
  item=$(printf '%s' "$body" | tr '{' '\n' | grep '"kind":"'"$2"'","text":"'"$3" | sed -n 's/^"id":\([0-9]*\).*/\1/p' | head -n 1)
  [ -n "$item" ] && control POST "/agenda/$item/drop" '{}'
}

# wait_for SECONDS TITLE CONDITION...: asks once a second until the condition holds.
wait_for() {
  left=$1 title=$2
  shift 2
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || stop "it did not come in time: $title"
    sleep 1
  done
}

# settle: waits until nothing but empty polls has come for a while.
settle() {
  still=0 before='' rounds=0
  while [ "$still" -lt "$settle" ] && [ "$rounds" -lt 60 ]; do
    sleep 1
    control GET '/traffic?limit=1&filter=!idle'
    if [ "$body" = "$before" ]; then still=$((still + 1)); else still=0; fi
    before=$body rounds=$((rounds + 1))
  done
}

# check TITLE CONDITION...: what must hold while the failure does not show.
check() {
  title=$1
  shift
  if "$@"; then
    printf 'ok    %s\n' "$title"
  else
    printf 'DIFF  %s\n' "$title"
    failed=$((failed + 1))
  fi
}
`
