/** Which messages a fault means, and how many of them: told by what they are about, never by a count of everything. */
import { expect, test } from 'vitest'
import { openWeather, type Weather } from '../../../test/support/faulty-engine.ts'
import { couldMean } from './match.ts'

/** A life of an order on the polling channel: five events. */
const live = (weather: Weather, id: string): Weather =>
  weather
    .order(id)
    .apply(id, 'confirm', 'preparing', 'ready-for-pickup', 'dispatch', 'delivered')
    .pass(0)

const types = (weather: Weather, id: string): readonly string[] =>
  weather
    .handed()
    .filter((line) => line.startsWith(`${id} `))
    .map((line) => line.split(' ')[1] ?? '')

test('an event type is meant, and nothing else', () => {
  const weather = live(
    openWeather().fault({ drop: { event: ['CONFIRMED', 'READY_FOR_PICKUP'] } }),
    'a',
  )
  expect(types(weather, 'a')).toEqual(['CREATED', 'PREPARING', 'DISPATCHED', 'DELIVERED'])
})

test('nth is counted for each order by itself, whatever else happens between', () => {
  const weather = openWeather().fault({ duplicate: { nth: 2 } })
  weather.order('a').order('b').apply('a', 'confirm').apply('b', 'confirm', 'preparing').pass(0)
  expect(types(weather, 'a')).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED'])
  expect(types(weather, 'b')).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED', 'PREPARING'])
})

test('nth counts those that the fault has something to do with: CREATED is never dropped', () => {
  const weather = live(openWeather().fault('drop:nth=1'), 'a')
  expect(types(weather, 'a').slice(0, 2)).toEqual(['CREATED', 'PREPARING'])
})

test('nth counts what another fault took as well, in whichever order they came into force', () => {
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
      const weather = openWeather()
      for (const each of faults) weather.fault(each)
      weather.order('a')
      const ask = (): string | undefined =>
        weather.meet({ operation: 'getOrder', method: 'GET', orderId: 'a' })
      expect([ask(), ask(), ask()]).toEqual(['fail', 'reset', undefined])
    }
})

test('a message that another fault took is taken by that one alone, and what it would have drawn stays', () => {
  const fates = (before: readonly unknown[]): readonly (string | undefined)[] => {
    const weather = openWeather({ seed: 3 })
    for (const each of before) weather.fault(each)
    weather.fault({ reset: { operation: 'getOrder', percent: 50 } }).order('a')
    return Array.from({ length: 12 }, () =>
      weather.meet({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
    )
  }
  const alone = fates([])
  const behind = fates([{ fail: { operation: 'getOrder', burst: 3 } }])
  expect(behind.slice(0, 3)).toEqual(['fail', 'fail', 'fail'])
  expect(behind.slice(3)).toEqual(alone.slice(3))
  expect(new Set(alone)).toEqual(new Set(['reset', undefined]))
})

test('an order is meant by its slot or by its id', () => {
  for (const order of ['o2', 'b']) {
    const weather = openWeather().fault({ drop: { event: 'CONFIRMED', order } })
    for (const id of ['a', 'b', 'c']) live(weather, id)
    expect(weather.fired()).toEqual(['drop on ev(o2,CONFIRMED,polling)'])
    expect(types(weather, 'b')).not.toContain('CONFIRMED')
    expect(types(weather, 'a')).toContain('CONFIRMED')
  }
})

test('after: not before an event of the same order was handed over', () => {
  const weather = openWeather().fault({ duplicate: { after: 'PREPARING' } })
  live(live(weather, 'a'), 'b')
  expect(weather.fired()).toEqual([])
  weather.apply('a', 'conclude').pass(0)
  expect(weather.fired()).toEqual(['duplicate on ev(o1,CONCLUDED,polling)'])
})

test('after looks at what was handed over, not at what was announced', () => {
  const weather = openWeather().fault({ duplicate: { after: 'CREATED', limit: 1 } })
  weather.order('a').apply('a', 'confirm')
  expect(weather.fired()).toEqual([])
  weather.pass(0).apply('a', 'preparing').pass(0)
  expect(weather.fired()).toEqual(['duplicate on ev(o1,PREPARING,polling)'])
})

test('limit: so many altogether, then it is spent', () => {
  const weather = openWeather().fault({ drop: { event: 'CONFIRMED', limit: 2 } })
  for (const id of ['a', 'b', 'c']) live(weather, id)
  expect(weather.fired()).toHaveLength(2)
  expect([...weather.engine.world.faults.live]).toEqual([])
  expect([...weather.engine.world.faults.over.values()]).toMatchObject([
    { fired: 2, over: 'spent' },
  ])
})

test('for: in force for a while, and then no more', () => {
  const weather = openWeather().fault('drop:event=CONFIRMED,for=10s')
  live(weather.pass(9999), 'a')
  live(weather.pass(1), 'b')
  expect(types(weather, 'a')).not.toContain('CONFIRMED')
  expect(types(weather, 'b')).toContain('CONFIRMED')
  expect([...weather.engine.world.faults.over.values()]).toMatchObject([{ over: 'expired' }])
})

test('a merchant is meant by its events, its calls, and the polls that bring something of it', () => {
  const weather = openWeather()
    .fault({ fail: { merchant: 'merchant-1' } })
    .order('a')
    .pass(0)
  const event = { eventType: 'CREATED', orderId: 'a' }
  expect(weather.meet({ operation: 'getOrder', orderId: 'a' })).toBe('fail')
  expect(weather.meet({ operation: 'pollingEvents', events: [event] })).toBe('fail')
  expect(weather.meet({ operation: 'pollingEvents' })).toBeUndefined()
  expect(weather.meet({ operation: 'getOrder', orderId: 'stranger' })).toBeUndefined()
  const other = openWeather()
    .fault({ fail: { merchant: 'merchant-2' } })
    .order('a')
    .pass(0)
  expect(other.meet({ operation: 'getOrder', orderId: 'a' })).toBeUndefined()
  expect(other.meet({ operation: 'pollingEvents', events: [event] })).toBeUndefined()
})

test('what an anchor asks of an event, one event must be: not this of the one and that of another', () => {
  const weather = openWeather().fault({ fail: { event: 'CONFIRMED', order: 'o2' } })
  weather.order('a').order('b')
  const poll = (...events: readonly (readonly [string, string])[]): string | undefined =>
    weather.meet({
      operation: 'pollingEvents',
      events: events.map(([eventType, orderId]) => ({ eventType, orderId })),
    })
  expect(poll(['CONFIRMED', 'a'], ['CREATED', 'b'])).toBeUndefined()
  expect(poll(['CREATED', 'b'], ['CONFIRMED', 'b'])).toBe('fail')
})

test('a poll is looked into as long as anything waits of the order that is meant, by its id or by its slot', () => {
  const weather = openWeather()
    .fault({ fail: { order: 'o2' } })
    .order('o2')
    .order('b')
    .pass(0)
  const { world } = weather.engine
  const mayMean = () => couldMean(world, { kind: 'answer', operation: 'pollingEvents' })
  const acknowledge = (orderId: string) =>
    weather.say({
      kind: 'events.acknowledge',
      eventIds: world.ordering.orders.get(orderId)?.eventIds ?? [],
    })
  expect(mayMean()).toBe(true)
  acknowledge('b')
  expect(mayMean()).toBe(true)
  acknowledge('o2')
  expect(mayMean()).toBe(false)
})

test('a burst is so many tries of the same call, of each call by itself', () => {
  const weather = openWeather().fault({ fail: { operation: 'confirmOrder', burst: 2 } })
  const ask = (orderId: string): string | undefined =>
    weather.meet({ operation: 'confirmOrder', orderId })
  expect([ask('a'), ask('a'), ask('a'), ask('a')]).toEqual(['fail', 'fail', undefined, undefined])
  expect([ask('b'), ask('b'), ask('b')]).toEqual(['fail', 'fail', undefined])
})

test('a burst of a poll counts polls, whatever they would bring', () => {
  const weather = openWeather()
    .fault({ fail: { operation: 'pollingEvents', burst: 2 } })
    .order('a')
  const events = [{ eventType: 'CREATED', orderId: 'a' }]
  expect(weather.meet({ operation: 'pollingEvents' })).toBe('fail')
  expect(weather.meet({ operation: 'pollingEvents', events })).toBe('fail')
  expect(weather.meet({ operation: 'pollingEvents', events })).toBeUndefined()
})

test.each([
  ['tries again after 1, 2 and 4 seconds', [0, 1000, 2000, 4000]],
  ['waits for 8 seconds each time', [0, 8000, 8000]],
  ['tries once', [0]],
])('outlast: whoever %s fails until it gives up, and once more', (_what, pauses) => {
  const weather = openWeather().fault({ fail: { operation: 'confirmOrder', burst: 'outlast' } })
  const ask = (): string | undefined => weather.meet({ operation: 'confirmOrder', orderId: 'a' })
  const chain = (first: number): readonly (string | undefined)[] =>
    pauses.map((pause, index) => {
      weather.pass(index === 0 ? first : pause)
      return ask()
    })
  expect(new Set(chain(0))).toEqual(new Set(['fail']))
  expect(chain(60_000)).toEqual(['fail', ...pauses.slice(1).map(() => undefined)])
  expect(new Set(chain(60_000))).toEqual(new Set([undefined]))
})

test('outlast: whoever never gives up is let through in the end', () => {
  const weather = openWeather().fault({ fail: { operation: 'confirmOrder', burst: 'outlast' } })
  let failed = 0
  for (let attempt = 0; attempt < 40; attempt++) {
    weather.pass(1000)
    if (weather.meet({ operation: 'confirmOrder', orderId: 'a' })) failed++
  }
  expect(failed).toBe(25)
})

test('percent draws by what a message is about: other traffic changes nothing for it', () => {
  const fired = (others: readonly string[]): readonly string[] => {
    const weather = openWeather({ seed: 4 }).fault({ duplicate: { percent: 50 } })
    live(live(weather, 'a'), 'b')
    for (const id of others) live(weather, id)
    for (let poll = 0; poll < others.length; poll++) weather.meet({ operation: 'pollingEvents' })
    return weather.fired().filter((line) => /o[12],/.test(line))
  }
  const alone = fired([])
  expect(alone.length).toBeGreaterThan(1)
  expect(alone.length).toBeLessThan(12)
  expect(fired(['c', 'd', 'e'])).toEqual(alone)
})

test('percent of a call goes by the how many-eth of its kind it is: the polls between do not count', () => {
  const fates = (polls: number): readonly (string | undefined)[] => {
    const weather = openWeather({ seed: 3 })
      .fault({ fail: { percent: 50 } })
      .order('a')
    return Array.from({ length: 12 }, () => {
      for (let poll = 0; poll < polls; poll++) weather.meet({ operation: 'pollingEvents' })
      return weather.meet({ operation: 'getOrder', orderId: 'a' })
    })
  }
  expect(new Set(fates(0))).toEqual(new Set(['fail', undefined]))
  expect(fates(5)).toEqual(fates(0))
})

test('what is drawn for a hit is not what made it one', () => {
  const weather = openWeather({ seed: 5 }).fault('batch:as=shuffle,percent=10')
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
    for (const fact of weather.say({ kind: 'fault.meet', meeting }))
      if (fact.kind === 'fault.fired' && fact.distortion?.change?.kind === 'shuffle')
        draws.push(fact.distortion.change.draw)
  }
  expect(draws.length).toBeGreaterThan(15)
  // From all over the range, not from the lowest tenth of it.
  expect(draws.filter((draw) => draw > 500_000).length).toBeGreaterThan(draws.length / 5)
})

test('percent hits about so many, and a storm draws each fault in its turn', () => {
  const weather = openWeather({ seed: 5 }).fault({ fail: { percent: 20 } })
  let fired = 0
  for (let order = 0; order < 1000; order++)
    if (weather.meet({ operation: 'getOrder', orderId: `order ${order}` })) fired++
  expect(fired).toBeGreaterThan(160)
  expect(fired).toBeLessThan(240)

  const storm = openWeather({ seed: 5 }).fault({ storm: { percent: 10 } })
  const names = new Map<string, number>()
  for (let order = 0; order < 2000; order++) {
    const name = storm.meet({ operation: 'getOrder', orderId: `order ${order}` })
    if (name) names.set(name, (names.get(name) ?? 0) + 1)
  }
  // Each in its turn: none of those that may happen to a GET is left out, and none crowds out the others.
  expect(names.size).toBeGreaterThan(6)
  expect(Math.max(...names.values())).toBeLessThan(3 * Math.min(...names.values()) + 20)
})

test('a channel is meant by its events, its webhooks, its polls and acknowledgments, and by nothing else', () => {
  const called = { kind: 'call', operation: 'receiveOrderEvent', orderId: 'a' } as const
  const met = (channel: string): readonly (string | undefined)[] => {
    const weather = openWeather().fault(`reset:channel=${channel}`).order('a')
    return [
      weather.meet({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
      weather.meet({ operation: 'pollingEvents', method: 'GET' }),
      weather.meet({ operation: 'acknowledgeEvents' }),
      weather.meet(called),
    ]
  }
  expect(met('polling')).toEqual([undefined, 'reset', 'reset', undefined])
  expect(met('webhook')).toEqual([undefined, undefined, undefined, 'reset'])
})
