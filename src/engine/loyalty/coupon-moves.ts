/** Coupons as they are issued and moved, each movement announced by the table's event. */
import {
  couponOfReward,
  couponStep,
  type CouponTrigger,
  type CouponType,
} from '../../protocol/loyalty/coupon.ts'
import type { Reward } from '../../protocol/loyalty/program.ts'
import type { Ledger } from './ledger.ts'
import type { CouponRecord, RedemptionRecord } from './world.ts'

export interface CouponOrigin {
  readonly type?: CouponType
  readonly value?: number
  readonly reward?: Reward | undefined
  readonly redemption?: RedemptionRecord
}

/** Letters and digits that nobody mistakes for each other when a code is read aloud. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('')

function unusedCode({ context }: Ledger): string {
  const chance = context.chance('loyalty.coupons')
  const { couponIdByCode } = context.world.loyalty.host
  for (;;) {
    const code = Array.from({ length: 8 }, () => chance.pick(letters)).join('')
    if (!couponIdByCode.has(code)) return code
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** A new coupon: what a redemption bought, or what somebody gave. */
export function issueCoupon(
  accountId: string,
  { type, value, reward, redemption }: CouponOrigin,
  ledger: Ledger,
): CouponRecord {
  const { settings, now, chance } = ledger.context
  const { customerId, programId } = ledger.account(accountId)
  const { couponLife } = settings.conduct.loyalty
  const worth = value ?? numberOf(reward?.metadata?.['value'])
  const coupon: CouponRecord = {
    id: chance('loyalty.ids').uuid(),
    code: unusedCode(ledger),
    type: type ?? couponOfReward[reward?.type ?? 'generic'],
    status: 'available',
    accountId,
    customerId,
    programId,
    quantity: redemption?.quantity ?? 1,
    ...(reward ? { name: reward.name } : {}),
    ...(worth === undefined ? {} : { value: worth, currency: 'BRL' }),
    ...(redemption ? { redemptionId: redemption.id } : {}),
    ...(couponLife === 0 ? {} : { expiresAt: now + couponLife }),
    since: now,
    way: [{ status: 'available', at: now }],
  }
  ledger.write({ kind: 'loyalty.coupon-issued', coupon })
  return coupon
}

export interface CouponMove {
  readonly orderId?: string | undefined
  readonly reason?: string
}

/** Moves a coupon by its table; answers whether there was a row for that. */
export function moveCoupon(
  couponId: string,
  trigger: CouponTrigger,
  { orderId, reason }: CouponMove,
  ledger: Ledger,
): boolean {
  const coupon = ledger.coupon(couponId)
  const row = coupon && couponStep(coupon.status, trigger)
  if (!coupon || !row) return false
  ledger.write({
    kind: 'loyalty.coupon-moved',
    couponId,
    trigger,
    from: coupon.status,
    to: row.to,
    ...(orderId === undefined ? {} : { orderId }),
  })
  if (row.emits)
    ledger.announce(row.emits, coupon.accountId, {
      orderId: orderId ?? coupon.orderId,
      coupon: { ...coupon, status: row.to },
      redemptionId: coupon.redemptionId,
      reason,
    })
  return true
}
