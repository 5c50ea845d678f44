/** What is drawn around the events that only the partner causes: the first one of an order, and its cancellation. */
import { describe, expect, test } from 'vitest'
import { cancellationSpace, drawMany, exampleSpace } from '../../../../test/support/search-space.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { cancellationRaces } from './cancellation-races.ts'
import { firstEvents } from './first-events.ts'
import { lostEvents } from './lost-events.ts'
import { pairs } from './pairs.ts'

const channelsOf = (faults: readonly ScheduledFault[]): ReadonlySet<string | undefined> =>
  new Set(faults.map(({ match }) => match.channel).filter((each) => each !== undefined))

const isDelivered = ({ match }: ScheduledFault): boolean => match.channel !== undefined

describe('lost events', () => {
  const drawn = drawMany(lostEvents, 400, cancellationSpace)

  test('are lost or late on every channel', () => {
    for (const { faults } of drawn) {
      const events = faults.filter(isDelivered)
      expect(channelsOf(events)).toEqual(new Set(['polling', 'webhook']))
      expect(new Set(events.map(({ name, match }) => `${name} ${match.event}`)).size).toBe(1)
    }
  })

  test('leave a reading to find it out, and every other time all of its attempts fail', () => {
    const withReads = drawn.filter(({ faults }) => !faults.every(isDelivered))
    expect(withReads.length).toBe(200)
    for (const { workload, faults } of withReads) {
      const reads = faults.filter((fault) => !isDelivered(fault))
      const [event] = faults.filter(isDelivered)
      const attempts = reads.map(({ match }) => match.nth ?? 0).sort((one, other) => one - other)
      const [first = 0] = attempts
      expect(attempts).toEqual(Array.from({ length: 8 }, (_, attempt) => first + attempt))
      expect(new Set(reads.map(({ name }) => name)).size).toBe(1)
      // The readings after the events before it succeed.
      const isSecond = event?.match.event === 'CONFIRMED' || workload === 'early'
      expect(first === 2).toBe(isSecond)
    }
  })

  test('say that an order is cancelled, in every workload in which one is', () => {
    const cancellations = drawn.filter(
      ({ faults }) => faults.every(isDelivered) && faults[0]?.match.event === 'CANCELLED',
    )
    expect(new Set(cancellations.map(({ workload }) => workload))).toEqual(
      new Set(['early', 'late']),
    )
  })

  test('come after all, when they are no news any more', () => {
    const late = drawn.filter(
      ({ faults }) => faults.every(isDelivered) && faults[0]?.match.event !== 'CANCELLED',
    )
    expect(late.length).toBeGreaterThan(50)
    for (const { faults } of late)
      for (const { name } of faults) expect(name).toBe('drop-then-deliver')
  })
})

describe('cancellation races', () => {
  const drawn = drawMany(cancellationRaces, 200, cancellationSpace)

  test('make every attempt of one call fail or take long, in a workload with a cancellation', () => {
    for (const { workload, faults } of drawn) {
      expect(['early', 'late']).toContain(workload)
      expect(faults).toHaveLength(1)
      const [{ match, burst } = { match: {} }] = faults
      expect([match.nth, burst]).toEqual([undefined, undefined])
      expect(match.operation).toBeDefined()
    }
  })

  test('begin with what was created without an answer, and with what undoes it', () => {
    const [created, undone] = drawn.flatMap(({ faults }) => faults)
    expect(created).toMatchObject({
      match: { operation: 'createDelivery' },
      options: { effect: 'after' },
    })
    expect(undone?.match.operation).toBe('cancelDelivery')
    expect(undone?.options['effect']).not.toBe('after')
  })

  test('take an answer that is cut for one that says nothing: the call had its effect', () => {
    const races = 8
    const created = drawn.flatMap(({ faults }, turn) => (turn % races === 0 ? faults : []))
    expect(new Set(created.map(({ match }) => match.operation))).toEqual(
      new Set(['createDelivery']),
    )
    expect(created.map(({ options }) => options['effect'])).not.toContain('before')
    expect(created.map(({ name }) => name)).toContain('truncate')
  })

  test('try every operation, and readings that are slow', () => {
    const faults = drawn.flatMap((each) => each.faults)
    expect(new Set(faults.map(({ match }) => match.operation))).toEqual(
      new Set(['getOrder', 'confirmOrder', 'createDelivery', 'cancelDelivery']),
    )
    const slow = faults.filter(({ name }) => name.startsWith('slow-'))
    expect(new Set(slow.map(({ match }) => match.operation))).toEqual(new Set(['getOrder']))
  })
})

describe('first events', () => {
  test('of each order of the largest workload have another fault, until every kind had its turn', () => {
    const drawn = drawMany(firstEvents, 60, exampleSpace).filter((_, turn) => turn % 3 === 0)
    for (const { workload, faults } of drawn) {
      expect(workload).toBe('two')
      expect(new Set(faults.map(({ match }) => match.order))).toEqual(new Set(['o1', 'o2']))
      expect(new Set(faults.map(({ name }) => name)).size).toBe(2)
    }
    const names = drawn.flatMap(({ faults }) => faults.map(({ name }) => name))
    expect(names.slice(0, 4)).toContain('wrong-signature')
    const possible = ['delay', 'duplicate', 'hang', 'reorder', 'reset', 'slow-response']
    expect(names).toEqual(expect.arrayContaining(possible))
  })

  test('come late on every channel, where the order is cancelled meanwhile', () => {
    const drawn = drawMany(firstEvents, 60, cancellationSpace).filter((_, turn) => turn % 3 !== 0)
    expect(new Set(drawn.map(({ workload }) => workload))).toEqual(new Set(['early', 'late']))
    for (const { faults } of drawn) {
      expect(channelsOf(faults)).toEqual(new Set(['polling', 'webhook']))
      expect(faults.every(({ match }) => match.event === 'CREATED')).toBe(true)
    }
  })
})

test('of two attempts of a call the first fails by itself, and the second in most schedules because of the client', () => {
  const drawn = drawMany(pairs, 150, cancellationSpace).filter((_, turn) => turn % 3 < 2)
  const seconds = drawn.flatMap(({ workload, faults }) => {
    expect(workload).toBe('delivery')
    const first = faults.find(({ match }) => match.nth === 1)
    const second = faults.find(({ match }) => match.nth === 2)
    expect(first?.match.operation).toBe(second?.match.operation)
    expect(['rate-limit', 'unauthorized']).not.toContain(first?.name)
    return second ? [second] : []
  })
  expect(seconds).toHaveLength(100)
  expect(seconds[0]?.match.operation).toBe('createDelivery')
  const ofClient = seconds.filter(({ name }) => ['rate-limit', 'unauthorized'].includes(name))
  expect(ofClient.length).toBeGreaterThan(60)
})
