/**
 * Parts of the script of a recording that was cut down to a failure: it sends what the service was sent, with fresh ids,
 * and expects success where the service failed. What the service calls meanwhile, a replay answers in the background.
 */
import { formOfHeader } from '../../core/protocol/signature.ts'
import { lookOf } from '../../core/runtime/client/signature.ts'
import { correlate } from '../identity/correlation/correlate.ts'
import { eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import { isHostIssued } from '../difference/candidate-index.ts'
import type { HeaderLine } from '../../core/traffic/recording/format.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

export type ScriptFailure = NonNullable<HeaderLine['_rec']['failure']>

/** Shell pattern of a success. */
const success = '2??'

/** The status that a request must be answered with, as a shell pattern; undefined for that of the recording. */
export function expectedStatus(
  failure: ScriptFailure,
  exchange: RecordedExchange,
): string | undefined {
  const { operation, orderId, reply } = exchange
  const isMeant =
    failure.kind === 'answer' &&
    failure.by !== 'partner' &&
    failure.operation === operation &&
    (reply?.status ?? 0) >= 400 &&
    (failure.order === undefined || failure.order === orderId) &&
    (failure.event === undefined || failure.event === eventTypeOf(exchange))
  return isMeant ? success : undefined
}

/** An id of ours that a service must not know yet. */
export interface FreshId {
  /** Variable name. */
  readonly name: string
  readonly value: string
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const freshKinds: ReadonlySet<string> = new Set(['order', 'event', 'request'])

export function freshIds(exchanges: readonly RecordedExchange[]): readonly FreshId[] {
  const { identifiers } = correlate(exchanges, { ours: ({ party }) => party !== 'subject' })
  const values = new Map<string, string>()
  for (const { kind, value, origin } of identifiers)
    if (origin === 'ours' && freshKinds.has(kind) && uuidPattern.test(value))
      values.set(value, kind.toUpperCase())
  const counts = new Map<string, number>()
  return Array.from(values, ([value, kind]) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return { name: `${kind}_${count}`, value }
  })
}

/** Lines that give every id a fresh value: the end of a UUID is replaced by a number of this run. */
export const freshIdLines = (ids: readonly FreshId[]): readonly string[] => [
  '# Fresh ids for each run: your service may remember those of the last one.',
  'run=$(printf %012x $(($(date +%s) * 100000 + $$ % 100000)))',
  ...ids.map(({ name, value }) => `${name}=${value.slice(0, -12)}$run`),
]

export const needsAnswers = (exchanges: readonly RecordedExchange[]): boolean =>
  exchanges.some((each) => each.from.party === 'subject' && !isHostIssued(each))

/** Lines that answer the calls of the service from the recording, which lies beside the script. */
export const answeringLines = (recording: string, ids: readonly FreshId[]): readonly string[] => [
  '# What your service calls meanwhile is answered from the recording beside this file.',
  'recording=$(dirname "$0")/' + recording,
  `[ -f "$recording" ] || { printf 'STOP  %s is not there\\n' "$recording" >&2; exit 4; }`,
  `sed -e '$d'${ids.map(({ name, value }) => ` \\\n  -e "s/${value}/$${name}/g"`).join('')} \\`,
  '  "$recording" > "$scratch.rec.ndjson"',
  String.raw`eval "exec ${'${SPARRING:-npx sparring}'} replay \"\$scratch.rec.ndjson\" --driver server --same-ids --speed asap --on-miss 202 --ready-file \"\$scratch.ready\"" \
  > "$scratch.log" 2>&1 &`,
  'server=$!',
  'waited=0',
  'while [ ! -f "$scratch.ready" ]; do',
  '  waited=$((waited + 1))',
  '  if [ "$waited" -gt 30 ] || ! kill -0 "$server" 2>/dev/null; then',
  '    tail -n 5 "$scratch.log" >&2',
  `    printf 'STOP  no server answers your service: is %s there?\\n' "\${SPARRING:-npx sparring}" >&2`,
  '    exit 4',
  '  fi',
  '  sleep 1',
  'done',
  '',
]

/** Stops the background session: the process of the ready file, since what started it may pass on no signal. */
export const stopLine = (readyFile: string): string =>
  String.raw`  [ -z "$server" ] || { kill "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' ${readyFile})" || kill "$server"; wait "$server"; } 2>/dev/null`

/** Shell functions that sign a body as the partner does. */
export const signFunction = String.raw`
# The signature of the body in the input, with the secret that your service has with its partner.
hmac_sha256() {
  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" "$@"
}
md5() {
  { cat; printf '%s' "$WEBHOOK_SECRET"; } | openssl dgst -md5 "$@"
}
sign_hex() {
  "$1" | sed 's/^.*[= ]//'
}
sign_base64() {
  "$1" -binary | openssl base64 -A
}
`

/** The command that signs `$data` in the form of the recorded signature. */
export function signCommand(header: string, recorded: string): string {
  const { algorithm } = formOfHeader(header.toLowerCase()) ?? { algorithm: 'hmac-sha256' }
  const { prefix, encoding } = lookOf(recorded, { algorithm }) ?? { prefix: '', encoding: 'hex' }
  const digest = algorithm === 'md5' ? 'md5' : 'hmac_sha256'
  const commands: Readonly<Record<typeof encoding, string>> = {
    hex: `sign_hex ${digest}`,
    'hex-upper': `sign_hex ${digest} | tr a-f A-F`,
    base64: `sign_base64 ${digest}`,
    base64url: `sign_base64 ${digest} | tr '+/' '-_' | tr -d '='`,
  }
  return `${prefix}$(printf '%s' "$data" | ${commands[encoding]})`
}
