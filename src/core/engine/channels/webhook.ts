/**
 * The webhook channel: sends events to their receiver, retries failures by the retry plan, and waits for the receiver's
 * manifest (ORD-CHN-01). It serves the events of every capability.
 */
import { webhookRetryPausesMs } from '../../protocol/conduct.ts'
import type { Role } from '../../protocol/role.ts'
import { webhookReadiness } from '../announcements/receiver.ts'
import type { DecisionContext } from '../decision.ts'
import type { Reactor } from '../engine.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import { isChannelExcluded } from '../orders/receiver.ts'
import type { Fact } from '../fact.ts'
import { type HandoverOptions, planHandovers } from './polling.ts'

const push = (eventId: string, attempt: number, afterMs: number): PlannedCommand => ({
  command: { kind: 'event.push', eventId, attempt },
  afterMs,
})

function firstAttempt(
  eventId: string,
  handover: HandoverOptions,
  { chance }: DecisionContext,
): readonly PlannedCommand[] {
  const stream = chance('webhook')
  return planHandovers(push(eventId, 1, handover.delayMs(stream)), handover, stream)
}

/** Sends the webhooks that waited for the manifest of this receiver, oldest first. */
function waitingWebhooks(
  { from, partner }: Extract<Fact, { kind: 'partner.accepted' | 'partner.restored' }>,
  { world: { ordering, announcements } }: DecisionContext,
): readonly PlannedCommand[] {
  const orders =
    from === 'ordering-application' && partner === 'software-service' ? [...ordering.waiting] : []
  const others = [...announcements.waiting].filter(([eventId]) => {
    const event = announcements.events.get(eventId)
    return event?.from === from && event.to === partner
  })
  return [...orders, ...others].map(([eventId, attempt]) => push(eventId, attempt, 0))
}

export const webhookReactor =
  (handoverOf: (role: Role) => HandoverOptions): Reactor =>
  (fact, context) => {
    const { world, settings } = context
    switch (fact.kind) {
      case 'event.emitted':
        return settings.channels.webhook && !isChannelExcluded('webhook', world)
          ? firstAttempt(fact.event.eventId, handoverOf('ordering-application'), context)
          : []
      case 'event.announced':
        return webhookReadiness(fact.event, world) === 'never'
          ? []
          : firstAttempt(fact.event.eventId, handoverOf(fact.event.from), context)
      case 'event.push-failed': {
        if (!fact.retry) return []
        const pause = webhookRetryPausesMs(settings.conduct.webhookRetry)[fact.attempt - 1] ?? 0
        const { eventId, attempt, requestId } = fact
        return [
          {
            command: { kind: 'event.push', eventId, attempt: attempt + 1, requestId },
            afterMs: Math.max(pause, fact.retryAfterMs ?? 0),
          },
        ]
      }
      case 'partner.accepted':
      case 'partner.restored':
        return waitingWebhooks(fact, context)
      default:
        return []
    }
  }
