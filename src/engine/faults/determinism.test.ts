/** The same seed makes the same weather, a journal folds to what was, and none of it costs anything where there is none. */
import { expect, test } from 'vitest'
import { openWeather, type Weather } from '../../../test/support/faulty-engine.ts'
import { keepWorld } from '../clone.ts'
import { journalText } from '../journal.ts'
import type { World } from '../world.ts'

const way = [
  'confirm',
  'preparing',
  'ready-for-pickup',
  'dispatch',
  'delivered',
  'conclude',
] as const

/** So many orders that go their way, with somebody who polls, reads and acknowledges. */
function evening(weather: Weather, orders: number): Weather {
  const ids = Array.from({ length: orders }, (_, index) => `order ${index}`)
  const { mailbox, events } = weather.engine.world.ordering
  for (const id of ids) weather.order(id)
  for (const trigger of way) {
    for (const id of ids) weather.apply(id, trigger)
    weather.pass(3000)
    const polled = [...mailbox.keys()].slice(0, 100)
    const carried = polled.flatMap((eventId) => {
      const event = events.get(eventId)
      return event ? [{ eventId, eventType: event.eventType, orderId: event.orderId }] : []
    })
    weather.meet({ operation: 'pollingEvents', method: 'GET', events: carried })
    weather.say({ kind: 'events.poll' })
    weather.meet({ operation: 'acknowledgeEvents', events: carried })
    weather.say({ kind: 'events.acknowledge', eventIds: polled })
    for (const id of ids) weather.meet({ operation: 'getOrder', method: 'GET', orderId: id })
  }
  return weather.pass(200_000)
}

const storm = { storm: { percent: 20, even: 'robustness' } }

const journalOf = ({ engine }: Weather): string => journalText(engine.journal.after(0, 1e6))

test('in a storm the same seed gives the same journal byte for byte, and another seed does not', () => {
  const journal = (seed: number): string =>
    journalOf(evening(openWeather({ seed, channel: 'both' }).fault(storm), 12))
  const first = journal(7)
  expect(first).toContain('"kind":"fault.fired"')
  expect(journal(7)).toBe(first)
  expect(journal(8)).not.toBe(first)
})

const picture = (world: World): string =>
  JSON.stringify(world, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  )

test('a journal with faults folds to every fact exactly, in that very order', () => {
  const weather = openWeather({ seed: 21, channel: 'both', journalWindow: 400 })
  const { engine } = weather
  const pictures: string[] = []
  engine.onFact(({ seq }) => (pictures[seq] = picture(keepWorld(engine.world).restore())))
  evening(weather.fault(storm).fault('past:k=2,percent=30').fault('delay:for=5s,limit=3'), 3)
  weather.say({ kind: 'fault.end' })
  const { journal } = engine
  expect(journal.last()).toBeGreaterThan(400)
  for (let seq = journal.first(); seq <= journal.last(); seq++) {
    const past = journal.foldTo(seq)
    expect(past && picture(past), `fact ${seq}`).toBe(pictures[seq])
  }
})

test('every fired fault says what it was, and one that a storm drew says with which options', () => {
  const { engine } = evening(openWeather({ seed: 2 }).fault(storm), 20)
  const fired = engine.journal
    .after(0, 1e6)
    .flatMap(({ fact }) => (fact.kind === 'fault.fired' ? [fact] : []))
  expect(fired.length).toBeGreaterThan(40)
  for (const { name, text } of fired) {
    expect(name).not.toBe('storm')
    expect(text?.split(':')[0]).toBe(name)
  }
  // Which of them a correct partner does is said of each, not of the storm.
  expect(new Set(fired.map(({ legal }) => legal))).toEqual(new Set([true, false]))
})

test('a session without faults has the same journal as one whose faults mean nothing of it', () => {
  const kinds = (weather: Weather): readonly string[] =>
    weather.engine.journal
      .after(0, 1e6)
      .filter(({ fact }) => !fact.kind.startsWith('fault.'))
      .map(({ at, fact }) => `${at} ${fact.kind}`)
  const calm = kinds(evening(openWeather({ seed: 5 }), 5))
  const other = kinds(evening(openWeather({ seed: 5 }).fault('drop:order=o99'), 5))
  expect(other).toEqual(calm)
})
