/** Issues coupons and moves their status, announcing the event that the lifecycle table names. */
import { compact } from '../../base/compact.ts'
import {
  couponTypeOfReward,
  couponStep,
  type CouponTrigger,
  type CouponType,
} from '../../protocol/loyalty/coupon.ts'
import type { Reward } from '../../protocol/loyalty/program.ts'
import type { LoyaltyLedger } from './ledger.ts'
import type { CouponRecord, RedemptionRecord } from './world.ts'

export interface CouponOrigin {
  readonly type?: CouponType
  readonly value?: number
  readonly reward?: Reward | undefined
  readonly redemption?: RedemptionRecord
}

/** Alphabet of coupon codes, without characters that are easily confused. */
const codeCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('')

function unusedCode({ context }: LoyaltyLedger): string {
  const chance = context.chance('loyalty.coupons')
  const { couponIdByCode } = context.world.loyalty.host
  for (;;) {
    const code = Array.from({ length: 8 }, () => chance.pick(codeCharacters)).join('')
    if (!couponIdByCode.has(code)) return code
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** Issues a coupon from a redemption or as a grant. */
export function issueCoupon(
  accountId: string,
  { type, value, reward, redemption }: CouponOrigin,
  ledger: LoyaltyLedger,
): CouponRecord {
  const { settings, now, chance } = ledger.context
  const { customerId, programId } = ledger.account(accountId)
  const { couponLife } = settings.conduct.loyalty
  const couponValue = value ?? numberOf(reward?.metadata?.['value'])
  const coupon: CouponRecord = {
    id: chance('loyalty.ids').uuid(),
    code: unusedCode(ledger),
    type: type ?? couponTypeOfReward[reward?.type ?? 'generic'],
    status: 'available',
    accountId,
    customerId,
    programId,
    quantity: redemption?.quantity ?? 1,
    ...(reward ? { name: reward.name } : {}),
    ...(couponValue === undefined ? {} : { value: couponValue, currency: 'BRL' }),
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

/** Moves a coupon by its lifecycle; false if the lifecycle has no such transition. */
export function moveCoupon(
  couponId: string,
  trigger: CouponTrigger,
  { orderId, reason }: CouponMove,
  ledger: LoyaltyLedger,
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
    ...compact({ orderId }),
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
