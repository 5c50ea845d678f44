// @module-tag slow
/** False positives: whatever an operator does to the clock, a correct service is not red, and a wrong one still is. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ClockMove,
  type ClockPlayOptions,
  playClock,
} from '../../../../../test/support/clock-play.ts'
import { clauseIds } from '../../../protocol/clauses.ts'
import { roles } from '../../../protocol/role.ts'
import { runsFor } from '../../../../../test/support/soak.ts'

const moveOf = {
  hold: fc.integer({ min: 100, max: 90_000 }).map((ms): ClockMove => ({ kind: 'hold', ms })),
  run: fc.integer({ min: 100, max: 30_000 }).map((ms): ClockMove => ({ kind: 'run', ms })),
  virtual: fc.integer({ min: 100, max: 5000 }).map((ms): ClockMove => ({ kind: 'virtual', ms })),
  jump: fc
    .constantFrom(1000, 10_000, 60_000, 600_000)
    .map((ms): ClockMove => ({ kind: 'jump', ms })),
  step: fc.integer({ min: 1, max: 12 }).map((times): ClockMove => ({ kind: 'step', times })),
  order: fc
    .constantFrom('DELIVERY' as const, 'TAKEOUT' as const, 'INDOOR' as const)
    .map((type): ClockMove => ({ kind: 'order', type })),
  again: fc.constantFrom<ClockMove>({ kind: 'restart' }, { kind: 'reset' }),
}

const order: ClockMove = { kind: 'order', type: 'TAKEOUT' }
const hold = (ms: number): ClockMove => ({ kind: 'hold', ms })
const run = (ms: number): ClockMove => ({ kind: 'run', ms })

const faults: readonly NonNullable<ClockPlayOptions['faults']>[] = [
  [],
  [{ fail: { operation: 'confirmOrder', burst: 3 } }],
  [{ 'rate-limit': { operation: 'confirmOrder', limit: 1, by: '5s' } }],
  [{ delay: { event: 'CONFIRMED', by: '20s', limit: 1 } }],
  [{ fail: { operation: 'pollingEvents', burst: 2 } }],
]

const faultsOfHosts: readonly NonNullable<ClockPlayOptions['faults']>[] = [
  [],
  [{ delay: { by: '20s', limit: 2 } }],
  [{ storm: { percent: 10 } }],
]

const idOf = (line: string): string => line.split(' ')[2] ?? ''

const play: fc.Arbitrary<ClockPlayOptions> = fc.record({
  sleeps: fc.constantFrom('by-the-session' as const, 'by-the-wall' as const),
  speed: fc.constantFrom(1, 5, 20, 60),
  channel: fc.constantFrom('polling' as const, 'webhook' as const, 'both' as const),
  clock: fc.constantFrom('real' as const, 'stepped' as const),
  faults: fc.constantFrom(...faults),
  moves: fc
    .array(fc.oneof(...Object.values(moveOf)), { minLength: 2, maxLength: 10 })
    .map((moves) => [order, ...moves]),
})

test('holds, steps, jumps, speeds, restarts and resets turn no rule of a correct service red', async () => {
  await fc.assert(
    fc.asyncProperty(play, async (options) => {
      expect((await playClock(options)).red).toEqual([])
    }),
    { numRuns: runsFor(6, 500) },
  )
})

const hosted = fc.record({
  plays: fc.constantFrom(...roles),
  sleeps: fc.constantFrom('by-the-session' as const, 'by-the-wall' as const),
  speed: fc.constantFrom(1, 5, 20, 60),
  channel: fc.constantFrom('polling' as const, 'webhook' as const),
  needsMs: fc.constantFrom(0, 50, 400),
  faults: fc.constantFrom(...faultsOfHosts),
  moves: fc
    .array(fc.oneof(moveOf.hold, moveOf.run, moveOf.jump, moveOf.step, moveOf.order), {
      minLength: 2,
      maxLength: 8,
    })
    .map((moves) => [order, run(20_000), ...moves]),
})

test('nor do they turn a clause of a correct host red, of whichever role', async () => {
  await fc.assert(
    fc.asyncProperty(hosted, async (options) => {
      const { red } = await playClock(options)
      expect(red.filter((line) => clauseIds.has(idOf(line)))).toEqual([])
    }),
    { numRuns: runsFor(8, 500) },
  )
})

/** Red rules of a service that sleeps by the wall clock. */
async function redOf(options: Omit<ClockPlayOptions, 'sleeps'>): Promise<readonly string[]> {
  const { red } = await playClock({ sleeps: 'by-the-wall', ...options })
  return red
}

const ids = (red: readonly string[]): ReadonlySet<string> => new Set(red.map(idOf))

describe('[TRN-STA-10] PO-2: polls are measured by the wall while the clock stands', () => {
  test('a service that hammers is red during the hold', async () => {
    const red = await redOf({ defects: ['polls-without-pause'], moves: [hold(3000)] })
    expect(red[0]).toMatch(/^after 1: PO-2 The service polled again after \d+ ms/)
  })

  test('one that polls at its interval has kept it, on a clock that stands from the beginning too', async () => {
    for (const clock of ['real', 'stepped'] as const) {
      const moves = [order, hold(60_000), run(5000), hold(10_000)]
      const { red, verdicts } = await playClock({ sleeps: 'by-the-wall', clock, moves })
      expect(red).toEqual([])
      expect(verdicts.find(({ id }) => id === 'PO-2')?.outcome).toBe('passed')
    }
  })
})

test('[TRN-STA-10] RC-3: an open order may be read every few seconds of a long hold, not in a loop', async () => {
  const moves = [order, run(3000), hold(900_000)]
  const usual = { pace: { reconcileMs: 5000 }, processing: '20s', moves }
  expect(await redOf(usual)).toEqual([])
  const looping = { ...usual, defects: ['reads-in-a-loop'] as const, moves: [order, hold(10_000)] }
  expect(ids(await redOf(looping))).toContain('RC-3')
})

test('[ORD-OPS-01] PO-1: a service that stops polling is red after a hold, and not because of one', async () => {
  const moves = [order, run(10_000), hold(200_000), run(60_000)]
  const failing = [{ fail: { operation: 'pollingEvents', burst: 1 } }]
  expect(await redOf({ faults: failing, moves })).toEqual([])
  const red = await redOf({ faults: failing, moves, defects: ['poll-dies-on-error'] })
  expect(ids(red)).toContain('PO-1')
})

test('[ORD-OPS-01] PO-1: nor because of a jump, which a service on the wall clock does not notice', async () => {
  const jump: ClockMove = { kind: 'jump', ms: 3_600_000 }
  expect(await redOf({ moves: [order, run(10_000), jump, run(10_000), jump] })).toEqual([])
})

test('[TRN-STA-12] RT-1, RT-2: retries that grow by the wall may fall into a hold; those at once are red', async () => {
  const failing = [{ fail: { operation: 'confirmOrder', burst: 3 } }]
  const usual = { faults: failing, moves: [order, hold(60_000)] }
  const started = { ...usual, channel: 'webhook' as const, moves: [order, run(600), hold(60_000)] }
  expect(await redOf(started)).toEqual([])
  expect(ids(await redOf({ ...started, defects: ['retries-without-pause'] }))).toContain('RT-1')
})

test('[AUT-TOK-03] TK-1: a token that has got old by the wall may be renewed on a clock that stands', async () => {
  const slow = { pollMs: 60_000, reconcileMs: 600_000 }
  expect(await redOf({ pace: slow, moves: [order, run(2000), hold(8_000_000)] })).toEqual([])
  const moves = [order, hold(5000)]
  expect(ids(await redOf({ defects: ['token-per-call'], moves }))).toContain('TK-1')
})
