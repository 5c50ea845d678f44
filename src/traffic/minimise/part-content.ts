/** A part of a recording as a recording: fewer exchanges, possibly smaller bodies. */
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { RecordingContent } from '../recording/content.ts'
import type { PartEnvironment } from './environment.ts'
import type { Lanes } from './lanes.ts'
import type { RecordingPart } from './trial.ts'

/** The partner's body in an exchange, which may be shrunk. The subject's is only compared. */
export const partnerBody = ({ from, request, reply }: RecordedExchange): string | undefined =>
  from.party === 'subject' ? reply?.body : request.body

function withBody(exchange: RecordedExchange, body: string | undefined): RecordedExchange {
  if (body === undefined) return exchange
  const { from, request, reply } = exchange
  if (from.party !== 'subject') return { ...exchange, request: { ...request, body } }
  return reply ? { ...exchange, reply: { ...reply, body } } : exchange
}

export interface PartContext {
  readonly environment: PartEnvironment
  readonly lanes: Lanes
}

export function extractPart(
  content: RecordingContent,
  part: RecordingPart,
  context: PartContext,
): RecordingContent {
  const { bodies, lanes } = part
  const left = context.environment(part)
  return {
    ...content,
    exchanges: content.exchanges
      .filter(({ recordId }) => left.has(recordId))
      .flatMap((exchange) => (lanes ? (context.lanes.narrow(exchange, lanes) ?? []) : exchange))
      .map((exchange) => withBody(exchange, bodies.get(exchange.recordId))),
  }
}
