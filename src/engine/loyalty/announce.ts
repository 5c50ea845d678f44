/**
 * Announcing a movement: every loyalty event is made whole here, once, with its id (C15, LOY-UND-06). Receivers know it
 * by that id, however often it comes.
 */
import type { LoyaltyEventType } from '../../protocol/loyalty/events.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'
import { available } from './account-record.ts'
import type { AccountRecord, CouponRecord } from './world.ts'

/** What an event says beside whose account it is, and what is left in it. */
export interface Said {
  readonly points?: number
  readonly orderId?: string | undefined
  readonly merchantId?: string | undefined
  readonly redemptionId?: string | undefined
  readonly coupon?: Pick<CouponRecord, 'id' | 'code' | 'status'> | undefined
  readonly reason?: string | undefined
}

function payloadOf(account: AccountRecord, said: Said): Readonly<Record<string, unknown>> {
  const { orderId, redemptionId, coupon, reason, points } = said
  return {
    customerId: account.customerId,
    programId: account.programId,
    accountId: account.id,
    ...(points === undefined ? {} : { points }),
    balance: available(account),
    pending: account.pending,
    ...(orderId === undefined ? {} : { orderId, relatedOrderId: orderId }),
    ...(redemptionId === undefined ? {} : { redemptionId }),
    ...(coupon
      ? { couponId: coupon.id, couponCode: coupon.code, couponStatus: coupon.status }
      : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** The fact of an event, told of an account as it is after the movement; none where Loyalty is switched off. */
export function announced(
  eventType: LoyaltyEventType,
  account: AccountRecord,
  said: Said,
  { settings, now, chance }: Context,
): readonly Fact[] {
  if (settings.switchedOff.has('loyalty')) return []
  const eventId = chance('loyalty.events').uuid()
  const occurredAt = isoOf(now)
  const payload = payloadOf(account, said)
  const { customerId, programId, id: accountId } = account
  const merchantId = said.merchantId ?? account.merchantId
  const body =
    settings.conduct.loyalty.eventBody === 'wrapped'
      ? { event: { eventId, eventType, entityType: 'loyalty', occurredAt, payload } }
      : { id: eventId, eventType, occurredAt, accountId, customerId, programId, payload }
  return [
    {
      kind: 'event.announced',
      event: {
        eventId,
        eventType,
        from: 'crm',
        to: 'ordering-application',
        operation: 'receiveLoyaltyEvent',
        entityId: said.coupon?.id ?? accountId,
        ...(said.orderId === undefined ? {} : { orderId: said.orderId }),
        ...(merchantId === undefined ? {} : { merchantId }),
        body,
      },
    },
  ]
}
