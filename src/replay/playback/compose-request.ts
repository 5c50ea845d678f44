/**
 * Composes the live request from a recorded one: addressed to the target, with our current authorization, signed anew.
 */
import { compact } from '../../core/base/compact.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import type { Operation } from '../../core/protocol/operation.ts'
import type { Settings } from '../../core/engine/settings.ts'
import { headerValue, type ExchangeRequest, type HeaderPairs } from '../../core/traffic/exchange.ts'
import { isRenewedHeader } from '../../core/traffic/replayable-headers.ts'
import { replayableRequestHeaders } from '../../core/traffic/replayable-headers.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { OutboundRequest } from '../../core/runtime/server/messages.ts'
import { signBody } from '../../core/runtime/client/signature.ts'

/** Headers not copied: those of one connection, and credentials that are obtained anew. */
const droppedHeaders: ReadonlySet<string> = new Set([
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

/** Joins repeated headers with commas (RFC 9110, 5.3). The signature is made anew. */
function headersOf(pairs: HeaderPairs): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    if (droppedHeaders.has(key) || key.startsWith(':') || key === signatureHeader) continue
    const before = headers[key]
    headers[key] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}

/** Credentials and signatures that were edited: they are sent as they are, or not at all when they were deleted. */
export const editedCredentials = ({
  edits = [],
}: RecordedExchange): ReadonlyMap<string, string | undefined> =>
  new Map(
    edits.flatMap(({ part, value }) =>
      part.kind === 'header' && isRenewedHeader(part.name)
        ? [[part.name.toLowerCase(), value]]
        : [],
    ),
  )

/** Signature headers for a webhook body, when the recorded request had them. */
export function signatureHeaders(
  recorded: RecordedExchange,
  body: string,
  { clients, conduct }: Settings,
): Readonly<Record<string, string>> {
  const { headers } = recorded.request
  if (headerValue(headers, signatureHeader) === undefined) return {}
  if (editedCredentials(recorded).has(signatureHeader)) return {}
  const row: Operation | undefined = recorded.operation && operation(recorded.operation)
  const receiver = clients.find(({ role }) => role === recorded.to.role)
  if (!receiver || (row && !row.webhook)) return {}
  return {
    ...(headerValue(headers, 'x-app-id') === undefined ? {} : { 'x-app-id': receiver.clientId }),
    [signatureHeader]: signBody(body, receiver.clientSecret, conduct.signature),
  }
}

/** The same path and query under another base URL. */
function rebaseUrl(url: string, recordedBase: string | undefined, base: string): string {
  const root = recordedBase?.replace(/\/+$/, '')
  if (root !== undefined && (url === root || /^[/?]/.test(url.slice(root.length))))
    if (url.startsWith(root)) return `${base}${url.slice(root.length)}`
  const { pathname, search } = new URL(url, 'http://nowhere.test')
  return `${base}${pathname}${search}`
}

export interface ComposeOptions {
  readonly settings: Settings
  /** Recorded base URL of the target. */
  readonly recordedBase: string | undefined
  /** Current base URL, without a trailing slash. */
  readonly base: string
  /** Run id for `X-Replay-Run`; no such headers when absent. */
  readonly runId?: string | undefined
}

export function composeRequest(
  recorded: RecordedExchange,
  request: ExchangeRequest,
  authorization: string | undefined,
  { settings, recordedBase, base, runId }: ComposeOptions,
): OutboundRequest {
  const { method, url, body, wire } = request
  const trailers = replayableRequestHeaders(wire?.trailers ?? [])
  const headers = headersOf(request.headers)
  if (authorization !== undefined) headers['authorization'] = authorization
  if (body !== undefined) Object.assign(headers, signatureHeaders(recorded, body, settings))
  for (const [name, value] of editedCredentials(recorded))
    if (value === undefined) delete headers[name]
    else headers[name] = value
  if (runId !== undefined) {
    headers['x-replay-run'] = runId
    headers['x-replay-of'] = recorded.recordId
  }
  return {
    method,
    url: rebaseUrl(url, recordedBase, base),
    headers,
    ...compact({ body }),
    ...(trailers.length > 0 ? { trailers } : {}),
  }
}
