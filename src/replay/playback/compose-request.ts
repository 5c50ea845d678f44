/** Composes the request that is sent for a recorded one: addressed to the target, with our authorization, signed anew. */
import { joinUrl, pathBelow } from '../../core/base/join-url.ts'
import { compact } from '../../core/base/compact.ts'
import { type ExchangeRequest, headerValue } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import {
  joinedFields,
  loggedBytes,
  type OutboundRequest,
} from '../../core/runtime/server/messages.ts'
import { headerKind } from '../../core/traffic/redaction/headers.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import type { Operation } from '../../core/protocol/operation.ts'
import type { Settings } from '../../core/engine/settings.ts'
import { isRenewedHeader, replayableTrailers } from '../../core/traffic/replayable-headers.ts'
import {
  signatureFormOf,
  signBody,
  type SignedContent,
  signInForm,
} from '../../core/runtime/client/signature.ts'

const signatureHeader = 'x-app-signature'

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
  // Made anew.
  signatureHeader,
])

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
  body: SignedContent,
  { clients, conduct }: Settings,
): Readonly<Record<string, string>> {
  const { headers } = recorded.request
  const before = headerValue(headers, signatureHeader)
  if (before === undefined) return {}
  if (editedCredentials(recorded).has(signatureHeader)) return {}
  const row: Operation | undefined = recorded.operation && operation(recorded.operation)
  const receiver = clients.find(({ role }) => role === recorded.to.role)
  if (!receiver || (row && !row.webhook)) return {}
  // A service may take the encoding alone that it was sent.
  const form = signatureFormOf(before)
  return {
    [signatureHeader]: form
      ? signInForm(body, receiver.clientSecret, form)
      : signBody(body, receiver.clientSecret, conduct.signature),
  }
}

/** The same path and query under another base URL. */
function rebaseUrl(url: string, recordedBase: string | undefined, base: string): string {
  const below = recordedBase === undefined ? undefined : pathBelow(recordedBase, url)
  if (below !== undefined) return joinUrl(base, below)
  const { pathname, search } = new URL(url, 'http://nowhere.test')
  return joinUrl(base, pathname + search)
}

interface ComposeOptions {
  readonly settings: Settings
  /** Recorded base URL of the target. */
  readonly recordedBase: string | undefined
  /** Current base URL. */
  readonly base: string
  /** Run id for `X-Replay-Run`; no such headers when absent. */
  readonly runId?: string | undefined
}

/**
 * Composes the live request from a recorded one: addressed to the target, with our current authorization, signed anew.
 */
export function composeRequest(
  recorded: RecordedExchange,
  request: ExchangeRequest,
  authorization: string | undefined,
  { settings, recordedBase, base, runId }: ComposeOptions,
): OutboundRequest {
  const { method, url, body } = request
  const trailers = replayableTrailers(request)
  const headers = joinedFields(request.headers, (name) => !droppedHeaders.has(name))
  const bytes = loggedBytes(request)
  if (authorization !== undefined) headers['authorization'] = authorization
  const content = bytes ?? body
  if (content !== undefined) Object.assign(headers, signatureHeaders(recorded, content, settings))
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
    ...compact({ body, bytes }),
    ...(trailers.length > 0 ? { trailers } : {}),
  }
}

/** What is said of recorded signatures that are not sent: how to make them is not known. */
export function leftOutSignatures(exchanges: readonly RecordedExchange[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { request } of exchanges)
    for (const name of new Set(request.headers.map(([each]) => each.toLowerCase())))
      if (headerKind(name) === 'signature' && name !== signatureHeader)
        counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(
    counts,
    ([name, count]) =>
      `the header ${name} of ${pluralise(count, 'request')} is left out: how it is signed is not known`,
  )
}
