/** What was done to the agenda by hand and undone was never done: neither is anything still awaited that is no more. */
import { expect, test } from 'vitest'
import { seat } from '../../testing/seated.ts'
import { openWeather } from '../../testing/weather.ts'

function judged(weather = openWeather()) {
  const { engine } = weather
  const judge = seat({ engine, now: engine.now })
  engine.onFact(judge.fact)
  const ids = () => [...engine.world.agenda.byId.keys()]
  return { ...weather, judge, ids }
}

test('an item that was dropped and brought back is on its way again, once', () => {
  const { order, say, pass, judge, ids } = judged()
  order('a')
  const [id = 0] = ids()
  const [event] = judge.watch.events.values()
  expect(event?.underWay).toBe(1)
  say({ kind: 'agenda.drop', id })
  expect(event?.underWay).toBe(0)
  say({ kind: 'agenda.undo' })
  expect(event?.underWay).toBe(1)
  pass(0)
  expect(event?.underWay).toBe(0)
})

test('a copy that was undone is awaited no more: the weather is calm when the original has gone on', () => {
  const { fault, say, pass, judge, ids } = judged()
  fault('past:event=CREATED,atMost=30s,limit=1').order('a')
  const [id = 0] = ids()
  say({ kind: 'agenda.duplicate', id })
  say({ kind: 'agenda.undo' })
  pass(60_000)
  expect(judge.watch.calmSince()).toBeDefined()
})

test('an item that hands over another event since somebody edited it is that event’s', () => {
  const { order, say, pass, judge, ids } = judged()
  order('a')
  order('b')
  const [one, other] = judge.watch.events.values()
  const [id = 0] = ids()
  say({ kind: 'agenda.edit', id, change: { eventId: other?.eventId } })
  expect([one?.underWay, other?.underWay]).toEqual([0, 2])
  pass(0)
  expect([one?.underWay, other?.underWay]).toEqual([0, 0])
})
