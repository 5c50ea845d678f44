import { expect, test } from 'vitest'
import { loyaltyAccountStatuses, type LoyaltyAccountStatus } from './account.ts'
import {
  loyaltyAccountLifecycle,
  accountOperations,
  accountPermissions,
  loyaltyAccountStep,
  loyaltyAccountTriggers,
  isPermitted,
} from './account-lifecycle.ts'
import {
  couponLifecycle,
  couponTypeOfReward,
  couponStatuses,
  couponStep,
  couponTriggers,
  couponTypes,
} from './coupon.ts'
import { loyaltyEvents, loyaltyEventTypes } from './events.ts'
import { changesStanding, orderNewsKinds, orderStandings } from './order-standing.ts'
import { transactionTypes } from './transaction.ts'

/** The cells of a text grid; `-` means no transition. */
const cellsOf = (grid: string): readonly (readonly string[])[] =>
  grid
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))

test('[LOY-ACC-01, LOY-ACC-02, LOY-ACC-03, LOY-ACC-04] every status × trigger cell of an account matches the document’s table', () => {
  const [head = [], ...rows] = cellsOf(`
                enrollment first-transaction suspension reactivation
    none        ENROLLED   -                 -          -
    ENROLLED    -          ACTIVE            -          -
    ACTIVE      -          -                 SUSPENDED  -
    SUSPENDED   -          -                 -          ACTIVE`)
  expect(head).toEqual([...loyaltyAccountTriggers])
  expect(rows.map(([status]) => status)).toEqual(['none', ...loyaltyAccountStatuses])
  for (const [status, ...cells] of rows) {
    const from = status === 'none' ? undefined : (status as LoyaltyAccountStatus)
    expect(
      loyaltyAccountTriggers.map((trigger) => loyaltyAccountStep(from, trigger)?.to ?? '-'),
    ).toEqual(cells)
  }
  expect(loyaltyAccountLifecycle).toHaveLength(4)
})

test('[LOY-PRM-01, LOY-PRM-02, LOY-PRM-03, LOY-PRM-04] permissions of each status match the document’s table, and MAY is the host’s choice', () => {
  const [head = [], ...rows] = cellsOf(`
                  ENROLLED ACTIVE  SUSPENDED
    read-balance  allowed  allowed allowed
    earn          MAY      allowed MUST_NOT
    redeem        MAY      allowed MUST_NOT
    use-coupon    MAY      allowed MUST_NOT`)
  expect(head).toEqual([...loyaltyAccountStatuses])
  expect(rows.map(([operation]) => operation)).toEqual([...accountOperations])
  const all = { earn: true, redeem: true, 'use-coupon': true }
  const none = { earn: false, redeem: false, 'use-coupon': false }
  for (const operation of accountOperations) {
    const [, ...cells] = rows.find(([name]) => name === operation)!
    const row = accountPermissions[operation]
    expect(loyaltyAccountStatuses.map((status) => row[status].replace(' ', '_'))).toEqual(cells)
    for (const status of loyaltyAccountStatuses) {
      expect(isPermitted(status, operation, all)).toBe(row[status] !== 'MUST NOT')
      expect(isPermitted(status, operation, none)).toBe(row[status] === 'allowed')
    }
  }
})

test('[LOY-UND-03] every status × trigger cell of a coupon matches the default table', () => {
  const [head = [], ...rows] = cellsOf(`
                apply    use   release    expire   cancel
    available   applied  used  -          expired  cancelled
    applied     -        used  available  expired  cancelled
    used        -        -     -          -        -
    expired     -        -     -          -        -
    cancelled   -        -     -          -        -`)
  expect(head).toEqual([...couponTriggers])
  expect(rows.map(([status]) => status)).toEqual([...couponStatuses])
  for (const status of couponStatuses) {
    const [, ...cells] = rows.find(([name]) => name === status)!
    expect(couponTriggers.map((trigger) => couponStep(status, trigger)?.to ?? '-')).toEqual(cells)
  }
})

test('[LOY-EVT-07, LOY-EVT-08] a coupon that moves to applied or cancelled emits the event of that name', () => {
  const emitted = (to: string): ReadonlySet<string | undefined> =>
    new Set(couponLifecycle.flatMap((row) => (row.to === to ? [row.emits] : [])))
  expect(emitted('applied')).toEqual(new Set(['loyalty.coupon_applied']))
  expect(emitted('cancelled')).toEqual(new Set(['loyalty.coupon_cancelled']))
  expect(emitted('expired')).toEqual(new Set([undefined]))
})

test('repeated and out-of-order news change nothing: a finished order stays finished', () => {
  const [head = [], ...rows] = cellsOf(`
               open  completed canceled
    unheard    yes   yes       yes
    open       -     yes       yes
    completed  -     -         -
    canceled   -     -         -`)
  expect(head).toEqual([...orderNewsKinds])
  expect(rows.map(([standing]) => standing)).toEqual([...orderStandings])
  for (const standing of orderStandings) {
    const [, ...cells] = rows.find(([name]) => name === standing)!
    expect(orderNewsKinds.map((news) => (changesStanding(standing, news) ? 'yes' : '-'))).toEqual(
      cells,
    )
  }
})

test('[LOY-REC-03, LOY-REC-05, LOY-REC-06] transaction types, coupon types and coupon statuses match the documents; every coupon type has a reward', () => {
  expect(transactionTypes).toEqual(['earn', 'burn', 'expire', 'adjust'])
  expect(couponTypes).toEqual(['discount', 'free_item', 'cashback'])
  expect(couponStatuses).toEqual(['available', 'applied', 'used', 'expired', 'cancelled'])
  expect(new Set(Object.values(couponTypeOfReward))).toEqual(new Set(couponTypes))
})

test('[LOY-EVT-01] the eight events match the documents, each with its clause', () => {
  expect(loyaltyEventTypes).toHaveLength(8)
  expect(loyaltyEventTypes.map((type) => loyaltyEvents[type].clause)).toEqual([
    'LOY-EVT-01',
    'LOY-EVT-02',
    'LOY-EVT-03',
    'LOY-EVT-04',
    'LOY-EVT-05',
    'LOY-EVT-06',
    'LOY-EVT-07',
    'LOY-EVT-08',
  ])
})
