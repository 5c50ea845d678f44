/** Polling and acknowledging operations of both protocol versions, and idle polls. */
import { type Exchange, hasSucceeded } from './exchange.ts'

interface WithOperation {
  readonly operation?: string | undefined
}

const polls: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
const acknowledgments: ReadonlySet<string> = new Set(['acknowledgeEvents', 'acknowledgeEventsV1'])

export const isPollCall = ({ operation }: WithOperation): boolean => polls.has(operation ?? '')

export const isAcknowledgmentCall = ({ operation }: WithOperation): boolean =>
  acknowledgments.has(operation ?? '')

/** A poll that was answered with events. */
export const bringsEvents = (exchange: Pick<Exchange, 'operation' | 'eventIds'>): boolean =>
  isPollCall(exchange) && (exchange.eventIds?.length ?? 0) > 0

/** An empty body or an empty list. Any other body without events is unexpected and must stay visible. */
function isEmptyList(body: string): boolean {
  const text = body.trim()
  return text === '' || /^\[\s*\]$/.test(text)
}

/** A successful poll that returned no events. */
export const isIdlePoll = (exchange: Exchange): boolean =>
  isPollCall(exchange) && hasSucceeded(exchange.reply) && isEmptyList(exchange.reply?.body ?? '')
