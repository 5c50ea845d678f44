/** How long faults of a batch stay in force, and when the batch ends, with the reference service in process. */
import { describe, expect, test } from 'vitest'
import { createReferenceRunner } from '../../../test/support/reference-runner.ts'
import type { BatchEntry } from './schedule-runner.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { createWorkload, type WorkloadInput, type WorkloadTrim } from '../workloads/workload.ts'
import { defaultFaultPhaseMs } from './session-runner.ts'

const workload = (name: string, steps: WorkloadInput['steps'] = [], at = '0s') =>
  createWorkload({
    name,
    about: 'An order is picked up.',
    subjects: ['software-service'],
    orders: { o1: { type: 'TAKEOUT', at } },
    steps,
  })
const plain = workload('plain')
const late = workload('late', [{ advance: '20s' }])

const plainLater = workload('later', [], '10s')

const failing: ScheduledFault = {
  name: 'fail',
  match: { operation: 'confirmOrder', order: 'o1' },
  options: { status: 503, effect: 'before' },
}

/** A failure that is soon made good. */
const once: ScheduledFault = { ...failing, match: { ...failing.match, nth: 1 } }

const entry = (
  of: typeof plain,
  faults: readonly ScheduledFault[] = [],
  trim?: WorkloadTrim,
): BatchEntry => ({ schedule: createSchedule(of.name, faults, trim), workload: of })

const play = (...entries: readonly BatchEntry[]) =>
  createReferenceRunner({ seed: 1, channel: 'polling' }).play(entries)

/** Session time of an order without faults, with a service that polls so often. */
const tookWith = async (pollMs: number): Promise<number> => {
  const runner = createReferenceRunner({ seed: 1, channel: 'polling', pace: { pollMs } })
  return (await runner.play([entry(plain)])).tookMs
}

/** How long the faults of all schedules stay in force, in ms. */
const phaseMs = async (...entries: readonly BatchEntry[]): Promise<number> => {
  const { results } = await play(...entries)
  const [ended] = new Set(results.map(({ faultsEndedMs }) => faultsEndedMs))
  return ended ?? 0
}

describe('faults stay in force', () => {
  test('until the orders are over, and the service is silent about them', async () => {
    const ended = await phaseMs(entry(plain, [once]), entry(plain))
    expect(ended).toBeGreaterThan(5000)
    expect(ended).toBeLessThan(30_000)
  })

  test('where orders never end, for their time since the last step', async () => {
    const atOnce = await phaseMs(entry(plain, [failing]))
    expect(Math.abs(atOnce - defaultFaultPhaseMs)).toBeLessThan(2000)
    const later = await phaseMs(entry(late, [failing]))
    expect(Math.abs(later - defaultFaultPhaseMs - 20_000)).toBeLessThan(2000)
  })

  test('of one schedule no longer because another makes its last step later', async () => {
    const ended = await phaseMs(entry(plain, [failing]), entry(late))
    expect(Math.abs(ended - defaultFaultPhaseMs)).toBeLessThan(2000)
  })

  test('for longer where a schedule says so', async () => {
    const faultPhaseMs = 90_000
    const ended = await phaseMs(entry(plain, [failing], { faultPhaseMs }))
    expect(Math.abs(ended - faultPhaseMs)).toBeLessThan(2000)
  })
})

describe('what is broken while a batch is played', () => {
  /** The host says how long calls of this kind are to wait. */
  const limited: ScheduledFault = {
    name: 'rate-limit',
    match: { operation: 'confirmOrder', order: 'o1', nth: 1 },
    options: { retry: 'seconds', by: 30_000 },
  }

  const revoked: ScheduledFault = {
    name: 'unauthorized',
    match: { operation: 'confirmOrder', order: 'o1', nth: 1 },
    options: { revoke: true },
  }

  test('is handed on once for each rule, before the batch is over', async () => {
    const runner = createReferenceRunner({
      seed: 1,
      channel: 'polling',
      defects: ['retries-without-pause'],
    })
    const broken: string[] = []
    let isOver = false
    const { results } = await runner.play([entry(plain), entry(plain, [failing])], {
      onBroken(each) {
        expect(isOver).toBe(false)
        broken.push(...each.failures.map(({ rule }) => `${rule} ${each.schedule.faults.length}`))
      },
    })
    isOver = true
    expect(broken).toContain('RT-1 1')
    expect(broken.filter((each) => each.endsWith(' 0'))).toEqual([])
    expect(results[1]?.failures.map(({ rule }) => rule)).toContain('RT-1')
  })

  test('is nothing with a service that breaks nothing', async () => {
    const runner = createReferenceRunner({ seed: 1, channel: 'polling' })
    const broken: unknown[] = []
    await runner.play([entry(plain), entry(plain, [failing])], {
      onBroken: (each) => broken.push(each),
    })
    expect(broken).toEqual([])
  })

  test.for([
    ['[TRN-STA-10]', 'retry-after-per-call', 'RT-4', limited],
    ['[AUT-TOK-04]', 'keeps-rejected-token', 'TK-2', revoked],
  ] as const)(
    '%s by calls about other orders counts to the schedule that the first was refused in',
    async ([_clause, defect, rule, fault]) => {
      const runner = createReferenceRunner({ seed: 1, channel: 'polling', defects: [defect] })
      const slow = entry(plain, [{ ...once, name: 'slow-body', options: { by: 4000 } }])
      const { results } = await runner.play([slow, entry(plain, [fault]), entry(plainLater)])
      const broken = results.flatMap(({ failures }, place) =>
        failures.some((each) => each.rule === rule) ? [place] : [],
      )
      expect(broken).toEqual([1])
    },
  )
})

test('a session that ends early is judged by what was broken by then, and by nothing that may still come', async () => {
  const runner = createReferenceRunner({ seed: 1, channel: 'polling' })
  const early = AbortSignal.abort()
  const { results, isCutShort, unattributed } = await runner.play([entry(plain, [failing])], {
    early,
  })
  expect(isCutShort).toBe(true)
  expect(results).toMatchObject([{ failures: [], stepFailures: [] }])
  expect(unattributed).toEqual([])
  expect((await runner.play([entry(plain)])).isCutShort).toBe(false)
})

test('a pause after failed calls is waited for from the last of them, not from the last call', async () => {
  const { tookMs, pace } = await play(entry(plain, [{ ...failing, burst: 'outlast' }]))
  // The pause after the attempts is long, and the order goes on for seconds after it.
  expect(pace.retryGapMs).toBeGreaterThan(10_000)
  expect(tookMs).toBeGreaterThan(25_000)
  expect(tookMs).toBeLessThan(45_000)
})

test('silence is three polls of a quick service, and one of a slow one with ten seconds more', async () => {
  expect(await tookWith(1000)).toBeLessThan(20_000)
  // Its order is over with the third poll.
  expect(await tookWith(30_000)).toBe(130_000)
})

test('a cancellation that comes too late is no failed step, and what follows it is played', async () => {
  const tooLate = workload('too-late', [
    { await: { status: 'CONCLUDED', order: 'o1', within: '5m' } },
    { trigger: { order: 'o1', move: 'cancel' } },
    { await: { status: 'CANCELLED', order: 'o1', within: '1s' } },
  ])
  const { results } = await play(entry(tooLate))
  expect(results).toMatchObject([{ stepFailures: ['it did not come in time: o1 is CONCLUDED'] }])
})

test('an order that is refused takes no slot: those after it are placed, and faults act on them', async () => {
  const refused = createWorkload({
    name: 'refused',
    about: 'An order for a merchant that there is not.',
    subjects: ['software-service'],
    orders: { o1: { type: 'TAKEOUT', merchant: 'none' } },
  })
  const { results } = await play(entry(refused, [{ ...once }]), entry(plain), entry(plain, [once]))
  expect(results.map(({ stepFailures }) => stepFailures)).toEqual([
    [expect.stringMatching(/^o1 could not be placed: it was refused: /)],
    [],
    [],
  ])
  expect(results.map(({ exercised }) => exercised)).toEqual([[false], [], [true]])
  expect(results[1]?.traces['o1']).toContain('confirmOrder 2xx')
})
