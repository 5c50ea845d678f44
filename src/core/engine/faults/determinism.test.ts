/**
 * Determinism of faults: the same seed gives the same distortions, a journal folds exactly, and without faults nothing
 * changes.
 */
import { expect, test } from 'vitest'
import { openFaultyEngine, type FaultyEngine } from '../../../../test/support/faulty-engine.ts'
import { journalText, snapshotWorld } from '../journal.ts'
import type { World } from '../world.ts'

const triggers = [
  'confirm',
  'preparing',
  'ready-for-pickup',
  'dispatch',
  'delivered',
  'conclude',
] as const

/** A number of orders from creation to the end, with a client that polls, reads and acknowledges. */
function runOrders(engine: FaultyEngine, orders: number): FaultyEngine {
  const ids = Array.from({ length: orders }, (_, index) => `order ${index}`)
  const { mailbox, events } = engine.engine.world.ordering
  for (const id of ids) engine.order(id)
  for (const trigger of triggers) {
    for (const id of ids) engine.apply(id, trigger)
    engine.pass(3000)
    const polled = [...mailbox.keys()].slice(0, 100)
    const carried = polled.flatMap((eventId) => {
      const event = events.get(eventId)
      return event ? [{ eventId, eventType: event.eventType, orderId: event.orderId }] : []
    })
    engine.requestFault({ operation: 'pollingEvents', method: 'GET', events: carried })
    engine.submit({ kind: 'events.poll' })
    engine.requestFault({ operation: 'acknowledgeEvents', events: carried })
    engine.submit({ kind: 'events.acknowledge', eventIds: polled })
    for (const id of ids) engine.requestFault({ operation: 'getOrder', method: 'GET', orderId: id })
  }
  return engine.pass(200_000)
}

const storm = { storm: { percent: 20, even: 'robustness' } }

const journalOf = ({ engine }: FaultyEngine): string => journalText(engine.journal.after(0, 1e6))

test('in a storm the same seed gives the same journal byte for byte, and another seed does not', () => {
  const journal = (seed: number): string =>
    journalOf(runOrders(openFaultyEngine({ seed, channel: 'both' }).fault(storm), 12))
  const first = journal(7)
  expect(first).toContain('"kind":"fault.fired"')
  expect(journal(7)).toBe(first)
  expect(journal(8)).not.toBe(first)
})

const worldText = (world: World): string =>
  JSON.stringify(world, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  )

test('a journal with faults folds to every fact exactly, in the same entry order', () => {
  const faulty = openFaultyEngine({ seed: 21, channel: 'both', journalWindow: 400 })
  const { engine } = faulty
  const worldTexts: string[] = []
  engine.onFact(({ seq }) => (worldTexts[seq] = worldText(snapshotWorld(engine.world).restore())))
  runOrders(faulty.fault(storm).fault('reorder:k=2,percent=30').fault('delay:for=5s,limit=3'), 3)
  faulty.submit({ kind: 'fault.end' })
  const { journal } = engine
  expect(journal.last()).toBeGreaterThan(400)
  for (let seq = journal.first(); seq <= journal.last(); seq++) {
    const past = journal.foldTo(seq)
    expect(past && worldText(past), `fact ${seq}`).toBe(worldTexts[seq])
  }
})

test('every fired fault has its name, and one drawn by a storm also its options', () => {
  const { engine } = runOrders(openFaultyEngine({ seed: 2 }).fault(storm), 20)
  const fired = engine.journal
    .after(0, 1e6)
    .flatMap(({ fact }) => (fact.kind === 'fault.fired' ? [fact] : []))
  expect(fired.length).toBeGreaterThan(40)
  for (const { name, text } of fired) {
    expect(name).not.toBe('storm')
    expect(text?.split(':')[0]).toBe(name)
  }
  // `legal` is stated for each drawn fault, not for the storm.
  expect(new Set(fired.map(({ legal }) => legal))).toEqual(new Set([true, false]))
})

test('a session without faults has the same journal as one whose faults match nothing', () => {
  const kinds = (engine: FaultyEngine): readonly string[] =>
    engine.engine.journal
      .after(0, 1e6)
      .filter(({ fact }) => !fact.kind.startsWith('fault.'))
      .map(({ at, fact }) => `${at} ${fact.kind}`)
  const withoutFaults = kinds(runOrders(openFaultyEngine({ seed: 5 }), 5))
  const other = kinds(runOrders(openFaultyEngine({ seed: 5 }).fault('drop:order=o99'), 5))
  expect(other).toEqual(withoutFaults)
})
