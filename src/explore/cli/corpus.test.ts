/** A kept scenario, written and read again, is the schedule that it was made of. */
import { expect, test } from 'vitest'
import { parseYamlText } from '../../core/runtime/files/source-location.ts'
import { scenarioOfSchedule } from '../schedules/scenario-of-schedule.ts'
import { createSchedule, type Schedule } from '../schedules/schedule.ts'
import { trimWorkload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { roles } from '../../core/protocol/role.ts'
import { yamlText } from '../../core/scenario/yaml-text.ts'
import { scheduleOfScenario, type WrittenScenario } from './corpus.ts'

const faultPhaseMs = 17_000

/** As a file holds it. */
function writtenScenario(
  schedule: Schedule,
  channel: 'polling' | 'webhook' | 'both',
  more: WrittenScenario = {},
): WrittenScenario {
  const whole = roles
    .flatMap(workloadsOf)
    .find(
      ({ name, subjects }) => name === schedule.workload && subjects.includes('software-service'),
    )
  if (!whole) throw new Error(`there is no workload ${schedule.workload}`)
  const workload = trimWorkload(whole, schedule.trim)
  const scenario = scenarioOfSchedule({ schedule, workload, channel, faultPhaseMs })
  return parseYamlText(yamlText({ ...scenario, ...more })).value as WrittenScenario
}

const faults = createSchedule('', [
  { name: 'drop', match: { event: 'CONFIRMED', order: 'o1', channel: 'polling' }, options: {} },
  {
    name: 'fail',
    match: { operation: 'getOrder', order: 'o1' },
    options: { status: 503, effect: 'before' },
    burst: 'outlast',
  },
  { name: 'hang', match: { operation: 'pollingEvents', nth: 2 }, options: { effect: 'after' } },
]).faults

test.each(workloadsOf('software-service').map((each) => [each.name, each] as const))(
  'of the workload %s, whole and trimmed',
  (name, { steps, isExclusive, orders }) => {
    const trims: readonly NonNullable<Schedule['trim']>[] = [
      {},
      ...(isExclusive || steps.length === 0 ? [] : [{ steps: steps.length - 1 }]),
      ...(isExclusive || Object.keys(orders).length < 2 ? [] : [{ orders: ['o1'] }]),
    ]
    for (const trim of trims) {
      const schedule = createSchedule(name, faults, { ...trim, faultPhaseMs })
      const scenario = writtenScenario(schedule, 'polling', { name: 'RT-6 by something' })
      const read = scheduleOfScenario(scenario, workloadsOf('software-service'), 'polling')
      // Two workloads may be the same when they are trimmed: what is played is what counts.
      const again = read && writtenScenario(read, 'polling')
      const parts = ['orders', 'steps', 'faults', 'session'] as const
      for (const part of parts) expect(again?.[part]).toEqual(scenario[part])
    }
  },
)

test('limits of the rules do not matter; another channel, other steps and unknown faults do', () => {
  const workloads = workloadsOf('software-service')
  const schedule = createSchedule('takeout', faults, { faultPhaseMs })
  const read = (more: WrittenScenario, channel: 'polling' | 'webhook' = 'polling') =>
    scheduleOfScenario(writtenScenario(schedule, 'polling', more), workloads, channel)
  expect(read({ session: { tolerances: { converge: '20s' } } })).toEqual(schedule)
  expect(read({}, 'webhook')).toBeUndefined()
  expect(read({ session: { conduct: { strict: true } } })).toBeUndefined()
  expect(read({ steps: [{ advance: '1s' }, { advance: '17s' }] })).toBeUndefined()
  expect(read({ steps: [] })).toBeUndefined()
  expect(read({ faults: ['peak-hour'] })).toBeUndefined()
  expect(scheduleOfScenario({}, workloads, 'polling')).toBeUndefined()
})
