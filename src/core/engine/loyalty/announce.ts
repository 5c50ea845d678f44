/**
 * Announces a movement: each loyalty event is built here once, with its id, by which receivers deduplicate retries
 * (C15, LOY-UND-06).
 */
import { compact } from '../../base/compact.ts'
import type { LoyaltyEventType } from '../../protocol/loyalty/events.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { newEventId } from '../event-id.ts'
import { isoOf } from '../instant.ts'
import { availablePoints } from './reduce-account.ts'
import type { LoyaltyAccountRecord, CouponRecord } from './world.ts'

/** Optional details of an event, besides account and balance. */
export interface LoyaltyEventDetails {
  readonly points?: number
  readonly orderId?: string | undefined
  readonly merchantId?: string | undefined
  readonly redemptionId?: string | undefined
  readonly coupon?: Pick<CouponRecord, 'id' | 'code' | 'status'> | undefined
  readonly reason?: string | undefined
}

function payloadOf(
  account: LoyaltyAccountRecord,
  details: LoyaltyEventDetails,
): Readonly<Record<string, unknown>> {
  const { orderId, redemptionId, coupon, reason, points } = details
  return {
    customerId: account.customerId,
    programId: account.programId,
    accountId: account.id,
    ...compact({ points }),
    balance: availablePoints(account),
    pending: account.pending,
    ...(orderId === undefined ? {} : { orderId, relatedOrderId: orderId }),
    ...compact({ redemptionId }),
    ...(coupon
      ? { couponId: coupon.id, couponCode: coupon.code, couponStatus: coupon.status }
      : {}),
    ...compact({ reason }),
  }
}

const operation = 'receiveLoyaltyEvent'

/**
 * The fact of an event, with the account as it is after the movement; none if Loyalty is switched off, or the partner has no
 * name for such events.
 */
export function announceLoyaltyEvent(
  eventType: LoyaltyEventType,
  account: LoyaltyAccountRecord,
  details: LoyaltyEventDetails,
  { settings, now, chance }: DecisionContext,
): readonly Fact[] {
  const isNamed = bodyTranslator(settings.conduct)?.hasWord(operation, 'eventType', eventType)
  if (settings.switchedOff.has('loyalty') || isNamed === false) return []
  const eventId = newEventId(chance('loyalty.events'))
  const occurredAt = isoOf(now)
  const payload = payloadOf(account, details)
  const { customerId, programId, id: accountId } = account
  const merchantId = details.merchantId ?? account.merchantId
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
        operation,
        entityId: details.coupon?.id ?? accountId,
        ...compact({ orderId: details.orderId, merchantId }),
        body,
      },
    },
  ]
}
