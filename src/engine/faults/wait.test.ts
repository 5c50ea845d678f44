/** What waits for something to happen goes on as soon as it has happened, and never later than its time allows. */
import { expect, test } from 'vitest'
import { openWeather, type Weather } from '../../../test/support/faulty-engine.ts'

const order = (spec: unknown): Weather => openWeather().fault(spec).order('a').pass(0)

test('past: behind so many later events of its order, and of no other', () => {
  const weather = order('past:event=CONFIRMED,k=2').apply('a', 'confirm').pass(10)
  weather.order('b').apply('b', 'confirm', 'preparing').pass(10)
  weather.apply('a', 'preparing').pass(10).apply('a', 'ready-for-pickup').pass(10)
  expect(weather.handed().filter((line) => line.startsWith('a '))).toEqual([
    'a CREATED polling +0',
    'a PREPARING polling +20',
    'a READY_FOR_PICKUP polling +30',
    'a CONFIRMED polling +30',
  ])
})

test('past: behind any later events, when it says so', () => {
  const weather = order('past:event=CONFIRMED,order=o1,k=2,of=any').apply('a', 'confirm').pass(0)
  weather.order('b').apply('b', 'confirm').pass(0)
  expect(weather.handed().at(-1)).toBe('a CONFIRMED polling +0')
  expect(weather.handed()).toHaveLength(4)
})

test('past all: behind the very last event of its order', () => {
  const weather = order('past:event=CONFIRMED,k=all').apply('a', 'confirm', 'preparing').pass(0)
  weather.apply('a', 'ready-for-pickup', 'dispatch', 'delivered').pass(0).apply('a', 'conclude')
  expect(weather.pass(0).handed().slice(-2)).toEqual([
    'a CONCLUDED polling +0',
    'a CONFIRMED polling +0',
  ])
})

test('the last event of an order is behind nobody: past leaves it alone', () => {
  const weather = order('past:k=all,event=CONCLUDED').apply('a', 'cancel', 'conclude').pass(0)
  expect(weather.handed().at(-1)).toBe('a CONCLUDED polling +0')
  expect(weather.fired()).toEqual([])
})

test('no patience is endless: what it waits for never happens, and it comes', () => {
  const weather = order('past:event=CONFIRMED,atMost=30s').apply('a', 'confirm').pass(29_999)
  expect(weather.handed()).toEqual(['a CREATED polling +0'])
  weather.pass(1)
  expect(weather.handed().at(-1)).toBe('a CONFIRMED polling +30000')
  expect(weather.engine.world.agenda.waiting.size).toBe(0)
})

test('acknowledged: after the poll that brought it was acknowledged', () => {
  const weather = order('duplicate-late:event=CREATED').pass(500)
  const [eventId = ''] = weather.engine.world.ordering.events.keys()
  expect(weather.handed()).toHaveLength(1)
  weather.say({ kind: 'events.acknowledge', eventIds: [eventId] })
  weather.pass(0)
  expect(weather.handed()).toEqual(['a CREATED polling +0', 'a CREATED polling +500'])
})

test('gathered: all of them go at once when there are enough', () => {
  const weather = openWeather().fault('batch:as=backlog,of=3').order('a').pass(1000).order('b')
  expect(weather.pass(1000).handed()).toEqual([])
  weather.order('c').pass(0)
  expect(weather.handed()).toEqual([
    'a CREATED polling +2000',
    'b CREATED polling +2000',
    'c CREATED polling +2000',
  ])
})

test('the end of faults: what waits and what is late goes on at once, and no fault fires again', () => {
  const weather = openWeather()
    .fault('past:event=CONFIRMED')
    .fault('delay:event=PREPARING,by=1h')
    .order('a')
    .apply('a', 'confirm', 'preparing')
    .pass(5000)
  expect(weather.handed()).toHaveLength(1)
  weather.say({ kind: 'fault.end' })
  weather.apply('a', 'ready-for-pickup').pass(0)
  expect(weather.handed().slice(1)).toEqual([
    'a CONFIRMED polling +5000',
    'a PREPARING polling +5000',
    'a READY_FOR_PICKUP polling +5000',
  ])
  const { faults } = weather.engine.world
  expect([...faults.over.values()].map(({ over }) => over)).toEqual(['ended', 'ended'])
})

test('what a person holds stays held, whatever it waited for, and through the end of faults', () => {
  const weather = order('past:event=CONFIRMED').apply('a', 'confirm')
  const [item] = weather.engine.world.agenda.waiting.values()
  weather.say({ kind: 'agenda.hold', id: item?.id ?? 0 })
  weather.apply('a', 'preparing').pass(120_000)
  weather.say({ kind: 'fault.end' })
  expect(weather.pass(0).handed().join()).not.toContain('CONFIRMED')
  weather.say({ kind: 'agenda.release', id: item?.id ?? 0 })
  expect(weather.pass(0).handed().at(-1)).toBe('a CONFIRMED polling +120000')
})

test('a fault that is taken out of force distorts nothing more; what it put off comes in its time', () => {
  const weather = order('delay:event=CONFIRMED,by=9s').apply('a', 'confirm').pass(1000)
  weather.say({ kind: 'fault.remove', id: 1 })
  weather.apply('a', 'preparing').pass(8000)
  expect(weather.handed().slice(1)).toEqual([
    'a PREPARING polling +1000',
    'a CONFIRMED polling +9000',
  ])
})

test('two faults on one event: what the first leaves of it meets the second, and delays add up', () => {
  const weather = openWeather()
    .fault('delay:event=CREATED,by=2s')
    .fault('duplicate:event=CREATED')
    .fault('delay:event=CREATED,by=3s')
    .order('a')
    .pass(10_000)
  expect(weather.handed()).toEqual(['a CREATED polling +5000', 'a CREATED polling +5000'])
  const dropped = openWeather().fault('delay:by=2s').fault('drop').order('a').apply('a', 'confirm')
  expect(dropped.pass(10_000).handed()).toEqual(['a CREATED polling +2000'])
})

test('gathered: what one fault gathers does not fill the heap of another', () => {
  const weather = openWeather()
    .fault('batch:as=backlog,of=2,order=o1')
    .fault('batch:as=backlog,of=2,order=o2')
    .order('a')
    .order('b')
    .pass(0)
  expect(weather.handed()).toEqual([])
  weather.apply('b', 'confirm').pass(0)
  expect(weather.handed()).toEqual(['b CREATED polling +0', 'b CONFIRMED polling +0'])
})

test('gathered: a delay on top of it takes nothing from the heap', () => {
  const weather = openWeather()
    .fault('batch:as=backlog,of=2')
    .fault('delay:order=o2,by=1s')
    .order('a')
    .order('b')
    .pass(0)
  expect(weather.handed()).toEqual(['a CREATED polling +0', 'b CREATED polling +0'])
})
