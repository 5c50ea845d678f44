/** Entity views of loyalty accounts and coupons: rows, and one in detail with its moves. */
import { compact } from '../base/compact.ts'
import { findCustomer } from '../engine/customer/store.ts'
import { availablePoints } from '../engine/loyalty/reduce-account.ts'
import { accountInProgram } from '../engine/loyalty/find.ts'
import { loyaltyAccountView, couponView } from '../engine/loyalty/views.ts'
import type { LoyaltyAccountRecord, CouponRecord } from '../engine/loyalty/world.ts'
import type { World } from '../engine/world.ts'
import {
  type AccountControl,
  accountControls,
  loyaltyAccountStep,
  type EnrolledMay,
  isPermitted,
} from '../protocol/loyalty/account-lifecycle.ts'
import {
  couponLifecycle,
  couponStep,
  type CouponTrigger,
  couponTriggers,
  isCouponUse,
} from '../protocol/loyalty/coupon.ts'
import { forcedIf, type ViewContext, viewOf } from './entity-view.ts'
import type { Move, EntityRow } from '../session-api/entities.ts'

/** Session setting: what an ENROLLED account may do. */
const enrolledMay = ({ settings }: ViewContext): EnrolledMay => settings.conduct.loyalty.enrolledMay

/** Display name of a customer: the name in the CRM, or the id. */
function nameOf(customerId: string, world: World): string {
  const known = findCustomer({ id: customerId }, 'ordering-application', world.customer.crm)
  const name = known?.document.fields['name']
  return typeof name === 'string' ? name : customerId
}

const accountRow = (account: LoyaltyAccountRecord, world: World): EntityRow => {
  const { id, customerId, programId, merchantId, status, since, pending } = account
  return {
    kind: 'loyalty-account',
    id,
    label: nameOf(customerId, world),
    status,
    text: `${availablePoints(account)} points${pending === 0 ? '' : `, ${pending} pending`} in ${programId}`,
    since,
    ...compact({ merchant: merchantId }),
  }
}

const targetByControl: Readonly<Record<AccountControl, string>> = {
  suspension: 'SUSPENDED',
  reactivation: 'ACTIVE',
}

/** Points added or removed per key press. */
const pointsPerKey = 50

function accountMoves(
  account: LoyaltyAccountRecord,
  world: World,
  scene: ViewContext,
): readonly Move[] {
  const { id: accountId, status } = account
  const left = availablePoints(account)
  const maxTake = left === 0 ? pointsPerKey : Math.min(pointsPerKey, left)
  const controls = accountControls.map((trigger): Move => {
    const row = loyaltyAccountStep(status, trigger)
    return forcedIf(row ? undefined : `no ${trigger} from ${status}`, {
      trigger,
      to: row?.to ?? targetByControl[trigger],
      by: 'crm',
      command: { kind: 'loyalty.move-account', accountId, trigger },
    })
  })
  const suspended = status === 'SUSPENDED' ? { invalid: 'the account is SUSPENDED' } : {}
  const short = left === 0 ? { invalid: 'no points are available' } : {}
  const same = { to: status, by: 'crm' } as const
  const points: readonly Move[] = [
    {
      ...same,
      ...suspended,
      trigger: `give ${pointsPerKey} points`,
      command: { kind: 'loyalty.adjust', accountId, points: pointsPerKey },
    },
    {
      ...same,
      ...short,
      ...suspended,
      trigger: `take ${maxTake} points`,
      command: { kind: 'loyalty.adjust', accountId, points: -maxTake },
    },
    { ...same, ...short, trigger: 'expire points', command: { kind: 'loyalty.expire', accountId } },
    {
      ...same,
      trigger: 'grant coupon',
      command: { kind: 'loyalty.grant-coupon', accountId, type: 'discount', value: 10 },
    },
  ]
  return [
    ...controls,
    ...points,
    ...redemptions(account, enrolledMay(scene), world),
    ...enrollments(account, world),
  ]
}

/** Maximum rewards, and maximum programs, offered as moves. */
const maxOffers = 5

/** Redemption moves: the rewards of the account's program. */
function redemptions(
  account: LoyaltyAccountRecord,
  may: EnrolledMay,
  { loyalty }: World,
): readonly Move[] {
  const { id: accountId, programId, status } = account
  const rewards = [...loyalty.host.rewards.values()].filter((each) => each.programId === programId)
  return rewards.slice(0, maxOffers).map(({ id: rewardId, name, cost, available: isThere }) => ({
    trigger: `redeem ${name}`,
    to: status,
    by: 'ordering-application' as const,
    command: { kind: 'loyalty.redeem', request: { accountId, rewardId } },
    ...(cost > availablePoints(account) ? { invalid: `${cost} points are needed` } : {}),
    ...(isThere === false ? { invalid: 'the reward is not available now' } : {}),
    ...(isPermitted(status, 'redeem', may) ? {} : { invalid: `the account is ${status}` }),
  }))
}

/** Enrollment moves: programs that the customer has not joined. */
function enrollments({ customerId }: LoyaltyAccountRecord, world: World): readonly Move[] {
  const others = [...world.loyalty.host.programs.values()].filter(
    ({ id }) => accountInProgram(customerId, id, world) === undefined,
  )
  return others.slice(0, maxOffers).map(({ id: programId, name }) => ({
    trigger: `enroll in ${name}`,
    to: 'ENROLLED',
    by: 'crm',
    command: { kind: 'loyalty.enroll', customerId, programId },
  }))
}

export const loyaltyAccountEntities = viewOf({
  records: ({ loyalty }) => loyalty.host.accounts,
  row: accountRow,
  rest: (account, world, scene) => ({
    statusHistory: account.way,
    regularStatuses: ['ENROLLED', 'ACTIVE'],
    moves: accountMoves(account, world, scene),
    document: loyaltyAccountView(account),
  }),
})

function couponRow(coupon: CouponRecord, world: World): EntityRow {
  const { id, code, status, type, name, value, currency, customerId, since, orderId } = coupon
  const worth = value === undefined ? '' : ` ${currency} ${value.toFixed(2)}`
  return {
    kind: 'coupon',
    id,
    label: code,
    status,
    text: `${name ?? type}${worth} for ${nameOf(customerId, world)}`,
    since,
    ...compact({ orderId }),
  }
}

const goalOf = (trigger: CouponTrigger): string =>
  couponLifecycle.find((row) => row.trigger === trigger)?.to ?? ''

/** Order id for a coupon that the operator applies without an order. */
const counterOrder = 'at-the-counter'

function couponMove(
  { id: couponId, status, orderId, accountId }: CouponRecord,
  trigger: CouponTrigger,
  { loyalty }: World,
  may: EnrolledMay,
): Move {
  const row = couponStep(status, trigger)
  const accountStatus = loyalty.host.accounts.get(accountId)?.status
  const isBarred =
    accountStatus !== undefined &&
    isCouponUse(trigger) &&
    !isPermitted(accountStatus, 'use-coupon', may)
  const command = {
    kind: 'loyalty.move-coupon',
    couponId,
    trigger,
    ...(trigger === 'apply' ? { orderId: orderId ?? counterOrder } : {}),
  } as const
  const barred = isBarred ? `the account is ${accountStatus}` : undefined
  return forcedIf(row ? barred : `no ${trigger} from ${status}`, {
    trigger,
    to: row?.to ?? goalOf(trigger),
    by: trigger === 'apply' || trigger === 'use' ? 'ordering-application' : 'crm',
    command,
  })
}

/** Reversal of a completed redemption, with its points and coupon, until the coupon is used. */
function reversal({ redemptionId, status }: CouponRecord, { loyalty }: World): readonly Move[] {
  const redemption = loyalty.host.redemptions.get(redemptionId ?? '')
  if (redemption?.status !== 'COMPLETED') return []
  return [
    {
      trigger: 'reverse redemption',
      to: 'cancelled',
      by: 'crm',
      command: { kind: 'loyalty.reverse-redemption', redemptionId: redemption.id },
      ...(status === 'used' ? { invalid: 'the coupon is used' } : {}),
    },
  ]
}

export const couponEntities = viewOf({
  records: ({ loyalty }) => loyalty.host.coupons,
  row: couponRow,
  rest: (coupon, world, scene) => ({
    statusHistory: coupon.way,
    regularStatuses: ['available', 'applied', 'used'],
    moves: [
      ...couponTriggers.map((trigger) => couponMove(coupon, trigger, world, enrolledMay(scene))),
      ...reversal(coupon, world),
    ],
    document: couponView(coupon),
  }),
})
