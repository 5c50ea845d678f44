/** Replies to calls of the service: as they were recorded, or that the recording has none. */
import { compact } from '../../core/base/compact.ts'
import type { AffectedEntities } from '../../core/engine/handler.ts'
import {
  headerFields,
  loggedBytes,
  type OutgoingReply,
} from '../../core/runtime/server/messages.ts'
import type { Exchange, ExchangeReply } from '../../core/traffic/exchange.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { displayPath, displayUrl } from '../../core/traffic/redaction/display.ts'
import { replayableReplyHeaders } from '../../core/traffic/replayable-headers.ts'
import type { MatchExplanation } from '../difference/explain-match.ts'

/** Current ids of its order and events, for the traffic log. */
function currentIds(
  { orderId, eventIds }: RecordedExchange,
  binding: Pick<IdentifierBinding, 'newName'>,
): AffectedEntities | undefined {
  if (orderId === undefined && eventIds === undefined) return undefined
  return {
    ...(orderId === undefined ? {} : { orderId: binding.newName('order', orderId) ?? orderId }),
    ...(eventIds ? { eventIds: eventIds.map((id) => binding.newName('event', id) ?? id) } : {}),
  }
}

/** Converts a recorded reply to a live response. */
export function recordedAnswer(
  recorded: RecordedExchange,
  reply: ExchangeReply,
  binding: Pick<IdentifierBinding, 'newName'>,
): OutgoingReply {
  const { status, body, wire } = reply
  const trailers = replayableReplyHeaders({ headers: wire?.trailers ?? [] })
  const about = currentIds(recorded, binding)
  const bytes = loggedBytes(reply)
  return {
    status,
    headers: headerFields(reply.headers),
    ...(status === 204 ? {} : compact({ body, bytes })),
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
  operation: operation ?? `${request.method} ${displayUrl(request.url)}`,
  status: reply?.status ?? 0,
  because,
})

/** Default response to an unknown call: 501 with the reason and near matches. */
export function notRecordedAnswer(
  { request, operation }: Exchange,
  recording: string,
  explanation: MatchExplanation | undefined,
): OutgoingReply {
  const path = displayPath(request.url).slice(0, 200)
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
