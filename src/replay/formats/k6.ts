/**
 * Exports a HAR with the extensions of `har-to-k6`: each entry checks the recorded status, extracts the ids that later
 * requests need, and sleeps as long as the recording paused. `har-to-k6 lunch.har -o lunch.js` generates the k6 script.
 */
import { jsonPathOf } from '../../core/traffic/json/json-pointer.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { defineFormat, type Exporter, type ExporterOptions } from './format.ts'
import {
  splitAtVariables,
  planScript,
  type ScriptCall,
  scriptHeaders,
  callTitle,
} from './script-plan.ts'
import { headerValue, endOf } from '../../core/traffic/exchange.ts'

/** Enum values of har-to-k6 for checks and variables. */
const textCheck = 0
const statusSubject = 2
const equalsCondition = 2
const jsonPathVariable = 0

const withVariables = (text: string, uses: ScriptCall['uses']): string =>
  splitAtVariables(text, uses)
    .map((piece) => ('variable' in piece ? `\${${piece.variable}}` : piece.text))
    .join('')

/** Bounds of a pause in ms: shorter ones are noise, longer ones useless in a load test. */
const minSleepMs = 10
const maxSleepMs = 60_000

function entryOf(call: ScriptCall, next: ScriptCall | undefined, base: string | undefined): object {
  const { exchange, place, pathAndQuery: rest, extracts: learns, uses, token } = call
  const { request, reply } = exchange
  const url = `${base?.replace(/\/+$/, '') ?? place.origin}${withVariables(rest, uses)}`
  const type = headerValue(request.headers, 'content-type')
  const pause = next ? Math.round(next.exchange.startedAt - endOf(exchange)) : 0
  return {
    pageref: 'recording',
    comment: callTitle(call),
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: [
        ...scriptHeaders(exchange).map(([name, value]) => ({
          name,
          value: withVariables(value, uses),
        })),
        ...(token === undefined ? [] : [{ name: 'Authorization', value: `Bearer \${${token}}` }]),
      ],
      queryString: [],
      ...(request.body === undefined
        ? {}
        : {
            postData: { mimeType: type ?? 'text/plain', text: withVariables(request.body, uses) },
          }),
    },
    ...(reply
      ? {
          checks: [
            {
              type: textCheck,
              subject: statusSubject,
              condition: equalsCondition,
              value: String(reply.status),
            },
          ],
        }
      : {}),
    ...(learns.length > 0
      ? {
          variables: learns.map(({ name, steps }) => ({
            name,
            type: jsonPathVariable,
            expression: jsonPathOf(steps, 'this'),
          })),
        }
      : {}),
    ...(pause >= minSleepMs ? { sleep: [{ after: Math.min(pause, maxSleepMs) }] } : {}),
  }
}

/** A load test takes bodies as texts. */
const isBinary = ({ request }: RecordedExchange): boolean => request.wire?.base64 !== undefined

function createK6Exporter({ name, base, onLeftOut }: ExporterOptions): Exporter {
  const exchanges: RecordedExchange[] = []
  let creator = { name: 'sparring', version: '' }
  return {
    begin({ _rec: { tool } }) {
      const [by = 'sparring', version = ''] = tool.split('/')
      creator = { name: by, version }
      return ''
    },
    exchange(exchange) {
      exchanges.push(exchange)
      return ''
    },
    end() {
      // No call takes an id from the answer to one that is not sent.
      const { calls, skipped } = planScript(exchanges.filter((each) => !isBinary(each)))
      for (const { because } of skipped) onLeftOut?.(because)
      for (const _ of exchanges.filter(isBinary)) onLeftOut?.('its body is no text')
      const entries = calls.map((call, index) => entryOf(call, calls[index + 1], base))
      const pages = [{ id: 'recording', title: name }]
      return `${JSON.stringify({ log: { version: '1.2', creator, pages, entries } }, null, 2)}\n`
    },
  }
}

export const k6Format = defineFormat({
  name: 'k6',
  summary: 'HAR with checks, variables and pauses; har-to-k6 makes the k6 script of it',
  fileExtensions: [],
  maxExchanges: 10_000,
  exporter: createK6Exporter,
})
