/**
 * A fact of an account and the event that tells of it (IND-EVR-02): the event gets its id here, once, and goes to the
 * Ordering Application's webhook. One that the session leaves out is not told, and the account's lastEvent stays.
 */
import type { AccountEvent, AccountEventType } from '../../protocol/indoor/events.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'
import type { AccountFact } from './fact.ts'
import type { AccountRecord } from './world.ts'

/** What an event says besides its account. */
interface Details {
  readonly orderId?: string
  readonly paymentId?: string
  readonly documentId?: string
  readonly payload?: Readonly<Record<string, unknown>>
}

export type AccountNames = Pick<
  AccountRecord,
  'accountId' | 'merchantId' | 'operationMode' | 'identifier'
>

type Told = Extract<AccountFact, { readonly lastEvent?: AccountEventType }>

const isLeftOut = (eventType: AccountEventType, omitted: readonly AccountEventType[]): boolean =>
  omitted.includes(eventType)

export function told(
  fact: Told,
  eventType: AccountEventType | undefined,
  { accountId, merchantId, operationMode, identifier }: AccountNames,
  context: Context & { readonly details?: Details },
): readonly Fact[] {
  const { usesAccountId, eventDetails, omittedEvents } = context.settings.conduct.indoor
  if (eventType === undefined || isLeftOut(eventType, omittedEvents)) return [fact]
  const { payload, ...refers } = context.details ?? {}
  const body: AccountEvent = {
    eventId: context.chance('indoor.events').uuid(),
    eventType,
    occurredAt: isoOf(context.now),
    ...(usesAccountId ? { accountId } : {}),
    merchantId,
    operationMode,
    identifier,
    ...refers,
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
        ...(refers.orderId === undefined ? {} : { orderId: refers.orderId }),
        body,
      },
    },
  ]
}
