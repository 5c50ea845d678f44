/**
 * The webhook channel: an event that was emitted is sent to its receiver, again by the retry plan when it is not taken,
 * and not before the receiver's manifest is known (ORD-CHN-01).
 */
import { retryPauses } from '../protocol/conduct.ts'
import type { Reactor } from '../engine/engine.ts'
import { rulesOut } from '../engine/orders/receiver.ts'
import { type Handover, handovers } from './polling.ts'

export const webhook =
  (handover: Handover): Reactor =>
  (fact, { world, settings, chance }) => {
    if (!settings.channels.webhook) return []
    switch (fact.kind) {
      case 'event.emitted': {
        if (rulesOut('webhook', world)) return []
        const stream = chance('webhook')
        const { eventId } = fact.event
        return handovers(
          {
            command: { kind: 'event.push', eventId, attempt: 1 },
            afterMs: handover.delayMs(stream),
          },
          handover,
          stream,
        )
      }
      case 'event.push-failed': {
        if (!fact.retry) return []
        const pause = retryPauses(settings.conduct.webhookRetry)[fact.attempt - 1] ?? 0
        const { eventId, attempt, requestId } = fact
        return [
          {
            command: { kind: 'event.push', eventId, attempt: attempt + 1, requestId },
            afterMs: Math.max(pause, fact.retryAfterMs ?? 0),
          },
        ]
      }
      case 'partner.accepted':
        return fact.from === 'ordering-application' && fact.partner === 'software-service'
          ? Array.from(world.ordering.waiting, ([eventId, attempt]) => ({
              command: { kind: 'event.push', eventId, attempt } as const,
              afterMs: 0,
            }))
          : []
      default:
        return []
    }
  }
