/** What triggers a failure: the message and the way in which it was distorted, whatever fault did it. */
import { describe, expect, test } from 'vitest'
import { createSchedule, type ScheduledFault } from './schedule.ts'
import { faultTriggerOf, triggersOf, withoutTriggers } from './trigger.ts'

const lateEvent: ScheduledFault = {
  name: 'delay',
  match: { event: 'CONFIRMED', order: 'o1', channel: 'polling' },
  options: { by: 300 },
}
const failingCall: ScheduledFault = {
  name: 'fail',
  match: { operation: 'confirmOrder', order: 'o1', nth: 1 },
  options: { status: 500 },
}
const resetCall: ScheduledFault = { ...failingCall, name: 'reset', options: { effect: 'before' } }
const lostWebhook: ScheduledFault = {
  name: 'truncate',
  match: { operation: 'receiveOrderEvent', event: 'CONFIRMED', order: 'o2', nth: 2 },
  options: {},
}

describe('a trigger', () => {
  test('is the same for faults that the service cannot tell apart', () => {
    expect(faultTriggerOf(failingCall)).toBe('failing confirmOrder')
    expect(faultTriggerOf(resetCall)).toBe('failing confirmOrder')
  })

  test('of a webhook that fails is its event, which comes late', () => {
    expect(faultTriggerOf(lateEvent)).toBe('late CONFIRMED')
    expect(faultTriggerOf(lostWebhook)).toBe('late CONFIRMED')
  })

  test('is listed once', () => {
    const schedule = createSchedule('delivery', [lateEvent, failingCall, resetCall, lostWebhook])
    expect(triggersOf(schedule)).toEqual(['failing confirmOrder', 'late CONFIRMED'])
  })
})

describe('without the triggers of known buckets', () => {
  const schedule = createSchedule('delivery', [lateEvent, failingCall], { faultPhaseMs: 5000 })
  const known = [{ schedule: createSchedule('takeout', [resetCall]) }]

  test('the other faults are left, and so is the rest of the schedule', () => {
    expect(withoutTriggers(schedule, known)).toEqual(
      createSchedule('delivery', [lateEvent], { faultPhaseMs: 5000 }),
    )
  })

  test('there is nothing to run when no fault is left, or none is left out', () => {
    expect(withoutTriggers(createSchedule('delivery', [failingCall]), known)).toBeUndefined()
    expect(withoutTriggers(createSchedule('delivery', [lateEvent]), known)).toBeUndefined()
    expect(withoutTriggers(schedule, [])).toBeUndefined()
  })
})
