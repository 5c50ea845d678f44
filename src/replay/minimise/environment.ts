/**
 * The environment of a part of a recording: the recorded calls of the subject, whose answers it receives. They are kept
 * as long as what they come of is kept.
 */
import { compact } from '../../core/base/compact.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { Lanes } from './lanes.ts'
import type { MinimiseOptions, RecordingPart } from './minimise-options.ts'

export type EnvironmentOptions = Pick<
  MinimiseOptions,
  'exchanges' | 'drives' | 'causes' | 'lanesOf'
>

/** The kept exchanges, and the environment that is left of them. */
export type PartEnvironment = (
  part: Pick<RecordingPart, 'kept' | 'lanes' | 'answers'>,
) => ReadonlySet<string>

const isIdlePoll = (exchange: RecordedExchange): boolean =>
  isPollCall(exchange) && (exchange.eventIds ?? []).length === 0

/** By the exchanges that are kept: these and their environment, in the recorded order. */
export function createEnvironment({
  exchanges,
  drives,
  causes,
  lanesOf,
}: EnvironmentOptions): PartEnvironment {
  const candidates = exchanges.filter(
    (each) => drives.has(each.recordId) || (each.from.party === 'subject' && !isIdlePoll(each)),
  )
  const known = new Set(exchanges.map(({ recordId }) => recordId))
  return ({ kept, lanes, answers }) => {
    const left = new Set<string>()
    const isForeign = (exchange: RecordedExchange): boolean => {
      const own = lanes ? lanesOf(exchange) : []
      return own.length > 0 && !own.some((lane) => lanes?.has(lane))
    }
    for (const exchange of candidates) {
      const { recordId } = exchange
      const stays = drives.has(recordId)
        ? kept.has(recordId)
        : !isForeign(exchange) && causes(recordId).every(({ id }) => !known.has(id) || left.has(id))
      if (stays) left.add(recordId)
    }
    // Which of them are asked for is only known of the whole environment.
    return answers ? new Set([...left].filter((id) => kept.has(id) || answers.has(id))) : left
  }
}

/** The partner's body in an exchange, which may be shrunk. The subject's is only compared. */
export const partnerBody = ({ from, request, reply }: RecordedExchange): string | undefined =>
  from.party === 'subject' ? reply?.body : request.body

function withBody(exchange: RecordedExchange, body: string | undefined): RecordedExchange {
  if (body === undefined) return exchange
  const { from, request, reply } = exchange
  if (from.party !== 'subject') return { ...exchange, request: { ...request, body } }
  return reply ? { ...exchange, reply: { ...reply, body } } : exchange
}

interface PartContext {
  readonly environment: PartEnvironment
  readonly lanes: Lanes
}

/** A part of a recording as a recording: fewer exchanges, possibly smaller bodies. */
export function extractPart(
  content: RecordingContent,
  part: RecordingPart,
  context: PartContext,
): RecordingContent {
  const { bodies, lanes, spared } = part
  const left = context.environment(part)
  return {
    ...content,
    exchanges: content.exchanges
      .filter(({ recordId }) => left.has(recordId))
      .flatMap((exchange) => (lanes ? (context.lanes.narrow(exchange, lanes) ?? []) : exchange))
      .map((exchange) => withBody(exchange, bodies.get(exchange.recordId)))
      .map(({ fault, ...exchange }) => ({
        ...exchange,
        ...(spared?.has(exchange.recordId) ? {} : compact({ fault })),
      })),
  }
}
