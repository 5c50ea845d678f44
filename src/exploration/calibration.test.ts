/** What a calibration learns, from the reference service in process, and the time to recover that follows from it. */
import { expect, test } from 'vitest'
import { abortableSleep } from '../session/abortable-sleep.ts'
import { configurationParts } from '../configuration/schema.ts'
import { ordersOnly } from '../../test/support/orders-only.ts'
import { createInProcessService } from '../../test/support/in-process-service.ts'
import { prepareSession } from '../session/session.ts'
import { calibrationEntries, calibrationPhaseMs, convergeMsOf } from './calibration.ts'
import { createSessionRunner } from './session-runner.ts'
import { createSchedule } from './schedule.ts'
import { workloadsOf } from './workloads.ts'

test('the time to recover: two reconcile periods and three polls, at least 20 s, at most the default', () => {
  expect(convergeMsOf({ reconcileMs: 15_000, pollMs: 1000 }, 120_000)).toBe(33_000)
  expect(convergeMsOf({ reconcileMs: 400, pollMs: 20 }, 120_000)).toBe(20_000)
  expect(convergeMsOf({ reconcileMs: 300_000, pollMs: 30_000 }, 120_000)).toBe(120_000)
  expect(convergeMsOf({ reconcileMs: 1000, retryGapMs: 30_000, pollMs: 500 }, 120_000)).toBe(62_000)
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

test('the reconcile period, the attempts and their pauses are seen', async () => {
  const [workload] = workloadsOf('software-service')
  if (!workload) throw new Error('there are workloads')
  const pace = { pollMs: 1000, thinkMs: 200, reconcileMs: 12_000 }
  const runner = createSessionRunner({
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
    merchants: [],
    width: () => 4,
  })
  const steady = await runner.play([{ schedule: createSchedule(workload.name, []), workload }])
  const entries = calibrationEntries([{ workload, points: steady.points[0] ?? [] }], ['polling'])
  expect(entries).toHaveLength(2)
  const { pace: seen } = await runner.play(entries)
  const { reconcileMs = 0 } = seen
  expect(reconcileMs).toBeGreaterThan(11_000)
  expect(reconcileMs).toBeLessThan(16_000)
  expect(seen.attempts).toBeGreaterThan(1)
  expect(seen.retryGapMs).toBeGreaterThan(0)
  expect(convergeMsOf(seen, 120_000)).toBeLessThan(60_000)
})
