/** Several faults in force at once: each draws for itself, and none works on what another has lost or made up. */
import { expect, test } from 'vitest'
import { openWeather, type Weather } from '../../../test/support/faulty-engine.ts'

test('two faults of one name draw each for itself: the second does not hit only where the first has', () => {
  const weather = openWeather({ seed: 3 }).fault('rate-limited')
  for (let order = 0; order < 1000; order++)
    weather.meet({ operation: 'getOrder', method: 'GET', orderId: `order ${order}` })
  const fired = [...weather.engine.world.faults.live.values()].map((each) => each.fired)
  const [seconds = 0, date = 0, absent = 0] = fired
  expect(seconds).toBeGreaterThan(150)
  expect(date).toBeGreaterThan(50)
  expect(absent).toBeGreaterThan(20)
})

test('a fault draws the same whether another of its name was there before it and is gone', () => {
  const fates = (weather: Weather): readonly (string | undefined)[] => {
    weather.fault('fail:percent=50').order('a')
    return Array.from({ length: 12 }, () =>
      weather.meet({ operation: 'getOrder', method: 'GET', orderId: 'a' }),
    )
  }
  const second = openWeather({ seed: 3 }).fault('fail:order=o9')
  second.say({ kind: 'fault.remove', id: 1 })
  expect(fates(second)).toEqual(fates(openWeather({ seed: 3 })))
})

test('what one fault lost no other fault distorts: it is not spent on it, and only counts it', () => {
  const weather = openWeather()
    .fault('drop:event=CONFIRMED,order=o1')
    .fault('duplicate:event=CONFIRMED,limit=1')
    .fault('delay:nth=2,by=1s')
  for (const id of ['a', 'b']) weather.order(id).apply(id, 'confirm', 'preparing').pass(0)
  expect(weather.fired()).toEqual([
    'drop on ev(o1,CONFIRMED,polling)',
    'duplicate on ev(o2,CONFIRMED,polling)',
    'delay on ev(o2,CONFIRMED,polling)',
  ])
})

test('an event that a fault made up brings nothing along, whichever faults there are', () => {
  const weather = openWeather()
    .fault('unknown-event')
    .fault('illegal-transition:says=CONFIRMED,by=0')
    .fault('illegal-transition:says=DISPATCHED,by=0')
    .order('a')
    .pass(60_000)
  expect(
    weather
      .handed()
      .map((line) => line.split(' ')[1])
      .toSorted((one = '', other = '') => one.localeCompare(other)),
  ).toEqual(['CONFIRMED', 'CREATED', 'DISPATCHED', 'X_LOYALTY_HINT'])
  expect(weather.engine.world.agenda.byId.size).toBe(0)
})

test('a call that only asks has no body that could come in pieces: trickle leaves it alone', () => {
  const weather = openWeather().fault('trickle')
  const met = (operation: 'getOrder' | 'receiveOrderEvent', method: string) =>
    weather.meet({ kind: 'call', operation, method, orderId: 'a' })
  expect([met('getOrder', 'GET'), met('receiveOrderEvent', 'POST')]).toEqual([undefined, 'trickle'])
})
