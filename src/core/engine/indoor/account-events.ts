/**
 * Pairs a fact of an account with the event that announces it (IND-EVR-02). The event id is drawn here, once; the
 * event goes to the Ordering Application's webhook. An event that the session omits is not announced and leaves
 * `lastEvent` unchanged.
 */
import { compact } from '../../base/compact.ts'
import type { AccountEventBody, AccountEventType } from '../../protocol/indoor/events.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { newEventId } from '../emitted-event.ts'
import { isoOf } from '../instant.ts'
import type { AccountFact } from './account-facts.ts'
import type { DiningAccountRecord } from './world.ts'

/** Event fields beside those that identify the account. */
interface EventDetails {
  readonly orderId?: string
  readonly paymentId?: string
  readonly documentId?: string
  readonly payload?: Readonly<Record<string, unknown>>
}

export type AccountIdentity = Pick<
  DiningAccountRecord,
  'accountId' | 'merchantId' | 'operationMode' | 'identifier'
>

type AnnouncedFact = Extract<AccountFact, { readonly lastEvent?: AccountEventType }>

const isOmitted = (eventType: AccountEventType, omitted: readonly AccountEventType[]): boolean =>
  omitted.includes(eventType)

export function withAccountEvent(
  fact: AnnouncedFact,
  eventType: AccountEventType | undefined,
  { accountId, merchantId, operationMode, identifier }: AccountIdentity,
  context: DecisionContext & { readonly details?: EventDetails },
): readonly Fact[] {
  const { usesAccountId, eventDetails, omittedEvents } = context.settings.conduct.indoor
  if (eventType === undefined || isOmitted(eventType, omittedEvents)) return [fact]
  const { payload, ...references } = context.details ?? {}
  const body: AccountEventBody = {
    eventId: newEventId(context.chance('indoor.events')),
    eventType,
    occurredAt: isoOf(context.now),
    ...(usesAccountId ? { accountId } : {}),
    merchantId,
    operationMode,
    identifier,
    ...references,
    ...(payload ? { [eventDetails]: payload } : {}),
  }
  return [
    { ...fact, lastEvent: eventType },
    {
      kind: 'event.announced',
      event: {
        eventId: body.eventId,
        eventType,
        from: 'software-service',
        to: 'ordering-application',
        operation: 'receiveAccountEvent',
        entityId: accountId,
        merchantId,
        ...compact({ orderId: references.orderId }),
        body,
      },
    },
  ]
}
