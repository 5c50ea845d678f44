/** Minimising of traffic with a known cause: the result, and the number of replays. */
import { assert, asyncProperty, constantFrom, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { createChance } from '../../core/engine/chance.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { minimiseRecording } from './minimise.ts'
import type { MinimiseOptions, TrialOutcome, RecordingPart } from './minimise-options.ts'

const perOrder = 10

interface Traffic {
  readonly exchanges: readonly RecordedExchange[]
  readonly causes: ReadonlyMap<string, readonly Cause[]>
}

const cause = (id: string, kind: Cause['kind']): Cause => ({ id, kind, sure: 1 })

/** A token, then interleaved orders of ten steps each: every step needs the token and the creation of its order. */
function traffic(orders: number, seed: number): Traffic {
  const chance = createChance(seed, 'minimise')
  const left = Array.from({ length: orders }, (_, index) => ({ order: index, step: 0 }))
  const exchanges: RecordedExchange[] = [
    { ...sampleExchange(1, { operation: 'issueToken' }), recordId: 'token' },
  ]
  const causes = new Map<string, readonly Cause[]>()
  while (left.length > 0) {
    const next = chance.pick(left)
    const recordId = `${next.order}.${next.step}`
    exchanges.push({
      ...sampleExchange(exchanges.length + 1, { orderId: String(next.order) }),
      recordId,
    })
    causes.set(recordId, [
      cause('token', 'session'),
      ...(next.step === 0
        ? []
        : [cause(`${next.order}.0`, 'event'), cause(`${next.order}.${next.step - 1}`, 'order')]),
    ])
    if (++next.step === perOrder) left.splice(left.indexOf(next), 1)
  }
  return { exchanges, causes }
}

/** Fails when all of these and their causes are present; unresolved when a cause is missing. */
function attemptOf({ causes }: Traffic, needed: readonly string[]) {
  let replays = 0
  const attempt = async ({ kept }: RecordingPart): Promise<TrialOutcome> => {
    replays++
    for (const id of kept)
      for (const { id: other, kind } of causes.get(id) ?? [])
        if (kind !== 'order' && !kept.has(other)) return 'unresolved'
    return needed.every((id) => kept.has(id)) ? 'fail' : 'pass'
  }
  return { attempt, replays: () => replays }
}

const optionsOf = ({ exchanges, causes }: Traffic, more: Partial<MinimiseOptions>) => ({
  exchanges,
  causes: (id: string) => causes.get(id) ?? [],
  lanesOf: ({ operation, orderId = '' }: RecordedExchange) =>
    operation === 'issueToken' ? [] : [orderId],
  drives: new Set(exchanges.map(({ recordId }) => recordId)),
  budget: { replays: 200, isOver: () => false },
  culprit: '',
  isRecorded: true,
  attempt: async () => 'pass' as const,
  ...more,
})

const smallest = (part: RecordingPart): readonly string[] => [...part.kept].sort()

test.each([
  [10, 60],
  [100, 60],
  [500, 60],
])('seven exchanges of %i orders are found in at most %i replays', async (orders, most) => {
  const those = traffic(orders, orders)
  const culprit = '3.4'
  const needed = ['token', '3.0', '3.1', '3.2', '3.3', '3.4', '7.0']
  // The other order must precede the failure, or it cannot be part of its cause.
  const order = those.exchanges.map(({ recordId }) => recordId)
  const moved = order.indexOf('7.0') < order.indexOf(culprit) ? needed : needed.slice(0, -1)
  const { attempt, replays } = attemptOf(those, moved)
  const found = await minimiseRecording(optionsOf(those, { culprit, attempt }))
  expect(smallest(found.part)).toEqual([...moved].sort())
  expect(found.verdict).toBe('minimal')
  expect(replays()).toBe(found.replays)
  expect(found.replays).toBeLessThanOrEqual(most)
})

test('for any cause the result fails and no single exchange of it can be removed', async () => {
  const those = traffic(6, 1)
  const ids = those.exchanges.map(({ recordId }) => recordId)
  await assert(
    asyncProperty(
      uniqueArray(constantFrom(...ids), { minLength: 1, maxLength: 8 }),
      async (some) => {
        const culprit = ids.findLast((id) => some.includes(id))!
        const { attempt } = attemptOf(those, some)
        const found = await minimiseRecording(
          optionsOf(those, { culprit, attempt, budget: { replays: 5000, isOver: () => false } }),
        )
        expect(found.verdict).toBe('minimal')
        expect(await attempt(found.part)).toBe('fail')
        for (const id of found.part.kept) {
          const kept = new Set([...found.part.kept].filter((each) => each !== id))
          expect(await attempt({ ...found.part, kept })).not.toBe('fail')
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('an interruption keeps the smallest failing part so far', async () => {
  const those = traffic(20, 2)
  const { attempt, replays } = attemptOf(those, ['token', '3.0', '3.4'])
  const found = await minimiseRecording(
    optionsOf(those, {
      culprit: '3.4',
      attempt,
      budget: { replays: 200, isOver: () => replays() >= 5 },
    }),
  )
  expect(found.verdict).toBe('best so far')
  expect(found.replays).toBe(5)
  expect(found.part.kept.size).toBeLessThan(those.exchanges.length)
  expect(await attempt(found.part)).toBe('fail')
})

test('the number of replays never exceeds the budget', async () => {
  const those = traffic(20, 3)
  const { attempt, replays } = attemptOf(those, ['token', '3.0', '5.0', '3.4'])
  const budget = { replays: 9, isOver: () => false }
  const found = await minimiseRecording(optionsOf(those, { culprit: '3.4', attempt, budget }))
  expect(replays()).toBe(9)
  expect(found.verdict).toBe('best so far')
})

test('a recording that never fails gets `does not fail`, one that seldom fails `unstable`', async () => {
  const those = traffic(2, 4)
  const never = await minimiseRecording(optionsOf(those, { culprit: '1.4' }))
  // A slice, and three replays of the whole.
  expect(never).toMatchObject({ verdict: 'does not fail', replays: 4 })
  // It failed in the first replay of the whole, and never again.
  const seldom = await minimiseRecording(optionsOf(those, { culprit: '1.4', isRecorded: false }))
  expect(seldom).toMatchObject({ verdict: 'unstable', confirmed: { fails: 1, of: 8 } })
})

test('a failure that shows every other time is still minimised', async () => {
  const those = traffic(4, 5)
  const { attempt: always } = attemptOf(those, ['token', '1.0', '1.4'])
  let count = 0
  const attempt = async (part: RecordingPart): Promise<TrialOutcome> =>
    count++ % 2 === 0 ? always(part) : 'pass'
  const budget = { replays: 1000, isOver: () => false }
  const found = await minimiseRecording(optionsOf(those, { culprit: '1.4', attempt, budget }))
  expect(smallest(found.part)).toEqual(['1.0', '1.4', 'token'])
})

test('bodies lose members that the failure does not need, but never identifying ones', async () => {
  const body = JSON.stringify({
    id: 'o1',
    customer: { name: 'Ana', phone: '1' },
    items: [
      { id: 'a', price: 1 },
      { id: 'b', price: 2 },
    ],
    note: 'trap',
  })
  const one = {
    ...sampleExchange(1),
    recordId: 'one',
    request: { ...sampleExchange(1).request, body },
  }
  const those: Traffic = { exchanges: [one], causes: new Map() }
  const attempt = async ({ bodies }: RecordingPart): Promise<TrialOutcome> =>
    (bodies.get('one') ?? body).includes('"note":"trap"') ? 'fail' : 'pass'
  const found = await minimiseRecording(
    optionsOf(those, { culprit: 'one', attempt, mayShrink: ({ request }) => request.body }),
  )
  expect(found.part.bodies.get('one')).toBe('{"id":"o1","note":"trap"}')
})

/** Each step 5 of an order shows a fault. */
const faultsOf = ({ exchanges }: Traffic): readonly ReadonlySet<string>[] =>
  exchanges.flatMap(({ recordId }) => (recordId.endsWith('.5') ? [new Set([recordId])] : []))

test('a failure that needs no fault is shown without one by the first replay, and confirmed by the second', async () => {
  const all = traffic(14, 1)
  const { attempt } = attemptOf(all, ['3.8', '3.0'])
  const found = await minimiseRecording(
    optionsOf(all, { attempt, culprit: '3.8', faults: faultsOf(all), isRecorded: false }),
  )
  expect(smallest(found.part)).toEqual(['3.0', '3.8', 'token'])
  expect(found.stages[0]).toMatchObject({ stage: 'slice', replays: 2 })
  // The whole is not replayed once more.
  expect(found.stages.map(({ stage }) => stage)).not.toContain('confirm')
})

test('of fourteen faults the two that a failure needs are left, and the orders that they are of', async () => {
  const all = traffic(14, 2)
  const { attempt, replays } = attemptOf(all, ['3.8', '3.5', '9.5'])
  const plainDrives = new Set<string>()
  const options = { attempt, culprit: '3.8', faults: faultsOf(all), plainDrives }
  const found = await minimiseRecording(optionsOf(all, { ...options, isRecorded: false }))
  const left = smallest(found.part)
  expect(left.filter((id) => id.endsWith('.5'))).toEqual(['3.5', '9.5'])
  expect(new Set(left.map((id) => id.split('.')[0]))).toEqual(new Set(['3', '9', 'token']))
  expect(replays()).toBeLessThanOrEqual(60)
})

test('replays that run at once give the same result, whichever of them ends first', async () => {
  const those = traffic(14, 4)
  const needed = ['token', '3.0', '3.4', '7.0']

  /** Each replay ends after some turns of the event loop, drawn from this seed. */
  async function searched(seed: number) {
    const chance = createChance(seed, 'turns')
    const { attempt } = attemptOf(those, needed)
    let running = 0
    let most = 0
    const slow = async (part: RecordingPart): Promise<TrialOutcome> => {
      most = Math.max(most, ++running)
      for (let turns = chance.pick([0, 3, 7, 20]); turns > 0; turns--) await Promise.resolve()
      running--
      return attempt(part)
    }
    const more = { culprit: '3.4', attempt: slow, isRecorded: false, parallel: () => 3 }
    const found = await minimiseRecording(optionsOf(those, more))
    return { most, ...found }
  }

  const [one, ...others] = await Promise.all([1, 2, 3, 4, 5].map(searched))
  expect(smallest(one!.part)).toEqual(['3.0', '3.4', '7.0', 'token'])
  expect(one).toMatchObject({ verdict: 'minimal', most: 3 })
  for (const other of others) expect(other).toEqual(one)
})

test.each([
  ['is needed', true],
  ['is not', false],
])('a crash at a message that stays is kept where it %s', async (_title, isNeeded) => {
  const lines = traffic(1, 7)
  const crashed = '0.3'
  const attempt = async ({ kept, spared }: RecordingPart): Promise<TrialOutcome> => {
    const isEnded = kept.has(crashed) && !spared?.has(crashed)
    return kept.has(crashed) && (isEnded || !isNeeded) ? 'fail' : 'pass'
  }
  const { part, verdict } = await minimiseRecording({
    ...optionsOf(lines, { culprit: crashed, isRecorded: true }),
    attempt,
    faults: [new Set([crashed])],
    spareable: new Set([crashed]),
  })
  expect(verdict).toBe('minimal')
  expect([...part.kept]).toContain(crashed)
  expect(part.spared?.has(crashed) ?? false).toBe(!isNeeded)
})
