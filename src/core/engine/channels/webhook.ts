/**
 * The webhook channel: sends events to their receiver, retries failures by the retry plan, and waits for the receiver's
 * manifest (ORD-CHN-01). It serves the events of every capability.
 */
import { webhookRetryPausesMs } from '../../protocol/conduct.ts'
import type { Role } from '../../protocol/role.ts'
import {
  type Announcement,
  orderWebhook,
  untroubled,
  webhookKey,
} from '../announcements/announcement.ts'
import { webhookReadiness } from '../announcements/receiver.ts'
import type { DecisionContext } from '../decision.ts'
import type { Reactor } from '../engine.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import { isChannelExcluded } from '../orders/receiver.ts'
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

/** Sends the webhooks that waited and are meant: those of Orders first, then others, oldest first. */
function waitingWebhooks(
  isMeant: (event: Pick<Announcement, 'from' | 'to' | 'operation'>) => boolean,
  { world: { ordering, announcements } }: DecisionContext,
): readonly PlannedCommand[] {
  const others = [...announcements.waiting].filter(([eventId]) => {
    const event = announcements.events.get(eventId)
    return event !== undefined && isMeant(event)
  })
  return [...(isMeant(orderWebhook) ? ordering.waiting : []), ...others].map(([eventId, attempt]) =>
    push(eventId, attempt, 0),
  )
}

/** An endpoint that has failed too often in a row is switched off. */
function switchedOff(eventId: string, context: DecisionContext): readonly PlannedCommand[] {
  const { world, settings } = context
  const { events, endpoints } = world.announcements
  const webhook = webhookKey(events.get(eventId))
  const { failures, isOff } = endpoints.get(webhook) ?? untroubled
  const limit = settings.conduct.webhookDisableAfter
  return limit === undefined || failures < limit || isOff
    ? []
    : [{ command: { kind: 'webhook.disable', webhook }, afterMs: 0 }]
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
        const off = switchedOff(fact.eventId, context)
        if (!fact.retry) return off
        const pause = webhookRetryPausesMs(settings.conduct.webhookRetry)[fact.attempt - 1] ?? 0
        const { eventId, attempt, requestId } = fact
        return [
          ...off,
          {
            command: { kind: 'event.push', eventId, attempt: attempt + 1, requestId },
            afterMs: Math.max(pause, fact.retryAfterMs ?? 0),
          },
        ]
      }
      case 'webhook.disabled': {
        const afterMs = settings.conduct.webhookEnableAfter
        const { webhook } = fact
        return afterMs === undefined
          ? []
          : [{ command: { kind: 'webhook.enable', webhook }, afterMs, background: true }]
      }
      case 'webhook.enabled':
        return waitingWebhooks((event) => webhookKey(event) === fact.webhook, context)
      case 'partner.accepted':
      case 'partner.restored':
        return waitingWebhooks(({ from, to }) => from === fact.from && to === fact.partner, context)
      default:
        return []
    }
  }
