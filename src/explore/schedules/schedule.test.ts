import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createSchedule,
  faultClass,
  faultSpecOf,
  isSharedFault,
  type ScheduledFault,
  scheduledFaultText,
  scheduleHash,
  scheduleText,
  sessionKey,
} from './schedule.ts'

const drop: ScheduledFault = {
  name: 'drop',
  match: { event: 'CONFIRMED', order: 'o1', channel: 'polling' },
  options: {},
}
const failing: ScheduledFault = {
  name: 'fail',
  match: { operation: 'getOrder', order: 'o2' },
  options: { status: 503 },
  burst: 'outlast',
}
const poll: ScheduledFault = {
  name: 'hang',
  match: { operation: 'pollingEvents', nth: 2 },
  options: { effect: 'before' },
}

const anyFault: fc.Arbitrary<ScheduledFault> = fc.record({
  name: fc.constantFrom('drop', 'delay', 'fail'),
  match: fc.record(
    {
      event: fc.constantFrom('CREATED', 'CONFIRMED'),
      order: fc.constantFrom('o1', 'o2'),
      nth: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: [] },
  ),
  options: fc.constant({}),
})

describe('a schedule', () => {
  test('has its faults in the same order, however they were given', () => {
    const given = fc.array(anyFault, { maxLength: 8 })
    const shuffled = given.chain((faults) =>
      fc.tuple(fc.constant(faults), fc.shuffledSubarray(faults, { minLength: faults.length })),
    )
    fc.assert(
      fc.property(shuffled, ([faults, others]) => {
        expect(createSchedule('delivery', others)).toEqual(createSchedule('delivery', faults))
      }),
    )
  })

  test('has a fault once, though it was given twice', () => {
    const { faults } = createSchedule('delivery', [drop, poll, { ...drop }])
    expect(faults).toEqual([drop, poll])
  })

  test('is one line: workload, what is left of it, and its faults', () => {
    const trim = { orders: ['o1', 'o2'], steps: 2, faultPhaseMs: 4000 }
    expect(scheduleText(createSchedule('delivery', [poll, drop], trim))).toBe(
      'delivery (only o1, o2, first 2 steps, faults for 4000 ms)' +
        ' | drop:event=CONFIRMED,channel=polling,order=o1' +
        ' | hang:effect=before,operation=pollingEvents,nth=2',
    )
    expect(scheduleText(createSchedule('delivery', []))).toBe('delivery')
  })

  test('has the hash of every schedule that is equal, and of no other', () => {
    const hash = scheduleHash(createSchedule('delivery', [drop, failing]))
    expect(hash).toMatch(/^[0-9a-f]{16}$/)
    expect(scheduleHash(createSchedule('delivery', [{ ...failing }, { ...drop }]))).toBe(hash)
    const others = [
      createSchedule('takeout', [drop, failing]),
      createSchedule('delivery', [drop]),
      createSchedule('delivery', [drop, failing], { steps: 0 }),
      createSchedule('delivery', [drop, { ...failing, burst: 2 }]),
      createSchedule('delivery', [drop, { ...failing, options: { status: 500 } }]),
      createSchedule('delivery', [drop, { ...failing, match: { ...failing.match, nth: 1 } }]),
    ].map(scheduleHash)
    expect(new Set([hash, ...others]).size).toBe(7)
  })
})

describe('a scheduled fault', () => {
  test('is a fault specification, with the slots of a session in place of its own', () => {
    expect(faultSpecOf(failing, (slot) => `session ${slot}`)).toEqual({
      fail: { status: 503, operation: 'getOrder', order: 'session o2', burst: 'outlast' },
    })
    expect(faultSpecOf(drop)).toEqual({
      drop: { event: 'CONFIRMED', channel: 'polling', order: 'o1' },
    })
    expect(faultSpecOf(poll)).toEqual({
      hang: { effect: 'before', operation: 'pollingEvents', nth: 2 },
    })
  })

  test('is one line, as --fault takes it', () => {
    expect([drop, failing, poll].map(scheduledFaultText)).toEqual([
      'drop:event=CONFIRMED,channel=polling,order=o1',
      'fail:status=503,operation=getOrder,order=o2,burst=outlast',
      'hang:effect=before,operation=pollingEvents,nth=2',
    ])
  })

  test('is shared when it names no order', () => {
    expect([drop, failing, poll].map(isSharedFault)).toEqual([false, false, true])
  })

  test('is of a kind: its name and what it distorts, whatever order, attempt and size', () => {
    expect([drop, failing, poll].map(faultClass)).toEqual([
      'drop polling CONFIRMED',
      'fail getOrder',
      'hang pollingEvents',
    ])
    const { burst: _burst, ...once } = failing
    expect(faultClass({ ...once, match: { ...once.match, order: 'o1', nth: 2 } })).toBe(
      faultClass(failing),
    )
    expect(faultClass({ name: 'no-effect', match: { trigger: 'confirm', order: 'o1' } })).toBe(
      'no-effect confirm',
    )
  })
})

describe('schedules that can run in one session', () => {
  test('share the faults that distort messages about no single order', () => {
    const one = createSchedule('delivery', [drop, poll])
    expect(sessionKey(createSchedule('takeout', [poll, failing]))).toBe(sessionKey(one))
    expect(sessionKey(createSchedule('delivery', [drop]))).not.toBe(sessionKey(one))
  })

  test('keep their faults in force for the same time', () => {
    const long = createSchedule('delivery', [drop], { faultPhaseMs: 150_000 })
    expect(sessionKey(createSchedule('takeout', [], { faultPhaseMs: 150_000 }))).toBe(
      sessionKey(long),
    )
    expect(sessionKey(createSchedule('delivery', [drop]))).not.toBe(sessionKey(long))
    expect(sessionKey(createSchedule('delivery', [], { steps: 1 }))).toBe(
      sessionKey(createSchedule('delivery', [])),
    )
  })
})
