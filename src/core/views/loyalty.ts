/**
 * Entity views of loyalty accounts and coupons: rows, and one in detail with its moves. Source: our Loyalty host; where it
 * has none because the CRM is not ours, what the Ordering Application has read there.
 */
import { compact } from '../base/compact.ts'
import { findCustomer } from '../engine/customer/store.ts'
import { availablePoints } from '../engine/loyalty/reduce-account.ts'
import { accountInProgram } from '../engine/loyalty/find.ts'
import { loyaltyAccountView, couponView } from '../engine/loyalty/views.ts'
import type {
  CouponRecord,
  LoyaltyAccountRecord,
  LoyaltyGuestWorld,
  ReadRecord,
} from '../engine/loyalty/world.ts'
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
import { type EntityView, forcedIf, type ViewContext, viewOf } from './entity-view.ts'
import type { EntityRow, Move, SessionEntityKind } from '../session-api/entities.ts'

/** Session setting: what an ENROLLED account may do. */
const enrolledMay = ({ settings }: ViewContext): EnrolledMay => settings.conduct.loyalty.enrolledMay

/** Display name of a customer: the name in the CRM, or the id. */
function nameOf(customerId: string, world: World): string {
  const { crm, application } = world.customer
  const names = [crm, application].map(
    (store) => findCustomer({ id: customerId }, 'ordering-application', store)?.document.fields,
  )
  const name = names.find((fields) => fields !== undefined)?.['name']
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

const hostAccountEntities = viewOf({
  records: ({ loyalty }) => loyalty.host.accounts,
  row: accountRow,
  rest: (account, world, scene) => ({
    statusHistory: account.way,
    regularStatuses: ['ENROLLED', 'ACTIVE'],
    moves: accountMoves(account, world, scene),
    document: loyaltyAccountView(account),
  }),
})

/** A record that was read at the user's CRM, with the reads and calls of the Ordering Application as its moves. */
const readView = <Document extends { readonly status?: string | undefined }>(
  kind: SessionEntityKind,
  records: (guest: LoyaltyGuestWorld) => ReadonlyMap<string, ReadRecord<Document>>,
  look: (
    document: Document,
    id: string,
    world: World,
  ) => Pick<EntityRow, 'label' | 'text'> & { readonly moves: readonly OwnMove[] },
  regularStatuses: readonly string[],
): EntityView => {
  const rowOf = (id: string, { document, way }: ReadRecord<Document>, world: World): EntityRow => {
    const { label, text } = look(document, id, world)
    const { status = 'unknown', at: since = 0 } = way.at(-1) ?? {}
    return { kind, id, label, status, text, since }
  }
  return {
    *rows(world) {
      for (const [id, record] of records(world.loyalty.guest)) yield rowOf(id, record, world)
    },
    detail(id, world) {
      const record = records(world.loyalty.guest).get(id)
      if (!record) return undefined
      const row = rowOf(id, record, world)
      const { moves } = look(record.document, id, world)
      return {
        row,
        statusHistory: record.way,
        regularStatuses,
        moves: moves.map((move) => ({ to: row.status, by: 'ordering-application', ...move })),
        document: record.document,
      }
    },
  }
}
type OwnMove = Pick<Move, 'trigger' | 'command' | 'invalid'>

const readAccountEntities = readView(
  'loyalty-account',
  ({ accounts }) => accounts,
  ({ customerId, programId, status, summary }, accountId, world) => {
    const { pointsAvailable: points, pointsPending: pending } = summary
    const rewards = [...world.loyalty.guest.rewards.values()].filter(
      (each) => (each.programId ?? programId) === programId,
    )
    return {
      label: nameOf(customerId, world),
      text: `${points} points${pending === 0 ? '' : `, ${pending} pending`} in ${programId}`,
      moves: [
        { trigger: 'read again', command: { kind: 'reward.read', what: 'account', accountId } },
        {
          trigger: 'read transactions',
          command: { kind: 'reward.read', what: 'transactions', accountId },
        },
        { trigger: 'read coupons', command: { kind: 'reward.read', what: 'coupons', customerId } },
        ...rewards.slice(0, maxOffers).map(({ id: rewardId, name, cost, available }): OwnMove => ({
          trigger: `redeem ${name ?? rewardId}`,
          command: { kind: 'reward.redeem', accountId, rewardId },
          ...(cost === undefined ? { invalid: 'its cost in points is not known' } : {}),
          ...((cost ?? 0) > points ? { invalid: `${cost} points are needed` } : {}),
          ...(available === false ? { invalid: 'the reward is not available now' } : {}),
          ...(status === 'SUSPENDED' ? { invalid: 'the account is SUSPENDED' } : {}),
        })),
      ],
    }
  },
  ['ENROLLED', 'ACTIVE'],
)

/** The first view, or the second while the first has nothing. */
const firstOf = (own: EntityView, read: EntityView): EntityView => ({
  *rows(world, scene) {
    let isEmpty = true
    for (const row of own.rows(world, scene)) {
      isEmpty = false
      yield row
    }
    if (isEmpty) yield* read.rows(world, scene)
  },
  detail: (id, world, scene) => own.detail(id, world, scene) ?? read.detail(id, world, scene),
})

export const loyaltyAccountEntities = firstOf(hostAccountEntities, readAccountEntities)

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

const readCouponEntities = readView(
  'coupon',
  ({ coupons }) => coupons,
  ({ code, type = 'coupon', value, currency = '', customerId }, _, world) => ({
    label: code,
    text: [
      type,
      ...(value === undefined ? [] : [`${currency} ${value.toFixed(2)}`.trim()]),
      ...(customerId === undefined ? [] : ['for', nameOf(customerId, world)]),
    ].join(' '),
    moves:
      customerId === undefined
        ? []
        : [
            {
              trigger: 'read again',
              command: { kind: 'reward.read', what: 'coupons', customerId },
            },
          ],
  }),
  ['available', 'applied', 'used'],
)

const hostCouponEntities = viewOf({
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

export const couponEntities = firstOf(hostCouponEntities, readCouponEntities)
