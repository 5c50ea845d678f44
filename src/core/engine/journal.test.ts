// @module-tag slow
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { transcript, type Transcript } from '../../../test/support/transcript.ts'
import { createJournal, journalText, snapshotWorld } from './journal.ts'
import type { Command } from './command.ts'
import { createWorld, type World } from './world.ts'
import { scheduledItems } from './agenda/agenda.ts'

/** A deep copy of the live world after every fact, independent of the journal. */
function recordWorlds(session: Transcript): World[] {
  const worlds: World[] = [snapshotWorld(session.engine.world).restore()]
  session.engine.onFact(({ seq }) => (worlds[seq] = snapshotWorld(session.engine.world).restore()))
  return worlds
}

/**
 * A run that touches every slice of the world: orders, events, a mailbox, tickets, tokens, partners, calls, an agenda.
 */
function runEverySlice(session: Transcript): Transcript {
  const apply = (orderId: string, trigger: 'confirm' | 'cancel' | 'conclude'): Command => ({
    kind: 'order.apply',
    orderId,
    trigger,
  })
  for (const orderId of ['a', 'b', 'c']) {
    session.given(
      { kind: 'order.create', order: plainOrder(orderId) },
      apply(orderId, 'confirm'),
      {
        kind: 'item.cancel',
        orderId,
        itemId: 'burger',
        cancellation: { quantity: 1, reason: 'acabou' },
      },
      { kind: 'cancellation.request', orderId, request: { code: 'UNAVAILABLE_ITEM' } },
      { kind: 'cancellation.answer', orderId, answer: 'open' },
      apply(orderId, 'cancel'),
      apply(orderId, 'conclude'),
    )
  }
  const [event] = [...session.engine.world.ordering.events.keys()]
  const eventId = event!
  return session.given(
    { kind: 'event.offer', eventId },
    { kind: 'event.offer', eventId },
    { kind: 'event.push', eventId, attempt: 1 },
    { kind: 'events.acknowledge', eventIds: [eventId] },
    { kind: 'partner.trust', from: 'ordering-application', partner: 'software-service' },
    { kind: 'event.push', eventId, attempt: 2 },
    { kind: 'call.conclude', callId: 1, outcome: { kind: 'answered', status: 204 } },
    {
      kind: 'token.issue',
      host: 'ordering-application',
      clientId: 'subject',
      clientSecret: 'secret',
    },
    { kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 10 },
    { kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 20 },
    { kind: 'agenda.move', id: 2, to: 'earlier' },
    { kind: 'agenda.hold', id: 1 },
    {
      kind: 'ticket.notify',
      event: { eventId, eventType: 'CREATED', orderId: 'a', createdAt: '2026-01-05T15:00:00Z' },
    },
    { kind: 'ticket.advance', orderId: 'a', trigger: 'confirm' },
    { kind: 'token.revoke', host: 'ordering-application', clientId: 'subject' },
  )
}

test('folding to any fact in the window gives the world right after it', () => {
  const session = transcript()
  const worlds = recordWorlds(session)
  runEverySlice(session)
  const { journal } = session.engine
  expect(journal.last()).toBeGreaterThan(40)
  for (let seq = 0; seq <= journal.last(); seq++)
    expect(journal.foldTo(seq), `fact ${seq}`).toEqual(worlds[seq])
})

test('facts before the window are gone, and those in it still fold exactly', () => {
  const session = transcript({ journalWindow: 8 })
  const worlds = recordWorlds(session)
  runEverySlice(session)
  const { journal } = session.engine
  const first = journal.first()
  expect(first).toBeGreaterThan(20)
  expect(journal.last() - first).toBeLessThan(8 + 2)
  for (let seq = first; seq <= journal.last(); seq++)
    expect(journal.foldTo(seq), `fact ${seq}`).toEqual(worlds[seq])
  expect(journal.foldTo(first - 2)).toBeUndefined()
  expect(journal.foldTo(journal.last() + 1)).toBeUndefined()
  expect(journal.get(first - 1)).toBeUndefined()
})

/** The world as text including the order of map entries, which `toEqual` ignores. */
const worldText = (world: World): string =>
  JSON.stringify(world, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  )

/** An element of a list by index, or an unknown id. */
const one = (values: Iterable<string>, number: number): string => {
  const all = [...values]
  return all[number % Math.max(1, all.length)] ?? 'nobody'
}

type CommandMaker = (session: Transcript, number: number) => Command

const orderOf = ({ engine }: Transcript, number: number): string =>
  one(engine.world.ordering.orders.keys(), number)
const eventOf = ({ engine }: Transcript, number: number): string =>
  one(engine.world.ordering.events.keys(), number)
const client = { host: 'ordering-application', clientId: 'subject' } as const

/** Random commands that also remove entries from the middle of maps, as insertion order matters. */
const commandMakers: readonly CommandMaker[] = [
  (_session, number) => ({ kind: 'order.create', order: plainOrder(`order ${number}`) }),
  (session, number) => ({
    kind: 'order.apply',
    orderId: orderOf(session, number),
    trigger: 'confirm',
  }),
  (session, number) => ({
    kind: 'order.apply',
    orderId: orderOf(session, number),
    trigger: 'cancel',
  }),
  (session, number) => ({
    kind: 'order.apply',
    orderId: orderOf(session, number),
    trigger: 'conclude',
  }),
  (session, number) => ({ kind: 'event.offer', eventId: eventOf(session, number) }),
  (session, number) => ({ kind: 'event.push', eventId: eventOf(session, number), attempt: 1 }),
  (session, number) => ({
    kind: 'events.acknowledge',
    eventIds: [one(session.engine.world.ordering.mailbox.keys(), number)],
  }),
  () => ({ kind: 'token.issue', ...client, clientSecret: 'secret' }),
  () => ({ kind: 'token.revoke', ...client }),
  (_session, afterMs) => ({ kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs }),
  (_session, number) => ({ kind: 'agenda.hold', id: number % 20 }),
  (_session, number) => ({ kind: 'agenda.release', id: number % 20 }),
  (_session, number) => ({ kind: 'agenda.drop', id: number % 20 }),
  (_session, number) => ({ kind: 'agenda.duplicate', id: number % 20 }),
  (_session, number) => ({ kind: 'agenda.move', id: number % 20, to: 'earlier' }),
  (_session, number) => ({ kind: 'agenda.arrange', order: [number % 20, (number + 1) % 20] }),
  (_session, number) => ({
    kind: 'agenda.batch',
    edits: [
      { kind: 'agenda.delay', id: number % 20, byMs: 3 },
      { kind: 'agenda.duplicate', id: number % 20 },
    ],
  }),
  (session, number) => ({
    kind: 'event.alter',
    eventId: eventOf(session, number),
    change: { createdAt: `${number}` },
  }),
  () => ({ kind: 'agenda.undo' }),
  () => ({ kind: 'agenda.undo', past: true }),
  () => ({ kind: 'agenda.redo', past: true }),
]

test('after random commands, folding to any fact in the window gives the same world in the same entry order', () => {
  const something = fc.record({ deed: fc.nat(commandMakers.length), number: fc.nat(60) })
  const commandRuns = fc.array(something, { maxLength: 150 })
  fc.assert(
    fc.property(commandRuns, fc.integer({ min: 1, max: 40 }), (commandRun, journalWindow) => {
      const session = transcript({ journalWindow })
      const { engine } = session
      const worldTexts = [worldText(engine.world)]
      engine.onFact(({ seq }) => (worldTexts[seq] = worldText(engine.world)))
      for (const { deed, number } of commandRun) {
        const command = commandMakers[deed]?.(session, number)
        if (command) engine.submit(command)
        else engine.take()
      }
      const { journal } = engine
      expect(journal.first()).toBe(Math.max(1, journal.last() - journalWindow + 1))
      for (let seq = journal.first() - 1; seq <= journal.last(); seq++) {
        const past = journal.foldTo(seq)
        expect(past && worldText(past), `fact ${seq}`).toBe(worldTexts[seq])
      }
      expect(journal.foldTo(journal.first() - 2)).toBeUndefined()
    }),
    { numRuns: 150, seed: 7 },
  )
})

test('a world much larger than the window folds exactly as well', () => {
  const session = transcript({ journalWindow: 30 })
  const { engine } = session
  const worldTexts: string[] = []
  engine.onFact(({ seq }) => (worldTexts[seq] = worldText(engine.world)))
  for (let number = 0; number < 150; number++) {
    session.given({ kind: 'order.create', order: plainOrder(`order ${number}`) })
    session.given({ kind: 'event.offer', eventId: eventOf(session, number) })
    if (number % 3 === 0)
      session.given({ kind: 'events.acknowledge', eventIds: [eventOf(session, number)] })
    const { journal } = engine
    for (const seq of [journal.first() - 1, journal.first(), journal.last()].filter(Boolean)) {
      const past = journal.foldTo(seq)
      expect(past && worldText(past), `fact ${seq}`).toBe(worldTexts[seq])
    }
  }
  expect(engine.world.ordering.orders.size).toBe(150)
})

test('a folded world is independent: changing it changes nothing else', () => {
  const session = runEverySlice(transcript())
  const before = session.engine.journal.foldTo(session.engine.journal.last())
  before?.ordering.orders.clear()
  before?.agenda.chunks.splice(0)
  expect(session.engine.journal.foldTo(session.engine.journal.last())).toEqual(session.engine.world)
  expect(session.engine.world.ordering.orders.size).toBe(3)
})

const opened = { kind: 'session.opened', roles: [] } as const

test('facts are numbered from 1 without gaps, however many were evicted', () => {
  const journal = createJournal(createWorld(), 4)
  const numbers = Array.from(
    { length: 20 },
    (_, at) => journal.append(opened, at, 'operator', 0).seq,
  )
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(journal.last()).toBe(20)
  expect(journal.after(journal.first() - 1, 100).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 - journal.first() + 1 }, (_, index) => journal.first() + index),
  )
})

test('the window has fewer facts when they are large, and the world of each that is left', () => {
  const world = createWorld()
  const journal = createJournal(world)
  for (let number = 1; number <= 2000; number++) {
    const orderId = String(number)
    const fact = { kind: 'order.tracked', orderId, update: 'x'.repeat(100_000) } as const
    journal.append(fact, number, 'operator', 0)
  }
  const kept = journal.last() - journal.first() + 1
  expect(kept).toBeGreaterThan(300)
  expect(kept).toBeLessThan(700)
  expect(journal.foldTo(journal.first())).toEqual(world)
  expect(journal.foldTo(journal.first() - 2)).toBeUndefined()
})

test('entries are read forwards and backwards from a number', () => {
  const journal = createJournal(createWorld(), 100)
  for (let at = 1; at <= 9; at++) journal.append(opened, at, 'agenda', 0)
  expect(journal.after(3, 2).map(({ seq }) => seq)).toEqual([4, 5])
  expect(journal.after(9, 2)).toEqual([])
  expect([...journal.before(4)].map(({ seq }) => seq)).toEqual([3, 2, 1])
  expect([...journal.before(1000)].map(({ seq }) => seq)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(journal.get(4)?.at).toBe(4)
})

test('an empty journal folds to an empty world', () => {
  expect(createJournal(createWorld()).foldTo(0)).toEqual(createWorld())
  expect(createJournal(createWorld()).foldTo(1)).toBeUndefined()
})

test('the text of a journal is one JSON fact per line', () => {
  const session = runEverySlice(transcript())
  const entries = session.engine.journal.after(0, 1000)
  const lines = journalText(entries).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    entries.map(({ seq }) => seq),
  )
})

const create = (id: string) => ({ kind: 'order.create', order: plainOrder(id) }) as const
const plan = { kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 5 } as const

test('a snapshot restores the world as it was, whatever has happened since', () => {
  const session = transcript().given(create('a'), create('b'), plan)
  const { world } = session.engine
  const eventIds = [...world.ordering.events.keys()]
  for (const eventId of eventIds) session.given({ kind: 'event.offer', eventId })
  const snapshot = snapshotWorld(world)

  session.given(create('c'), plan, { kind: 'events.acknowledge', eventIds: [eventIds[0]!] })
  session.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  session.take()

  const past = snapshot.restore()
  expect([...past.ordering.orders.keys()]).toEqual(['a', 'b'])
  expect(past.ordering.orders.get('a')?.status).toBe('CREATED')
  expect([...past.ordering.mailbox.keys()]).toEqual(eventIds)
  expect(Array.from(scheduledItems(past.agenda), ({ id }) => id)).toEqual([1])
  expect(past.agenda.nextId).toBe(2)
})

test('two restored worlds are independent of each other', () => {
  const session = transcript().given(create('a'), plan)
  const snapshot = snapshotWorld(session.engine.world)
  const first = snapshot.restore()
  first.ordering.orders.clear()
  first.agenda.chunks[0]?.pop()
  first.nextCallId = 99
  expect(snapshot.restore()).toEqual(session.engine.world)
})

test('records are shared, and the size is the sum of all maps and sets', () => {
  const { world } = transcript().given(create('a'), create('b')).engine
  const snapshot = snapshotWorld(world)
  expect(snapshot.restore().ordering.orders.get('a')).toBe(world.ordering.orders.get('a'))
  // Two orders, their events, and both maps of their slots.
  expect(snapshot.size).toBe(8)
})
