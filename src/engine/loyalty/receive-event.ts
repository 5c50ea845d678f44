/** Receives a loyalty event, deduplicated by its id (document 1, Events). */
import { compact } from '../../compact.ts'
import { readLoyaltyEvent } from '../../protocol/loyalty/event.ts'
import { ok } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { LoyaltyCommand } from './command.ts'

type ReceiveCommand = Extract<LoyaltyCommand, { kind: 'loyalty.notify' | 'reward.notify' }>

export function decideReceivedEvent(
  { kind, event }: ReceiveCommand,
  { world }: DecisionContext,
): Decision {
  const { key: eventId, eventType, accountId, orderId } = readLoyaltyEvent(event)
  const { host, guest } = world.loyalty
  if (kind === 'loyalty.notify')
    return ok([
      host.seenEvents.has(eventId)
        ? { kind: 'loyalty.event-repeated', eventId }
        : { kind: 'loyalty.event-heard', eventId, eventType },
    ])
  if (guest.seenEvents.has(eventId)) return ok([{ kind: 'reward.event-repeated', eventId }])
  return ok([
    {
      kind: 'reward.heard',
      eventId,
      eventType,
      ...compact({ accountId, orderId }),
    },
  ])
}
