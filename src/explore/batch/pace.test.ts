/** The pace of a service, learned from its traffic: that of the reference service in process, whose pace is known. */
import { describe, expect, test } from 'vitest'
import {
  createReferenceRunner,
  type ReferenceRunnerOptions,
} from '../../../test/support/reference-runner.ts'
import { quantile } from './pace.ts'
import type { SubjectPace } from '../schedules/result.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { workloadsOf } from '../workloads/workloads.ts'

const [delivery] = workloadsOf('software-service')

async function paceOf(
  options: Omit<ReferenceRunnerOptions, 'seed'>,
  faults: readonly ScheduledFault[] = [],
): Promise<SubjectPace> {
  if (!delivery) throw new Error('there is no workload')
  const schedule = createSchedule(delivery.name, faults)
  const runner = createReferenceRunner({ seed: 1, ...options })
  return (await runner.play([{ schedule, workload: delivery }])).pace
}

describe('the pace of a service', () => {
  test('is how often it polls', async () => {
    const slow = await paceOf({ channel: 'polling', pace: { pollMs: 3000 } })
    expect(slow.pollMs).toBe(3000)
    expect((await paceOf({ channel: 'polling' })).pollMs).toBe(1000)
    expect((await paceOf({ channel: 'webhook' })).pollMs).toBeUndefined()
  })

  test('is how often it tries a call that fails, and how long it waits at most', async () => {
    const failing: ScheduledFault = {
      name: 'fail',
      match: { operation: 'confirmOrder', order: 'o1' },
      options: { status: 503, effect: 'before' },
      burst: 'outlast',
    }
    // A pause of more than half a minute begins a new chain of attempts.
    const pace = { reconcileMs: 60_000 }
    const retried = await paceOf({ channel: 'polling', pace }, [failing])
    expect(retried.attempts).toBe(4)
    expect(retried.retryGapMs).toBeGreaterThan(2500)
    expect(retried.retryGapMs).toBeLessThan(8000)
    expect(retried.attemptsMs).toBeGreaterThan(5000)
    expect(retried.attemptsMs).toBeLessThan(12_000)
    const quiet = await paceOf({ channel: 'polling' })
    expect(quiet.attemptsMs).toBeUndefined()
    expect(quiet.attempts).toBe(1)
    expect(quiet.retryGapMs).toBeUndefined()
  })

  test('is how soon it reacts to an event', async () => {
    const { reactionMs } = await paceOf({ channel: 'polling' })
    expect(reactionMs).toBeGreaterThanOrEqual(0)
    expect(reactionMs).toBeLessThan(1000)
  })

  test('is how long a step of an order takes it: cooking is no failure to recover', async () => {
    const slow = await paceOf({ channel: 'polling', pace: { thinkMs: 40_000 } })
    expect(slow.stepMs).toBeGreaterThanOrEqual(40_000)
    expect(slow.stepMs).toBeLessThan(50_000)
    expect((await paceOf({ channel: 'polling' })).stepMs).toBeLessThan(10_000)
  })

  test('is how soon it answers webhooks', async () => {
    expect((await paceOf({ channel: 'webhook' })).answerMs).toBeGreaterThanOrEqual(0)
  })
})

test('a quantile is the value below which this share lies', () => {
  const values = [5, 1, 4, 2, 3]
  expect([0, 0.5, 0.9, 1].map((share) => quantile(values, share))).toEqual([1, 3, 5, 5])
  expect(quantile([7], 0.5)).toBe(7)
  expect(quantile([], 0.5)).toBeUndefined()
  expect(values).toEqual([5, 1, 4, 2, 3])
})
