/** What a calibration learns, from the reference service in process, and the time to recover that follows from it. */
import { expect, test } from 'vitest'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { configurationParts } from '../../core/session-api/configuration/schema.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { createInProcessService } from '../../../test/support/in-process-service.ts'
import { prepareSession } from '../../core/session/session.ts'
import {
  calibrationEntries,
  calibrationPhaseMs,
  convergeMsOf,
  faultPhaseMsOf,
} from './calibration.ts'
import { createSessionRunner } from '../batch/session-runner.ts'
import { createSchedule } from '../schedules/schedule.ts'
import { workloadsOf } from '../workloads/workloads.ts'

test('the time to recover: two reconcile periods and three polls, at least 20 s, at most the default', () => {
  expect(convergeMsOf({ reconcileMs: 15_000, pollMs: 1000 }, 120_000)).toBe(33_000)
  expect(convergeMsOf({ reconcileMs: 400, pollMs: 20 }, 120_000)).toBe(20_000)
  expect(convergeMsOf({ reconcileMs: 300_000, pollMs: 30_000 }, 120_000)).toBe(120_000)
  expect(convergeMsOf({ reconcileMs: 1000, retryGapMs: 30_000, pollMs: 500 }, 120_000)).toBe(62_000)
  // A kitchen that needs longer than that is as slow without faults.
  expect(convergeMsOf({ reconcileMs: 5000, pollMs: 1000, stepMs: 40_000 }, 120_000)).toBe(53_000)
  // Where nothing was seen to be read again, nothing is known.
  expect(convergeMsOf({ pollMs: 1000 }, 120_000)).toBe(120_000)
})

test('workloads with steps, with several orders or with none are not used', () => {
  const others = workloadsOf('software-service').filter(({ steps }) => steps.length > 0)
  const observed = others.map((workload) => ({ workload, points: [] }))
  expect(calibrationEntries(observed, ['polling'])).toEqual([])
  const [own] = workloadsOf('ordering-application')
  expect(calibrationEntries(own ? [{ workload: own, points: [] }] : [], ['polling'])).toEqual([])
})

/** Plays schedules as a calibration does, or to their ends, with the reference service in process. */
function createRunner(calibration?: 'kept' | 'fresh') {
  const pace = { pollMs: 1000, thinkMs: 200, reconcileMs: 12_000 }
  return createSessionRunner({
    async open({ seed }) {
      const service = createInProcessService({ pace })
      const session = await prepareSession({
        seed,
        clock: 'virtual',
        listen: false,
        automatic: false,
        as: 'software-service',
        handler: service.fetch,
        capabilities: ordersOnly,
      })
      await Promise.all([session.begin(), session.loadFaults()])
      const started = service.start(session)
      return {
        session,
        async [Symbol.asyncDispose]() {
          await started[Symbol.asyncDispose]()
          await session.close()
        },
      }
    },
    subject: 'software-service',
    channel: 'polling',
    seed: 1,
    sleep: abortableSleep,
    enough: new AbortController().signal,
    tolerances: configurationParts.tolerances().parse({}),
    asks: configurationParts.subject().parse({}).asks,
    faultPhaseMs: calibrationPhaseMs,
    calibration,
    merchants: [],
    width: () => 4,
  })
}

test('the reconcile period, the attempts and their pauses are seen, and then it ends', async () => {
  const [workload] = workloadsOf('software-service')
  if (!workload) throw new Error('there are workloads')
  const schedule = createSchedule(workload.name, [])
  const steady = await createRunner().play([{ schedule, workload }])
  const entries = calibrationEntries([{ workload, points: steady.points[0] ?? [] }], ['polling'])
  expect(entries).toHaveLength(2)
  const { pace, tookMs, results } = await createRunner('fresh').play(entries)
  const { reconcileMs = 0, retryGapMs = 0 } = pace
  expect(reconcileMs).toBeGreaterThan(11_000)
  expect(reconcileMs).toBeLessThan(16_000)
  // Its pause after four attempts is as long as its reconcile period.
  expect(pace.attempts).toBeGreaterThan(3)
  expect(retryGapMs).toBeGreaterThan(10_000)
  expect(convergeMsOf(pace, 120_000)).toBeLessThan(60_000)
  expect(tookMs).toBeLessThan(calibrationPhaseMs)
  expect(results.flatMap(({ failures }) => failures)).toEqual([])
  expect(results[0]?.traces['o1']).not.toMatch(/CONCLUDED/)
  // A service that is kept ends its orders.
  const kept = await createRunner('kept').play(entries)
  expect(kept.results[0]?.traces['o1']).toMatch(/CONCLUDED/)
  expect(kept.tookMs).toBeGreaterThan(tookMs)
})

test('a call fails before it takes effect: one that had its effect need not be tried again', async () => {
  const [workload] = workloadsOf('software-service')
  if (!workload) throw new Error('there are workloads')
  const match = { operation: 'confirmOrder', order: 'o1', nth: 1 } as const
  const observed = [{ workload, points: [{ kind: 'answer', match } as const] }]
  const [failing] = calibrationEntries(observed, ['polling'])
  expect(failing?.schedule.faults).toMatchObject([
    { name: 'fail', burst: 'outlast', options: { effect: 'before' } },
  ])
})

test('faults stay in force until the attempts that were learned are over, as long as the campaign has time for it', () => {
  const quick = { attemptsMs: 7000 }
  const patient = { attemptsMs: 35_000 }
  expect(faultPhaseMsOf(24_000, quick, 60_000)).toBe(18_000)
  expect(faultPhaseMsOf(24_000, patient, 60_000)).toBe(35_000)
  expect(faultPhaseMsOf(24_000, patient, 30_000)).toBe(30_000)
  expect(faultPhaseMsOf(24_000, {}, 60_000)).toBe(18_000)
})
