/**
 * Pairs a fact of an account with the event that announces it (IND-EVR-02). The event id is drawn here, once; the
 * event goes to the Ordering Application's webhook. An event that the session omits is not announced and leaves
 * `lastEvent` unchanged.
 */
import { compact } from '../../compact.ts'
import type { AccountEvent, AccountEventType } from '../../protocol/indoor/events.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'
import type { AccountFact } from './fact.ts'
import type { AccountRecord } from './world.ts'

/** Event fields beside those that identify the account. */
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
        ...compact({ orderId: refers.orderId }),
        body,
      },
    },
  ]
}
