/** Composes the request that is sent for a recorded one: addressed to the target, with our authorization, signed anew. */
import { joinUrl, pathBelow } from '../../core/base/join-url.ts'
import { compact } from '../../core/base/compact.ts'
import { type ExchangeRequest, headerValue } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import {
  joinedFields,
  loggedBytes,
  type OutboundRequest,
} from '../../core/runtime/server/messages.ts'
import { refusesSignature } from '../minimise/judge-exchange.ts'
import { headerKind } from '../../core/traffic/redaction/headers.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import type { Settings } from '../../core/engine/settings.ts'
import { isRenewedHeader, replayableTrailers } from '../../core/traffic/replayable-headers.ts'
import { lookOf, signatureHeader, type SignedParts } from '../../core/runtime/client/signature.ts'
import { signerOf } from '../../core/runtime/client/token-request.ts'
import {
  formOfHeader,
  type SignatureForm,
  signatureFormOf,
  signatureHeaders,
} from '../../core/protocol/signature.ts'

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
  ...signatureHeaders,
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

/** In which form a recorded request is signed: that of this session, written as the recorded one. */
function recordedForm(
  { request: { headers } }: RecordedExchange,
  { conduct }: Settings,
): SignatureForm | undefined {
  const own = signatureFormOf(conduct)
  const name = signatureHeaders.find((each) => headerValue(headers, each) !== undefined)
  if (name === undefined) return undefined
  const form = own?.header.toLowerCase() === name ? own : formOfHeader(name)
  // A service may take the encoding alone that it was sent.
  return form && { ...form, ...lookOf(headerValue(headers, name) ?? '', form) }
}

/** The signature header of a request, when the recorded one had one; one that was refused stays as it was. */
export function signedAnew(
  recorded: RecordedExchange,
  parts: SignedParts,
  settings: Settings,
): Readonly<Record<string, string>> {
  const form = recordedForm(recorded, settings)
  if (!form || editedCredentials(recorded).has(form.header.toLowerCase())) return {}
  const old = headerValue(recorded.request.headers, form.header)
  if (old !== undefined && refusesSignature(recorded)) return { [form.header.toLowerCase()]: old }
  const { from, to, operation: id } = recorded
  const signer = id
    ? signerOf({ from: from.role, to: to.role, operation: id }, settings)
    : settings.clients.find(({ role }) => role === to.role)
  return signer ? signatureHeader(parts, signer.clientSecret, form) : {}
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
  const { method, body } = request
  const url = rebaseUrl(request.url, recordedBase, base)
  const trailers = replayableTrailers(request)
  const headers = joinedFields(request.headers, (name) => !droppedHeaders.has(name))
  const bytes = loggedBytes(request)
  if (authorization !== undefined) headers['authorization'] = authorization
  Object.assign(headers, signedAnew(recorded, { url, body: bytes ?? body ?? '' }, settings))
  for (const [name, value] of editedCredentials(recorded))
    if (value === undefined) delete headers[name]
    else headers[name] = value
  if (runId !== undefined) {
    headers['x-replay-run'] = runId
    headers['x-replay-of'] = recorded.recordId
  }
  return {
    method,
    url,
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
      if (headerKind(name) === 'signature' && !signatureHeaders.includes(name))
        counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(
    counts,
    ([name, count]) =>
      `the header ${name} of ${pluralise(count, 'request')} is left out: how it is signed is not known`,
  )
}
