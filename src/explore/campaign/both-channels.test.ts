/**
 * What is wrong with one channel shows while the other one works: schedules against the reference service in this
 * process.
 */
import { expect, test } from 'vitest'
import { createReferenceRunner } from '../../../test/support/reference-runner.ts'
import type { DefectName } from '../../demo/defects.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { createWorkload } from '../workloads/workload.ts'

const workload = createWorkload({
  name: 'takeout',
  about: 'An order is picked up.',
  subjects: ['software-service'],
  orders: { o1: { type: 'TAKEOUT' } },
})

/** Until the service has given up once. */
const failingPoll: ScheduledFault = {
  name: 'fail',
  match: { operation: 'pollingEvents' },
  options: { status: 503, effect: 'before' },
  burst: 'outlast',
}

/** The rules that are broken on both channels, and the session time that it takes. */
async function play(
  defects: readonly DefectName[],
  fault: ScheduledFault,
  pace: { readonly pollMs?: number } = {},
) {
  const runner = createReferenceRunner({ seed: 1, defects, channel: 'both', pace })
  const schedule = createSchedule(workload.name, [fault])
  const { results, tookMs } = await runner.play([{ schedule, workload }])
  const broken = new Set(results.flatMap(({ failures }) => failures.map(({ rule }) => rule)))
  return { broken: [...broken].sort(), tookMs }
}

test('[ORD-OPS-01] a poll loop that has died is seen, although webhooks bring every event', async () => {
  const { broken } = await play(['poll-dies-on-error'], failingPoll)
  expect(broken).toEqual(['PO-1'])
  const match = { operation: 'pollingEvents', nth: 3 } as const
  const hung = { name: 'hang', match, options: { effect: 'before' } }
  const { broken: waiting } = await play(['no-poll-timeout'], hung)
  expect(waiting).toContain('PO-1')
})

test.each([600, 1000, 5000, 20_000, 45_000])(
  '[ORD-OPS-01] a loop that polls every %i ms and lives is not blamed, nor waited for',
  async (pollMs) => {
    const { broken, tookMs } = await play([], failingPoll, { pollMs })
    expect(broken).toEqual([])
    // Less than a service has to recover: that of one that stays silent is waited for.
    expect(tookMs).toBeLessThan(90_000 + 4 * pollMs)
  },
)
