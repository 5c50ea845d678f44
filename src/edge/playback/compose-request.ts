/** A recorded request as it goes out now: to the target, under its own name for us, signed anew. */
import { operation } from '../../protocol/catalogue.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { Settings } from '../../engine/settings.ts'
import type { ExchangeRequest, HeaderPairs } from '../../traffic/exchange.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import { headerOf, type OutboundRequest } from '../server/messages.ts'
import { sign } from '../client/signature.ts'

/** Headers that belong to one connection, or open doors that are opened anew. */
const left: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-replay-of',
  'x-replay-run',
])

const signatureHeader = 'x-app-signature'

/** Several of one name are one with commas between them (RFC 9110, 5.3). The signature is made anew. */
function headersOf(pairs: HeaderPairs): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    if (left.has(key) || key.startsWith(':') || key === signatureHeader) continue
    const before = headers[key]
    headers[key] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}

/** The signature of a webhook's body, where the recorded one had any. */
export function signatureOf(
  recorded: RecordedExchange,
  body: string,
  { clients, conduct }: Settings,
): Readonly<Record<string, string>> {
  const { headers } = recorded.request
  if (headerOf(headers, signatureHeader) === undefined) return {}
  const row: Operation | undefined = recorded.operation && operation(recorded.operation)
  const receiver = clients.find(({ role }) => role === recorded.to.role)
  if (!receiver || (row && !row.webhook)) return {}
  return {
    ...(headerOf(headers, 'x-app-id') === undefined ? {} : { 'x-app-id': receiver.clientId }),
    [signatureHeader]: sign(body, receiver.clientSecret, conduct.signature),
  }
}

/** The same path and query, elsewhere. */
function elsewhere(url: string, was: string | undefined, base: string): string {
  const root = was?.replace(/\/+$/, '')
  if (root !== undefined && (url === root || /^[/?]/.test(url.slice(root.length))))
    if (url.startsWith(root)) return `${base}${url.slice(root.length)}`
  const { pathname, search } = new URL(url, 'http://nowhere.test')
  return `${base}${pathname}${search}`
}

export interface ComposeOptions {
  readonly settings: Settings
  /** Where the target was when it was recorded, as the recording says. */
  readonly was: string | undefined
  /** Where it is now, without a slash at the end. */
  readonly base: string
  /** What this run is called in `X-Replay-Run`; no such headers when absent. */
  readonly run?: string | undefined
}

export function compose(
  recorded: RecordedExchange,
  request: ExchangeRequest,
  authorization: string | undefined,
  { settings, was, base, run }: ComposeOptions,
): OutboundRequest {
  const { method, url, body } = request
  const headers = headersOf(request.headers)
  if (authorization !== undefined) headers['authorization'] = authorization
  if (body !== undefined) Object.assign(headers, signatureOf(recorded, body, settings))
  if (run !== undefined) {
    headers['x-replay-run'] = run
    headers['x-replay-of'] = recorded.recordId
  }
  return {
    method,
    url: elsewhere(url, was, base),
    headers,
    ...(body === undefined ? {} : { body }),
  }
}
