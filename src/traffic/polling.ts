/** The operations by which events are fetched, and by which they are acknowledged, in both versions of the protocol. */
import type { Exchange } from './exchange.ts'

interface Called {
  readonly operation?: string | undefined
}

const polls: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
const acknowledgments: ReadonlySet<string> = new Set(['acknowledgeEvents', 'acknowledgeEventsV1'])

export const isPoll = ({ operation }: Called): boolean => polls.has(operation ?? '')

export const isAcknowledgment = ({ operation }: Called): boolean =>
  acknowledgments.has(operation ?? '')

/** Nothing at all, or a list of nothing. What is neither is an answer that somebody has to see. */
function isNothing(body: string): boolean {
  const text = body.trim()
  return text === '' || /^\[\s*\]$/.test(text)
}

/** A poll that was answered, and with nothing. */
export const isIdlePoll = (exchange: Exchange): boolean => {
  const { reply } = exchange
  if (!isPoll(exchange) || !reply) return false
  return reply.status >= 200 && reply.status < 300 && isNothing(reply.body ?? '')
}
