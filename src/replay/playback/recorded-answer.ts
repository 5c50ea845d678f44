/** Converts a recorded reply to a live response, and builds the 501 response to a call that is not in the recording. */
import { compact } from '../../core/base/compact.ts'
import type { AffectedEntities } from '../../core/engine/handler.ts'
import type { Exchange, ExchangeReply } from '../../core/traffic/exchange.ts'
import type { MatchExplanation } from '../difference/explain-match.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { replayableReplyHeaders } from '../../core/traffic/replayable-headers.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { OutgoingReply } from '../../core/runtime/server/messages.ts'

/** Joins repeated headers with commas (RFC 9110, 5.3). */
function headersOf({ headers }: ExchangeReply): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (key.startsWith(':')) continue
    const before = joined[key]
    joined[key] = before === undefined ? value : `${before}, ${value}`
  }
  return joined
}

/** Current ids of its order and events, for the traffic log. */
function currentIds(
  { orderId, eventIds }: RecordedExchange,
  { newName }: Pick<IdentifierBinding, 'newName'>,
): AffectedEntities | undefined {
  if (orderId === undefined && eventIds === undefined) return undefined
  return {
    ...(orderId === undefined ? {} : { orderId: newName('order', orderId) ?? orderId }),
    ...(eventIds ? { eventIds: eventIds.map((id) => newName('event', id) ?? id) } : {}),
  }
}

export function recordedAnswer(
  recorded: RecordedExchange,
  reply: ExchangeReply,
  binding: Pick<IdentifierBinding, 'newName'>,
): OutgoingReply {
  const { status, body, wire } = reply
  const trailers = replayableReplyHeaders(wire?.trailers ?? [])
  const about = currentIds(recorded, binding)
  return {
    status,
    headers: headersOf(reply),
    ...(body === undefined || status === 204 ? {} : { body }),
    ...(trailers.length > 0 ? { trailers } : {}),
    ...compact({ about }),
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' } as const

/** One near match, as shown in the response body. */
const candidateBody = ({
  recorded: { seq, operation, request, reply },
  because,
}: MatchExplanation['candidates'][number]) => ({
  exchange: seq,
  operation: operation ?? `${request.method} ${request.url}`,
  status: reply?.status ?? 0,
  because,
})

/** Default response to an unknown call: 501 with the reason and near matches. */
export function notRecordedAnswer(
  { request, operation }: Exchange,
  recording: string,
  explanation: MatchExplanation | undefined,
): OutgoingReply {
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, 200)
  const message = `${recording} has no answer to ${operation ?? request.method} ${path}`
  const error = {
    code: 'NOT_RECORDED',
    message,
    ...(explanation
      ? { help: explanation.help, candidates: explanation.candidates.map(candidateBody) }
      : {}),
  }
  return { status: 501, headers: json, body: JSON.stringify({ error }) }
}
