/**
 * A scenario as a POSIX shell script: it starts `sparring up`, takes the steps of the scenario by curl calls of the control
 * API, and checks the expectations in the same way. For a failure that shows in the calls of a service or in its orders,
 * where there is no request to the service that could be sent alone.
 */
import type { z } from 'zod'
import { takenState } from '../../core/views/order-rows.ts'
import { needsStart } from '../../core/faults/port.ts'
import { parseDuration } from '../../core/protocol/duration.ts'
import { isOrderEventType } from '../../core/protocol/orders/events.ts'
import { Scenario, type ScenarioInput } from '../../core/scenario/schema.ts'
import { defaultWaitMs } from '../../core/scenario/shared-shapes.ts'
import { stepEntryOf, stepText } from '../../core/scenario/steps.ts'
import { moveCommand } from '../../core/scenario/words/orders.ts'
import { changeOrderIds } from '../../core/scenario/words/session.ts'
import type { AwaitInput } from '../../core/scenario/words/waits.ts'
import { shellQuoted } from '../../core/traffic/curl-command.ts'
import { stopLine } from '../formats/failure-script.ts'

/** Shell functions of the script of a scenario: the session behind it, the control API, waits and checks. */
const scriptFunctions = String.raw`set -u
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

# nap: waits a tenth of a second, or a whole one where sleep takes no fractions; counts the tenths in $left.
nap() {
  if sleep 0.1 2> "$scratch/nap"; then left=$((left - 1)); else
    sleep 1
    left=$((left - 10))
  fi
}

# pass TENTHS: waits for so many tenths of a second.
pass() {
  left=$1
  while [ "$left" -gt 0 ]; do nap; done
}

# start ROLE CHANNEL SESSION: starts a session, and waits until the service has come.
start() {
  printf '%s' "$3" > "$scratch/sparring.config.json"
  eval "exec ${'${SPARRING:-npx sparring}'} up --as $1 --channel $2 --subject \"\$subject\" --port \"\$SPARRING_PORT\" \
    -c \"\$scratch/sparring.config.json\" --wait-for-subject 30 --quiet --ready-file \"\$scratch/ready\"" \
    > "$scratch/log" 2>&1 &
  server=$!
  left=600
  while [ ! -f "$scratch/ready" ]; do
    if [ "$left" -le 0 ] || ! kill -0 "$server" 2>/dev/null; then
      tail -n 5 "$scratch/log" >&2
      stop "no session plays the partner of your service: is ${'${SPARRING:-npx sparring}'} there?"
    fi
    nap
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
  printf '%s' "$body" | tr '{' '\n' | grep '"eventType":"'"$2"'"' | grep -q '"state":"${takenState}"'
}

holds_invariant() {
  control GET "/verdict?exercised=$1"
  printf '%s\n' "$body" | sed -n 's/.*"notExercised":\["\([^"]*\)".*/note  \1/p'
  control GET "/verdicts?outcome=failed&id=$1"
  [ "$body" = '[]' ]
}

# cancel_item ORDER LINE FLAG...: a line of an order is cancelled, or a part of its quantity.
cancel_item() {
  body=$(eval "${'${SPARRING:-npx sparring}'} orders cancel-item \"\$@\" --control http://127.0.0.1:$SPARRING_PORT" 2>&1) ||
    stop "cancel line $2 of $1: $body"
}

# drop_planned ORDER KIND WORD: takes what the partner plans off the agenda.
drop_planned() {
  control GET "/agenda?limit=100&order=$1"
  item=$(printf '%s' "$body" | tr '{' '\n' | grep '"kind":"'"$2"'","text":"'"$3" | sed -n 's/^"id":\([0-9]*\).*/\1/p' | head -n 1)
  [ -n "$item" ] && control POST "/agenda/$item/drop" '{}'
}

# wait_for SECONDS TITLE CONDITION...: asks until the condition holds.
wait_for() {
  left=$(($1 * 10)) title=$2
  shift 2
  until "$@"; do
    [ "$left" -gt 0 ] || stop "it did not come in time: $title"
    nap
  done
}

# settle: waits until nothing but empty polls has come for a while, or there was a call too many.
settle() {
  still=0 before='' rounds=0
  while [ "$still" -lt "$settle" ] && [ "$rounds" -lt 60 ]; do
    ! exceeds || return 0
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

/** A step or an expectation that a script cannot express. */
class Inexpressible extends Error {
  override readonly name = 'Inexpressible'
}

type ParsedScenario = z.output<typeof Scenario>
type Expectations = ParsedScenario['expect']

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** Shell variable of the order of a slot. */
const orderVariable = (slot: string): string => `"$${slot}"`

const json = (value: unknown): string => shellQuoted(JSON.stringify(value))

/** Submits a command whose orders are named by their slots, which become shell variables. */
function commandLine(command: unknown): string {
  const text = json(changeOrderIds(command, (slot) => `@${slot}@`))
  return `control POST /commands ${text.replaceAll(/@(o\d+)@/g, `'"$$$1"'`)}`
}

const countFilters = {
  successes: 'status<300',
  tries: '',
  refusals: 'status>=400 !status=401',
} as const

/** The arguments of `count_calls`: operation, further filter, order. */
function callArguments({
  call,
  order,
  counting = 'successes',
}: {
  readonly call: string
  readonly order?: string | undefined
  readonly counting?: keyof typeof countFilters | undefined
}): string {
  const place = order === undefined ? "''" : orderVariable(order)
  return `${shellQuoted(call)} ${shellQuoted(countFilters[counting])} ${place}`
}

function awaitLine(input: AwaitInput, title: string): string {
  const { status, call, acknowledged, order, times = 1, counting, within = defaultWaitMs } = input
  const wait = `wait_for ${seconds(within)} ${shellQuoted(title)}`
  if (status !== undefined && order !== undefined)
    return `${wait} has_status ${orderVariable(order)} ${status}`
  if (call !== undefined)
    return `${wait} has_calls ${times} ${callArguments({ call, order, counting })}`
  if (acknowledged !== undefined && order !== undefined && times === 1)
    return `${wait} has_taken ${orderVariable(order)} ${acknowledged}`
  throw new Inexpressible(title)
}

/** Kind and first word of what a counterpart plans by itself, on the agenda. */
const plannedItems: Readonly<Record<string, string>> = {
  conclude: "order.apply 'conclude '",
  'answer-cancellation': "cancellation.answer ''",
}

function stepLines(
  step: ParsedScenario['steps'][number],
  { orders }: ParsedScenario,
): readonly string[] {
  const entry = stepEntryOf(step)
  const title = stepText(entry)
  switch (entry.kind) {
    case 'create': {
      const slots = [entry.input].flat()
      const bodies = slots.map((slot) => json(orders[slot] ?? {}))
      return [
        `create ${bodies.join(' \\\n  ')}`,
        ...slots.map((slot, index) => `${slot}=$(created ${index + 1})`),
      ]
    }
    case 'advance':
      return [
        entry.input < 1000
          ? `pass ${Math.ceil(entry.input / 100)}`
          : `sleep ${seconds(entry.input)}`,
      ]
    case 'await':
      return [awaitLine(entry.input, title)]
    case 'trigger':
      return [commandLine(moveCommand(entry.input, entry.input.order))]
    case 'cancel-item': {
      const { order, line, ...flags } = entry.input
      const words = Object.entries(flags).flatMap(([flag, value]) =>
        value === undefined ? [] : [`--${flag}`, shellQuoted(String(value))],
      )
      return [['cancel_item', orderVariable(order), line, ...words].join(' ')]
    }
    case 'command':
      return [commandLine(entry.input)]
    case 'emit': {
      const { order, event, metadata, force } = entry.input
      if (!isOrderEventType(event)) throw new Inexpressible(title)
      return [
        commandLine({ kind: 'event.emit', orderId: order, eventType: event, metadata, force }),
      ]
    }
    case 'drop': {
      const { trigger, order, within = defaultWaitMs, ...others } = entry.input
      const planned = trigger === undefined ? undefined : plannedItems[trigger]
      if (!planned || order === undefined || Object.keys(others).length > 0)
        throw new Inexpressible(title)
      return [
        `wait_for ${seconds(within)} ${shellQuoted(title)} drop_planned ${orderVariable(order)} ${planned}`,
      ]
    }
    case 'fault':
      return [`control POST /faults ${json(entry.input)}`]
    default:
      throw new Inexpressible(title)
  }
}

function checkLines(expect: Expectations): readonly string[] {
  const { statuses = {}, calls = [], taken = [], invariants, ...others } = expect
  const [other] = Object.entries(others).find(([, wanted]) => wanted !== undefined) ?? []
  if (other !== undefined) throw new Inexpressible(`the expectation ${other}`)
  if (invariants === 'all') throw new Inexpressible('that all invariants hold')
  return [
    ...Object.entries(statuses).map(([slot, wanted]) => {
      const names = [wanted].flat()
      const title = `${slot} is ${names.join(', ')}`
      return `check ${shellQuoted(title)} is_one_of ${orderVariable(slot)} ${names.join(' ')}`
    }),
    ...calls.flatMap(({ call, order, counting, times, ...bounds }) => {
      const what = callArguments({ call, order, counting })
      const about = `${call}${order === undefined ? '' : ` of ${order}`}${counting === 'refusals' ? ', refused' : ''}`
      const { 'at-least': least = times, 'at-most': most = times } = bounds
      const line = (often: string, test: string, count: number): string =>
        `check ${shellQuoted(`${about}: ${often} ${count}`)} ${test} ${count} ${what}`
      return [
        ...(least === undefined || least === 0 ? [] : [line('at least', 'has_calls', least)]),
        ...(most === undefined ? [] : [line('at most', 'has_calls_at_most', most)]),
      ]
    }),
    ...taken.map(({ event, order }) => {
      const title = `${event}${order === undefined ? '' : ` of ${order}`} is taken`
      if (order === undefined) throw new Inexpressible(title)
      return `check ${shellQuoted(title)} has_taken ${orderVariable(order)} ${event}`
    }),
    ...invariants.map(
      (id) => `check ${shellQuoted(`${id} holds`)} holds_invariant ${shellQuoted(id)}`,
    ),
  ]
}

/** Whether a call was made more often than it may be: then nothing is left to wait for. */
const exceedsLines = ({ calls = [] }: Expectations): readonly string[] => [
  'exceeds() {',
  ...calls.flatMap(({ call, order, counting, times, 'at-most': most = times }) =>
    most === undefined
      ? []
      : [`  has_calls_at_most ${most} ${callArguments({ call, order, counting })} || return 0`],
  ),
  '  return 1',
  '}',
]

/** Faults of a script stay in force until it settles, so that nothing needs to be waited for behind its last action. */
const withoutLastWaits = (steps: ParsedScenario['steps']): ParsedScenario['steps'] =>
  steps.slice(0, steps.findLastIndex((step) => step.await === undefined) + 1)

export type ScenarioScript =
  | { readonly text: string; readonly untold?: undefined }
  /** What a script cannot express. */
  | { readonly text?: undefined; readonly untold: string }

const minSettleMs = 5000

/** Whether it can be played only by who started the service. */
export const needsOwnProcess = ({ faults = [], steps = [] }: ScenarioInput): boolean =>
  [...faults, ...steps.flatMap(({ fault }) => fault ?? [])].some(needsStart)

/** What neither a script nor a test can express. */
export const endedService = 'it does not start your service, and so cannot end it on the way'

/** `title`: one line that says what it was made of. */
export function scenarioScript(input: ScenarioInput, title: string): ScenarioScript {
  // The session part as written: with defaults filled in it would be a whole configuration.
  const { session = {} } = input
  const scenario = Scenario.parse(input)
  const { subject, channel = 'polling', faults, steps, expect } = scenario
  if (Object.values(scenario.orders).some(({ at }) => at !== undefined))
    return { untold: 'orders that come by themselves' }
  if (needsOwnProcess(input)) return { untold: endedService }
  const role = subject.toUpperCase().replaceAll('-', '_')
  const settleMs = Math.max(
    minSettleMs,
    parseDuration(String(session.tolerances?.converge ?? '')) ?? 0,
  )
  try {
    const lines = [
      '#!/bin/sh',
      `# ${title.replaceAll(/[^\x20-\x7E]+/g, ' ')}: ${scenario.name.replaceAll(/[^\x20-\x7E]+/g, ' ')}. Run it with: sh <this file>`,
      '# Ends with 1 while the failure shows, 0 when it does not, 4 when that cannot be said.',
      '',
      `: "\${${role}_URL:=http://127.0.0.1:3000}" "\${SPARRING_PORT:=7100}"`,
      `subject=$${role}_URL settle=${seconds(settleMs)}`,
      '',
      scriptFunctions,
      `start ${subject} ${channel} ${json(session)}`,
      '',
      ...faults.map((fault) => `control POST /faults ${json(fault)}`),
      ...withoutLastWaits(steps).flatMap((step) => stepLines(step, scenario)),
      ...exceedsLines(expect),
      'settle',
      '',
      ...checkLines(expect),
      'exit $((failed > 0))',
      '',
    ]
    return { text: lines.join('\n') }
  } catch (error) {
    if (error instanceof Inexpressible) return { untold: error.message }
    throw error
  }
}
