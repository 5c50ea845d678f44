/** Which messages a fault matches and how many of them: by content, never by a count of all traffic. */
import { expect, test } from 'vitest'
import { openFaultyEngine, type FaultyEngine } from '../../../../test/support/faulty-engine.ts'
import { couldAnyFaultMatch } from './match.ts'

/** An order from creation to the end on the polling channel: five events. */
const runOrder = (engine: FaultyEngine, id: string): FaultyEngine =>
  engine
    .order(id)
    .apply(id, 'confirm', 'preparing', 'ready-for-pickup', 'dispatch', 'delivered')
    .pass(0)

const types = (engine: FaultyEngine, id: string): readonly string[] =>
  engine
    .handovers()
    .filter((line) => line.startsWith(`${id} `))
    .map((line) => line.split(' ')[1] ?? '')

test('event: matches that event type only', () => {
  const engine = runOrder(
    openFaultyEngine().fault({ drop: { event: ['CONFIRMED', 'READY_FOR_PICKUP'] } }),
    'a',
  )
  expect(types(engine, 'a')).toEqual(['CREATED', 'PREPARING', 'DISPATCHED', 'DELIVERED'])
})

test('nth is counted per order, whatever else happens between', () => {
  const engine = openFaultyEngine().fault({ duplicate: { nth: 2 } })
  engine.order('a').order('b').apply('a', 'confirm').apply('b', 'confirm', 'preparing').pass(0)
  expect(types(engine, 'a')).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED'])
  expect(types(engine, 'b')).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED', 'PREPARING'])
})

test('nth counts only messages on which the fault acts: CREATED is never dropped', () => {
  const engine = runOrder(openFaultyEngine().fault('drop:nth=1'), 'a')
  expect(types(engine, 'a').slice(0, 2)).toEqual(['CREATED', 'PREPARING'])
})

test('nth also counts messages that another fault distorted, in whichever order they were added', () => {
  const second = { reset: { operation: 'getOrder', nth: 2 } }
  const others = [
    { fail: { operation: 'getOrder', burst: 1 } },
    { fail: { operation: 'getOrder', nth: 1 } },
  ]
  for (const other of others)
    for (const faults of [
      [other, second],
      [second, other],
    ]) {
      const engine = openFaultyEngine()
      for (const each of faults) engine.fault(each)
      engine.order('a')
      const ask = (): string | undefined =>
        engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: 'a' })
      expect([ask(), ask(), ask()]).toEqual(['fail', 'reset', undefined])
    }
})

test('a message is distorted by one fault only, and the draws of the others do not change', () => {
  const outcomes = (before: readonly unknown[]): readonly (string | undefined)[] => {
    const engine = openFaultyEngine({ seed: 3 })
    for (const each of before) engine.fault(each)
    engine.fault({ reset: { operation: 'getOrder', percent: 50 } }).order('a')
    return Array.from({ length: 12 }, () =>
      engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
    )
  }
  const alone = outcomes([])
  const behind = outcomes([{ fail: { operation: 'getOrder', burst: 3 } }])
  expect(behind.slice(0, 3)).toEqual(['fail', 'fail', 'fail'])
  expect(behind.slice(3)).toEqual(alone.slice(3))
  expect(new Set(alone)).toEqual(new Set(['reset', undefined]))
})

test('order: matches by slot or by id', () => {
  for (const order of ['o2', 'b']) {
    const engine = openFaultyEngine().fault({ drop: { event: 'CONFIRMED', order } })
    for (const id of ['a', 'b', 'c']) runOrder(engine, id)
    expect(engine.fired()).toEqual(['drop on ev(o2,CONFIRMED,polling)'])
    expect(types(engine, 'b')).not.toContain('CONFIRMED')
    expect(types(engine, 'a')).toContain('CONFIRMED')
  }
})

test('after: not before an event of the same order was handed over', () => {
  const engine = openFaultyEngine().fault({ duplicate: { after: 'PREPARING' } })
  runOrder(runOrder(engine, 'a'), 'b')
  expect(engine.fired()).toEqual([])
  engine.apply('a', 'conclude').pass(0)
  expect(engine.fired()).toEqual(['duplicate on ev(o1,CONCLUDED,polling)'])
})

test('after: depends on handovers, not on emitted events', () => {
  const engine = openFaultyEngine().fault({ duplicate: { after: 'CREATED', limit: 1 } })
  engine.order('a').apply('a', 'confirm')
  expect(engine.fired()).toEqual([])
  engine.pass(0).apply('a', 'preparing').pass(0)
  expect(engine.fired()).toEqual(['duplicate on ev(o1,PREPARING,polling)'])
})

test('limit: after that many distortions the fault is spent', () => {
  const engine = openFaultyEngine().fault({ drop: { event: 'CONFIRMED', limit: 2 } })
  for (const id of ['a', 'b', 'c']) runOrder(engine, id)
  expect(engine.fired()).toHaveLength(2)
  expect([...engine.engine.world.faults.live]).toEqual([])
  expect([...engine.engine.world.faults.over.values()]).toMatchObject([{ fired: 2, over: 'spent' }])
})

test('for: the fault expires after its duration', () => {
  const engine = openFaultyEngine().fault('drop:event=CONFIRMED,for=10s')
  runOrder(engine.pass(9999), 'a')
  runOrder(engine.pass(1), 'b')
  expect(types(engine, 'a')).not.toContain('CONFIRMED')
  expect(types(engine, 'b')).toContain('CONFIRMED')
  expect([...engine.engine.world.faults.over.values()]).toMatchObject([{ over: 'expired' }])
})

test('merchant: matches its events, its calls, and polls that return events of it', () => {
  const engine = openFaultyEngine()
    .fault({ fail: { merchant: 'merchant-1' } })
    .order('a')
    .pass(0)
  const event = { eventType: 'CREATED', orderId: 'a' }
  expect(engine.requestFault({ operation: 'getOrder', orderId: 'a' })).toBe('fail')
  expect(engine.requestFault({ operation: 'pollingEvents', events: [event] })).toBe('fail')
  expect(engine.requestFault({ operation: 'pollingEvents' })).toBeUndefined()
  expect(engine.requestFault({ operation: 'getOrder', orderId: 'stranger' })).toBeUndefined()
  const other = openFaultyEngine()
    .fault({ fail: { merchant: 'merchant-2' } })
    .order('a')
    .pass(0)
  expect(other.requestFault({ operation: 'getOrder', orderId: 'a' })).toBeUndefined()
  expect(other.requestFault({ operation: 'pollingEvents', events: [event] })).toBeUndefined()
})

test('all conditions of an anchor must hold for one and the same event of a poll', () => {
  const engine = openFaultyEngine().fault({ fail: { event: 'CONFIRMED', order: 'o2' } })
  engine.order('a').order('b')
  const poll = (...events: readonly (readonly [string, string])[]): string | undefined =>
    engine.requestFault({
      operation: 'pollingEvents',
      events: events.map(([eventType, orderId]) => ({ eventType, orderId })),
    })
  expect(poll(['CONFIRMED', 'a'], ['CREATED', 'b'])).toBeUndefined()
  expect(poll(['CREATED', 'b'], ['CONFIRMED', 'b'])).toBe('fail')
})

test('order: polls are inspected while events of that order wait, by its id or by its slot', () => {
  const engine = openFaultyEngine()
    .fault({ fail: { order: 'o2' } })
    .order('o2')
    .order('b')
    .pass(0)
  const { world } = engine.engine
  const mayMatch = () => couldAnyFaultMatch(world, { kind: 'answer', operation: 'pollingEvents' })
  const acknowledge = (orderId: string) =>
    engine.submit({
      kind: 'events.acknowledge',
      eventIds: world.ordering.orders.get(orderId)?.eventIds ?? [],
    })
  expect(mayMatch()).toBe(true)
  acknowledge('b')
  expect(mayMatch()).toBe(true)
  acknowledge('o2')
  expect(mayMatch()).toBe(false)
})

test('burst: counts attempts of the same call, each call separately', () => {
  const engine = openFaultyEngine().fault({ fail: { operation: 'confirmOrder', burst: 2 } })
  const ask = (orderId: string): string | undefined =>
    engine.requestFault({ operation: 'confirmOrder', orderId })
  expect([ask('a'), ask('a'), ask('a'), ask('a')]).toEqual(['fail', 'fail', undefined, undefined])
  expect([ask('b'), ask('b'), ask('b')]).toEqual(['fail', 'fail', undefined])
})

test('burst: polls are counted whatever events they return', () => {
  const engine = openFaultyEngine()
    .fault({ fail: { operation: 'pollingEvents', burst: 2 } })
    .order('a')
  const events = [{ eventType: 'CREATED', orderId: 'a' }]
  expect(engine.requestFault({ operation: 'pollingEvents' })).toBe('fail')
  expect(engine.requestFault({ operation: 'pollingEvents', events })).toBe('fail')
  expect(engine.requestFault({ operation: 'pollingEvents', events })).toBeUndefined()
})

test('burst: a poll that was let through is over, and the next one is another call', () => {
  const polls = (spec: unknown, count: number): string => {
    const engine = openFaultyEngine({ seed: 3 }).fault(spec)
    return Array.from({ length: count }, () =>
      engine.requestFault({ operation: 'pollingEvents' }) === undefined ? '.' : 'x',
    ).join('')
  }
  expect(polls({ fail: { operation: 'pollingEvents', burst: 2 } }, 7)).toBe('xx.xx.x')
  expect(polls({ fail: { operation: 'pollingEvents', burst: 2, limit: 2 } }, 7)).toBe('xx.....')
  // With a share of a hundred cases as well, the faults do not end after the first few.
  const drawn = polls({ fail: { operation: 'pollingEvents', percent: 50, burst: 2 } }, 60)
  expect(drawn).not.toContain('xxx')
  expect(drawn.slice(30)).toContain('x')
})

test.each([
  ['tries again after 1, 2 and 4 seconds', [0, 1000, 2000, 4000]],
  ['waits for 8 seconds each time', [0, 8000, 8000]],
  ['tries once', [0]],
])('outlast: whoever %s fails until it gives up, and once more', (_what, pauses) => {
  const engine = openFaultyEngine().fault({ fail: { operation: 'confirmOrder', burst: 'outlast' } })
  const ask = (): string | undefined =>
    engine.requestFault({ operation: 'confirmOrder', orderId: 'a' })
  const chain = (first: number): readonly (string | undefined)[] =>
    pauses.map((pause, index) => {
      engine.pass(index === 0 ? first : pause)
      return ask()
    })
  expect(new Set(chain(0))).toEqual(new Set(['fail']))
  expect(chain(60_000)).toEqual(['fail', ...pauses.slice(1).map(() => undefined)])
  expect(new Set(chain(60_000))).toEqual(new Set([undefined]))
})

test('outlast: a caller that never gives up is let through in the end', () => {
  const engine = openFaultyEngine().fault({ fail: { operation: 'confirmOrder', burst: 'outlast' } })
  let failed = 0
  for (let attempt = 0; attempt < 40; attempt++) {
    engine.pass(1000)
    if (engine.requestFault({ operation: 'confirmOrder', orderId: 'a' })) failed++
  }
  expect(failed).toBe(25)
})

test('percent draws by the content of a message: other traffic does not change the result', () => {
  const fired = (others: readonly string[]): readonly string[] => {
    const engine = openFaultyEngine({ seed: 4 }).fault({ duplicate: { percent: 50 } })
    runOrder(runOrder(engine, 'a'), 'b')
    for (const id of others) runOrder(engine, id)
    for (let poll = 0; poll < others.length; poll++)
      engine.requestFault({ operation: 'pollingEvents' })
    return engine.fired().filter((line) => /o[12],/.test(line))
  }
  const alone = fired([])
  expect(alone.length).toBeGreaterThan(1)
  expect(alone.length).toBeLessThan(12)
  expect(fired(['c', 'd', 'e'])).toEqual(alone)
})

test('percent of a call depends on its count among calls of its kind: polls between do not matter', () => {
  const outcomes = (polls: number): readonly (string | undefined)[] => {
    const engine = openFaultyEngine({ seed: 3 })
      .fault({ fail: { percent: 50 } })
      .order('a')
    return Array.from({ length: 12 }, () => {
      for (let poll = 0; poll < polls; poll++) engine.requestFault({ operation: 'pollingEvents' })
      return engine.requestFault({ operation: 'getOrder', orderId: 'a' })
    })
  }
  expect(new Set(outcomes(0))).toEqual(new Set(['fail', undefined]))
  expect(outcomes(5)).toEqual(outcomes(0))
})

test('the draw of the distortion is independent of the draw for percent', () => {
  const engine = openFaultyEngine({ seed: 5 }).fault('batch:as=shuffle,percent=10')
  const draws: number[] = []
  for (let order = 0; order < 300; order++) {
    const orderId = `order ${order}`
    const meeting = {
      kind: 'answer',
      operation: 'pollingEvents',
      method: 'GET',
      from: 'software-service',
      to: 'ordering-application',
      events: [
        { eventType: 'CREATED', orderId },
        { eventType: 'CONFIRMED', orderId },
      ],
    } as const
    for (const fact of engine.submit({ kind: 'fault.meet', meeting }))
      if (fact.kind === 'fault.fired' && fact.distortion?.change?.kind === 'shuffle')
        draws.push(fact.distortion.change.draw)
  }
  expect(draws.length).toBeGreaterThan(15)
  // Spread over the whole range, not only its lowest tenth.
  expect(draws.filter((draw) => draw > 500_000).length).toBeGreaterThan(draws.length / 5)
})

test('percent hits about that share, and a storm draws every fault', () => {
  const engine = openFaultyEngine({ seed: 5 }).fault({ fail: { percent: 20 } })
  let fired = 0
  for (let order = 0; order < 1000; order++)
    if (engine.requestFault({ operation: 'getOrder', orderId: `order ${order}` })) fired++
  expect(fired).toBeGreaterThan(160)
  expect(fired).toBeLessThan(240)

  const storm = openFaultyEngine({ seed: 5 }).fault({ storm: { percent: 10 } })
  const names = new Map<string, number>()
  for (let order = 0; order < 2000; order++) {
    const name = storm.requestFault({ operation: 'getOrder', orderId: `order ${order}` })
    if (name) names.set(name, (names.get(name) ?? 0) + 1)
  }
  // All faults that can act on a GET are drawn, and none dominates.
  expect(names.size).toBeGreaterThan(6)
  expect(Math.max(...names.values())).toBeLessThan(3 * Math.min(...names.values()) + 20)
})

test('channel: matches its events, webhooks, polls and acknowledgments only', () => {
  const called = { kind: 'call', operation: 'receiveOrderEvent', orderId: 'a' } as const
  const met = (channel: string): readonly (string | undefined)[] => {
    const engine = openFaultyEngine().fault(`reset:channel=${channel}`).order('a')
    return [
      engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
      engine.requestFault({ operation: 'pollingEvents', method: 'GET' }),
      engine.requestFault({ operation: 'acknowledgeEvents' }),
      engine.requestFault(called),
    ]
  }
  expect(met('polling')).toEqual([undefined, 'reset', 'reset', undefined])
  expect(met('webhook')).toEqual([undefined, undefined, undefined, 'reset'])
})
