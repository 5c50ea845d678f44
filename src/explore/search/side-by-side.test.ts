import { expect, test } from 'vitest'
import { createSchedule, type ScheduledFault, sessionKey } from '../schedules/schedule.ts'
import { sideBySide } from './side-by-side.ts'
import { createWorkload } from '../workloads/workload.ts'

const workload = (name: string, session?: { readonly tolerances: { readonly grace: string } }) =>
  createWorkload({
    name,
    about: 'An order.',
    subjects: ['software-service'],
    orders: { o1: { type: 'TAKEOUT' } },
    ...(session ? { session } : {}),
  })
const workloads = new Map(
  [workload('one'), workload('other'), workload('own', { tolerances: { grace: '1s' } })].map(
    (each) => [each.name, each],
  ),
)
const fault = (order: string | undefined, nth: number): ScheduledFault => ({
  name: 'fail',
  match: {
    operation: order === undefined ? 'pollingEvents' : 'getOrder',
    nth,
    ...(order === undefined ? {} : { order }),
  },
  options: {},
})

test('schedules with the same shared faults run side by side, so many in one session', () => {
  const five = [1, 2, 3, 4, 5].map((nth) => createSchedule('one', [fault('o1', nth)]))
  expect(sideBySide(five, workloads, 2).map((group) => group.length)).toEqual([2, 2, 1])
  expect(sideBySide(five, workloads, 2).flat()).toEqual(five)
  expect(sideBySide(five, workloads, 16)).toEqual([five])
})

test('schedules with other shared faults run in another session', () => {
  const schedules = [
    createSchedule('one', [fault(undefined, 1)]),
    createSchedule('other', []),
    createSchedule('other', [fault('o1', 1), fault(undefined, 1)]),
  ]
  const groups = sideBySide(schedules, workloads, 16)
  expect(groups.map((group) => group.map(({ workload: name }) => name))).toEqual([
    ['one', 'other'],
    ['other'],
  ])
  for (const group of groups) expect(new Set(group.map(sessionKey)).size).toBe(1)
})

test('a long rate limit of a schedule holds back no other schedule, but such as have one too', () => {
  const limited = (order: string, by: number): ScheduledFault => ({
    name: 'rate-limit',
    match: { operation: 'confirmOrder', nth: 1, order },
    options: { retry: 'seconds', by },
  })
  const [plain, long, short, another] = [
    [fault('o1', 1)],
    [limited('o1', 30_000)],
    [limited('o1', 1000)],
    [limited('o1', 30_000), fault('o1', 2)],
  ].map((faults) => createSchedule('one', faults))
  const all = [plain, long, short, another].flatMap((each) => each ?? [])
  expect(sideBySide(all, workloads, 16)).toEqual([
    [plain, short],
    [long, another],
  ])
})

test('a workload with settings of its own runs alone', () => {
  const schedules = [
    createSchedule('own', []),
    createSchedule('one', []),
    createSchedule('own', []),
  ]
  expect(sideBySide(schedules, workloads, 16).map((group) => group.length)).toEqual([1, 1, 1])
})

test('nothing to run is no session', () => {
  expect(sideBySide([], workloads, 16)).toEqual([])
})
