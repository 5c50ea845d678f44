import { expect, test } from 'vitest'
import { type Command, commandText } from '../engine/command.ts'
import { loyaltyTranscript, orderNotification } from '../../../test/support/loyalty-transcript.ts'
import type { ViewContext } from './entity-view.ts'
import { factText } from '../engine/fact.ts'
import { couponEntities, loyaltyAccountEntities } from './loyalty.ts'
import type { EntityDetail, EntityRow } from '../session-api/entities.ts'

function told() {
  const made = loyaltyTranscript({ loyalty: { enrollment: 'by-hand' } })
  made.given({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' })
  return made
}

const scene = ({ engine }: ReturnType<typeof told>): ViewContext => ({
  now: engine.now(),
  settings: engine.settings,
  base: () => undefined,
})

const looks = { 'loyalty-account': loyaltyAccountEntities, coupon: couponEntities } as const
type Kind = keyof typeof looks

const rows = (made: ReturnType<typeof told>, kind: Kind): readonly EntityRow[] => [
  ...looks[kind].rows(made.engine.world, scene(made)),
]

const detail = (made: ReturnType<typeof told>, kind: Kind, id: string): EntityDetail =>
  looks[kind].detail(id, made.engine.world, scene(made))!

test('a loyalty account has a row, and a detail with history and document', () => {
  const made = told()
  const { id } = made.account()
  made.given({ kind: 'loyalty.adjust', accountId: id, points: 40 }, orderNotification('o', 'open'))
  const entities = rows(made, 'loyalty-account')
  expect(entities).toHaveLength(1)
  expect(entities[0]).toMatchObject({
    id,
    label: 'ana',
    status: 'ACTIVE',
    text: '40 points, 50 pending in club',
  })
  const { statusHistory, regularStatuses, document } = detail(made, 'loyalty-account', id)
  expect(statusHistory.map(({ status, trigger }) => [status, trigger])).toEqual([
    ['ENROLLED', 'enrollment'],
    ['ACTIVE', 'first-transaction'],
  ])
  expect(regularStatuses).toEqual(['ENROLLED', 'ACTIVE'])
  expect(document).toMatchObject({ id, summary: { pointsAvailable: 40, pointsPending: 50 } })
  expect(detail(made, 'loyalty-account', 'x')).toBeUndefined()
})

/** Whether each move of an entity is accepted, tried on a fresh world, and its `invalid` mark. */
function tried(
  make: () => ReturnType<typeof told>,
  kind: Kind,
  idOf: (made: ReturnType<typeof told>) => string,
): Readonly<Record<string, string>> {
  const count = detail(make(), kind, idOf(make())).moves.length
  const outcomes = Array.from({ length: count }, (_, index) => {
    const made = make()
    const { trigger, command, invalid } = detail(made, kind, idOf(made)).moves[index]!
    const forces = 'force' in command && command.force
    const decision = made.engine.submit(command)
    // Marked moves are forced or refused; unmarked moves are accepted.
    expect([trigger, decision.ok]).toEqual([trigger, invalid === undefined || forces])
    return [trigger, invalid ?? 'valid'] as const
  })
  return Object.fromEntries(outcomes)
}

test('unmarked account moves are accepted, and marked ones have a reason', () => {
  const withPoints = (points: number) => {
    const made = told()
    const { id: accountId } = made.account()
    return points === 0 ? made : made.given({ kind: 'loyalty.adjust', accountId, points })
  }
  const suspended = () => {
    const made = withPoints(40)
    const { id: accountId } = made.account()
    return made.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  }
  const outcomes = (make: () => ReturnType<typeof told>) =>
    tried(make, 'loyalty-account', (made) => made.account().id)
  expect(outcomes(() => withPoints(0))).toEqual({
    suspension: 'no suspension from ENROLLED',
    reactivation: 'no reactivation from ENROLLED',
    'give 50 points': 'valid',
    'take 50 points': 'no points are available',
    'expire points': 'no points are available',
    'grant coupon': 'valid',
    'redeem Café': '30 points are needed',
    'redeem Jantar': '500 points are needed',
  })
  expect(outcomes(() => withPoints(40))).toEqual({
    suspension: 'valid',
    reactivation: 'no reactivation from ACTIVE',
    'give 50 points': 'valid',
    'take 40 points': 'valid',
    'expire points': 'valid',
    'grant coupon': 'valid',
    'redeem Café': 'valid',
    'redeem Jantar': '500 points are needed',
  })
  expect(outcomes(suspended)).toEqual({
    suspension: 'no suspension from SUSPENDED',
    reactivation: 'valid',
    'give 50 points': 'the account is SUSPENDED',
    'take 40 points': 'the account is SUSPENDED',
    'expire points': 'valid',
    'grant coupon': 'valid',
    'redeem Café': 'the account is SUSPENDED',
    'redeem Jantar': 'the account is SUSPENDED',
  })
})

test('a coupon has a row, and a detail with every trigger as an accepted or marked move', () => {
  const make = (): ReturnType<typeof told> => {
    const made = told()
    const { id: accountId } = made.account()
    return made.given({ kind: 'loyalty.grant-coupon', accountId, type: 'discount', value: 5 })
  }
  const made = make()
  const [coupon] = made.coupons()
  expect(rows(made, 'coupon')[0]).toMatchObject({
    id: coupon!.id,
    label: coupon!.code,
    status: 'available',
    text: 'discount BRL 5.00 for ana',
  })
  expect(detail(made, 'coupon', coupon!.id)).toMatchObject({
    regularStatuses: ['available', 'applied', 'used'],
    document: { code: coupon!.code, status: 'available' },
  })
  const idOf = (each: typeof made): string => each.coupons()[0]!.id
  expect(tried(make, 'coupon', idOf)).toEqual({
    apply: 'valid',
    use: 'valid',
    release: 'no release from available',
    expire: 'valid',
    cancel: 'valid',
  })
  const used = (): typeof made => {
    const each = make()
    const couponId = idOf(each)
    return each.given({ kind: 'loyalty.move-coupon', couponId, trigger: 'use', orderId: 'o' })
  }
  expect(Object.values(tried(used, 'coupon', idOf))).toEqual([
    'no apply from used',
    'no use from used',
    'no release from used',
    'no expire from used',
    'no cancel from used',
  ])
  expect(rows(used(), 'coupon')[0]?.orderId).toBe('o')
  expect(detail(made, 'coupon', 'x')).toBeUndefined()
})

test('a redemption can be reversed until the coupon is used; a customer can enroll in another program', () => {
  const make = (): ReturnType<typeof told> => {
    const made = told()
    const { id: accountId } = made.account()
    made.given({ kind: 'loyalty.adjust', accountId, points: 30 })
    made.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
    const redemptionId = made.redemptions()[0]!.id
    made.given({ kind: 'loyalty.store-programs', programs: [{ id: 'card', name: 'Cartão' }] })
    return made.given({ kind: 'loyalty.complete-redemption', redemptionId })
  }
  const idOf = (made: ReturnType<typeof told>): string => made.coupons()[0]!.id
  expect(tried(make, 'coupon', idOf)).toMatchObject({ 'reverse redemption': 'valid' })
  const used = (): ReturnType<typeof told> => {
    const made = make()
    return made.given({ kind: 'loyalty.move-coupon', couponId: idOf(made), trigger: 'use' })
  }
  expect(tried(used, 'coupon', idOf)).toMatchObject({ 'reverse redemption': 'the coupon is used' })
  const accountOf = (made: ReturnType<typeof told>): string => made.account().id
  expect(tried(make, 'loyalty-account', accountOf)).toMatchObject({ 'enroll in Cartão': 'valid' })
})

test('[LOY-PRM-04] a move that the account’s status or the reward does not allow is marked', () => {
  const make = (enrolled: boolean): ReturnType<typeof told> => {
    const made = told()
    const { id: accountId } = made.account()
    if (!enrolled) made.given({ kind: 'loyalty.adjust', accountId, points: 90 })
    made.given({ kind: 'loyalty.grant-coupon', accountId, type: 'discount', value: 5 })
    if (!enrolled) made.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
    return made
  }
  const couponOf = (made: ReturnType<typeof told>): string => made.coupons()[0]!.id
  expect(tried(() => make(false), 'coupon', couponOf)).toMatchObject({
    apply: 'the account is SUSPENDED',
    use: 'the account is SUSPENDED',
    expire: 'valid',
  })
  expect(tried(() => make(true), 'coupon', couponOf)).toMatchObject({ use: 'valid' })
  const without = (): ReturnType<typeof told> => {
    const made = told()
    const { id: accountId } = made.account()
    const reward = made.engine.world.loyalty.host.rewards.get('coffee')!
    made.given({ kind: 'loyalty.adjust', accountId, points: 90 })
    return made.given({ kind: 'loyalty.store-reward', reward: { ...reward, available: false } })
  }
  expect(tried(without, 'loyalty-account', (made) => made.account().id)).toMatchObject({
    'redeem Café': 'the reward is not available now',
  })
})

test('Loyalty facts and commands have short texts', () => {
  const made = told()
  const { world } = made.engine
  const { id: accountId } = made.account()
  made.given({ kind: 'loyalty.adjust', accountId, points: 40, reason: 'birthday' })
  made.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  const redemptionId = made.redemptions()[0]!.id
  made.given({ kind: 'loyalty.complete-redemption', redemptionId })
  made.given({ kind: 'loyalty.reverse-redemption', redemptionId })
  made.given({ kind: 'loyalty.expire', accountId, points: 10 })
  const lines = made.engine.journal
    .after(0, 100)
    .filter(({ fact }) => fact.kind.startsWith('loyalty.'))
    .map(({ fact }) => factText(fact, world))
  expect(lines).toEqual([
    'Loyalty opens with 1 program and 2 rewards',
    'customer ana enrolled in club',
    '+40 points adjusted: birthday',
    'loyalty account ENROLLED > ACTIVE',
    'redemption of coffee accepted for later: 30 points reserved',
    '-30 points spent',
    `coupon ${made.coupons()[0]!.code} (free_item) issued`,
    'redemption done',
    'redemption reversed: by_hand',
    '+30 points adjusted: redemption_reversed',
    'coupon available > cancelled',
    '-10 points expired',
  ])
  const text = (command: Command): string => commandText(command, world)
  expect(
    text({ kind: 'loyalty.move-account', accountId, trigger: 'suspension', force: true }),
  ).toBe('suspension of a loyalty account, forced')
  expect(text({ kind: 'loyalty.expire', accountId })).toBe('all points expire')
  expect(text({ kind: 'reward.redeem', accountId, rewardId: 'tea' })).toBe('OA redeems tea')
})
