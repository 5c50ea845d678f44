/**
 * Exports a recording as a POSIX shell script: one curl command per request, in order, with ids extracted from responses
 * into variables of later requests. Every recorded value is quoted: none is interpreted by the shell.
 */
import { defaultClient } from '../../core/protocol/auth/default-client.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import {
  answeringLines,
  expectedStatus,
  type FreshId,
  freshIdLines,
  freshIds,
  needsAnswers,
  type ScriptFailure,
  signCommand,
  signFunction,
  stopLine,
} from './failure-script.ts'
import { isAnswerUnknown } from '../../core/traffic/recording/failure-comparison.ts'
import type { Exporter, ExporterOptions } from './format.ts'
import {
  isSignedRequest,
  splitAtVariables,
  isTokenCall,
  planScript,
  type ScriptTarget,
  type ScriptCall,
  type ScriptPlan,
  scriptHeaders,
  callTitle,
} from './script-plan.ts'
import { signatureHeaders } from '../../core/protocol/signature.ts'
import { shellQuoted } from '../../core/traffic/curl-command.ts'

function withVariables(text: string, uses: ScriptCall['uses']): string {
  const words = splitAtVariables(text, uses).map((piece) =>
    'variable' in piece ? `"$${piece.variable}"` : shellQuoted(piece.text),
  )
  return words.length === 0 ? "''" : words.join('')
}

/** Loopback origins are the default target; any other has to come from the user. */
const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(origin)

function targetLines(
  { variable, origin }: ScriptTarget,
  base: string | undefined,
): readonly string[] {
  const target = base?.replace(/\/+$/, '')
  if (target !== undefined) return [`: "\${${variable}:=${asDefault(target)}}"`]
  if (isLoopback(origin)) return [`: "\${${variable}:=${asDefault(origin)}}"`]
  return [
    `# It was ${printable(origin)}: real, so you say where to.`,
    `: "\${${variable}:?say where: ${variable}=http://127.0.0.1:3000 sh this-file}"`,
  ]
}

const printable = (text: string): string => text.replaceAll(/[^\x21-\x7E]+/g, ' ')

/** Strips every character that a URL in `"${VAR:=…}"` does not need, so that none is special to the shell. */
const asDefault = (url: string): string => url.replaceAll(/[^\w.:/[\]~%-]/g, '')

const preamble = String.raw`set -u
failed=0 stop_at=''
answer='' status='' body=''
scratch=$(mktemp) || exit 2
server=''
finish() {
${stopLine('"$scratch.ready"')}
  rm -f "$scratch" "$scratch".*
}
trap finish EXIT
trap 'exit 130' INT TERM

# call TITLE EXPECTED curl-arguments...: EXPECTED is a status, a pattern, or "any" where no answer is recorded; leaves the
# answer in $body, its status in $status.
call() {
  title=$1 expected=$2 pattern=$2
  [ "$expected" != any ] || pattern='[1-9]??'
  shift 2
  answer=$(curl --silent --show-error --globoff --path-as-is --proto '=http,https' --max-time 60 \
    --write-out '\n%{http_code}' "$@") || answer="$answer
000"
  status=$(printf '%s\n' "$answer" | tail -n 1)
  body=$(printf '%s\n' "$answer" | sed '$d')
  case $status in
    $pattern)
      printf 'ok    %s  %s\n' "$status" "$title"
      ;;
    *)
      [ "$status" != "$stop_at" ] || { printf 'STOP  %s  %s\n' "$status" "$title" >&2; exit 4; }
      failed=$((failed + 1))
      printf 'DIFF  %s  %s (expected %s)\n' "$status" "$title" "$expected"
      printf '%s\n' "$body" | head -n 5
      ;;
  esac
}

# text KEY PLACE: the text under a key of the last JSON answer; PLACE counts those before it.
text() {
  printf '%s' "$body" | tr -d '\n\r' | tr '{}[],' '\n\n\n\n\n' |
    sed -n 's/^ *"'"$1"'" *: *"\(.*\)" *$/\1/p' | sed -n "$(($2 + 1))p"
}

# need NAME VALUE: stops where a later request could not be made.
need() {
  [ -n "$2" ] && return 0
  printf 'STOP  the answer does not bring %s, which later requests need\n' "$1" >&2
  exit 4
}
`

const tokenFunction = String.raw`
# token URL: a token of client credentials.
token() {
  body=$(curl --silent --show-error --fail --proto '=http,https' "$1/oauth/token" \
    --data-urlencode 'grant_type=client_credentials' \
    --data-urlencode "client_id=\${CLIENT_ID:?say who you are: CLIENT_ID and CLIENT_SECRET}" \
    --data-urlencode "client_secret=\${CLIENT_SECRET:?say who you are: CLIENT_ID and CLIENT_SECRET}")
  text access_token 0
}
`.replaceAll(String.raw`\$`, '$')

/** In characters: a longer body goes through a file, since argument length is limited. */
const maxArgumentChars = 60_000

const secretVariable = '${CLIENT_SECRET:?say it: CLIENT_SECRET}'
const secretInForm = /(^|&)client_secret=[^&]*(&|$)/
const secretInJson = /("client_secret"\s*:\s*")[^"]*(?=")/

/** The body as curl arguments; the client secret of a token request becomes an environment variable. */
function dataArguments(body: string, { uses }: ScriptCall): readonly string[] {
  const form = secretInForm.exec(body)
  if (form) {
    const rest = body.replace(secretInForm, (_, before: string, behind: string) =>
      before !== '' && behind !== '' ? '&' : '',
    )
    return [
      ...(rest === '' ? [] : [`--data-raw ${withVariables(rest, uses)}`]),
      `--data-urlencode "client_secret=${secretVariable}"`,
    ]
  }
  const json = secretInJson.exec(body)
  if (!json) return [`--data-raw ${withVariables(body, uses)}`]
  const before = body.slice(0, json.index) + (json[1] ?? '')
  const behind = body.slice(json.index + json[0].length)
  return [
    `--data-raw ${withVariables(before, uses)}"${secretVariable}"${withVariables(behind, uses)}`,
  ]
}

function callLines(
  call: ScriptCall,
  failure: ScriptFailure | undefined,
  ids: readonly FreshId[],
): readonly string[] {
  const { exchange, place, pathAndQuery: rest, extracts: learns, token } = call
  const uses = [...call.uses, ...ids]
  const { method, body, wire: { base64 } = {} } = exchange.request
  const lines = [`# ${callTitle(call)}`]
  const signature = exchange.request.headers.find(([name]) =>
    signatureHeaders.includes(name.toLowerCase()),
  )
  const isSigned = failure !== undefined && signature !== undefined && body !== undefined
  if (isSignedRequest(exchange) && !isSigned)
    lines.push('# Its signature is left out: it was made of a secret and the time of sending.')
  const args: string[] = []
  if (base64 !== undefined) {
    lines.push(`printf '%s' ${shellQuoted(base64)} | base64 -d > "$scratch"`)
    args.push('--data-binary @"$scratch"')
  } else if (body !== undefined && body.length > maxArgumentChars) {
    lines.push(`printf '%s' ${withVariables(body, uses)} > "$scratch"`)
    args.push('--data-binary @"$scratch"')
  } else if (isSigned) {
    lines.push(`data=${withVariables(body, uses)}`)
    args.push('--data-raw "$data"')
    args.push(`--header "${signature[0]}: ${signCommand(...signature)}"`)
  } else if (body !== undefined) args.push(...dataArguments(body, { ...call, uses }))
  const headers = scriptHeaders(exchange)
  for (const [name, value] of headers) {
    const text = `${name}: ${value}`.replaceAll(/[\r\n\0]+/g, ' ')
    args.push(`--header ${withVariables(value === '' ? `${name};` : text, uses)}`)
  }
  if (
    (body ?? base64) !== undefined &&
    !headers.some(([name]) => name.toLowerCase() === 'content-type')
  )
    args.push(`--header 'Content-Type:'`)
  if (token !== undefined) {
    const header = `--header "Authorization: Bearer $${token}"`
    args.push(failure ? `\${${token}:+${header}}` : header)
  }
  const methodFlag = method.toUpperCase() === 'HEAD' ? '--head' : `--request ${shellQuoted(method)}`
  const url = `"$${place.variable}"${rest === '' ? '' : withVariables(rest, uses)}`
  const isAny = isAnswerUnknown(exchange) || (failure !== undefined && isTokenCall(exchange))
  const recorded = isAny ? 'any' : String(exchange.reply?.status ?? 0).padStart(3, '0')
  const expected = (failure && expectedStatus(failure, exchange)) ?? recorded
  lines.push(
    `call ${shellQuoted(callTitle(call))} ${expected} ${[methodFlag, ...args, url].join(' \\\n  ')}`,
  )
  for (const { name, key, place: occurrence } of learns) {
    lines.push(`${name}=$(text ${shellQuoted(key.replaceAll(/[^\w-]/g, '.'))} ${occurrence})`)
    // A service that checks no token need not issue one; one that does says so by 401.
    if (!failure || !isTokenCall(exchange)) lines.push(`need ${name} "$${name}"`)
  }
  return lines
}

interface ScriptInput {
  readonly plan: ScriptPlan
  readonly exchanges: readonly RecordedExchange[]
  readonly failure: ScriptFailure | undefined
}

/** What a script of a failure begins with: fresh ids, signatures, and answers to what the service calls. */
function failureLines(
  { exchanges, failure }: ScriptInput,
  ids: readonly FreshId[],
  { recording }: ExporterOptions,
): readonly string[] {
  const roles = new Set(
    exchanges.map(({ from }) => from).filter(({ party }) => party !== 'subject'),
  )
  const [us] = [...roles].map(({ role }) => role)
  const { clientId, clientSecret } = defaultClient(us ?? 'ordering-application')
  return [
    `: "\${CLIENT_ID:=${clientId}}" "\${CLIENT_SECRET:=${clientSecret}}" "\${WEBHOOK_SECRET:=secret}"`,
    signFunction,
    ...(failure?.kind === 'answer' && failure.status === 401
      ? []
      : ['# A service that does not take our credentials shows nothing.', 'stop_at=401', '']),
    ...(ids.length > 0 ? [...freshIdLines(ids), ''] : []),
    ...(needsAnswers(exchanges) && recording !== undefined
      ? answeringLines(shellQuoted(recording), ids)
      : []),
  ]
}

function scriptOf(input: ScriptInput, options: ExporterOptions): string {
  const { plan, failure } = input
  const { name, base } = options
  const ids = failure ? freshIds(input.exchanges) : []
  const title = name.replaceAll(/[^\x20-\x7E]+/g, ' ')
  const lines = [
    '#!/bin/sh',
    `# ${title}: ${plan.calls.length} recorded requests, to be sent again. Run it with: sh <this file>`,
    failure
      ? '# Ends with 1 while the failure shows, 0 when it does not, 4 when that cannot be said.'
      : '# Ends with 0 when every status is the recorded one, 1 when one differs, 4 when an id does not come.',
    '',
    ...plan.targets.flatMap((place) => targetLines(place, base)),
    '',
    preamble,
    ...(failure ? failureLines(input, ids, options) : []),
  ]
  if (plan.missingTokens.length > 0) {
    lines.push(tokenFunction)
    for (const { variable, place } of plan.missingTokens)
      lines.push(
        `: "\${${variable}:=$(token "$${place.variable}")}"`,
        ...(failure ? [] : [`need ${variable} "$${variable}"`]),
      )
    lines.push('')
  }
  for (const { number, because } of plan.skipped) {
    lines.push(`# ${number} is left out: ${because}.`)
    options.onLeftOut?.(because)
  }
  for (const call of plan.calls) lines.push(...callLines(call, failure, ids), '')
  lines.push(
    'if [ "$failed" -gt 0 ]; then',
    `  printf '%s of ${plan.calls.length} differ\\n' "$failed"`,
  )
  lines.push('  exit 1', 'fi', '')
  return lines.join('\n')
}

export function createCurlScriptExporter(options: ExporterOptions): Exporter {
  const exchanges: RecordedExchange[] = []
  let failure: ScriptFailure | undefined
  return {
    begin(header) {
      ;({ failure } = header._rec)
      return ''
    },
    exchange(exchange) {
      exchanges.push(exchange)
      return ''
    },
    end() {
      // What the service calls itself is not for a script to send.
      const sent = failure ? exchanges.filter(({ to }) => to.party === 'subject') : exchanges
      return scriptOf({ plan: planScript(sent), exchanges, failure }, options)
    },
  }
}
