import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOrder } from '../../test/support/plain-order.ts'
import { transcript, type Transcript } from '../../test/support/transcript.ts'
import { keepWorld } from './clone.ts'
import type { Command } from './command.ts'
import { createJournal, journalText } from './journal.ts'
import { createWorld, type World } from './world.ts'

/** A copy of the world after every fact, as it was live; the journal knows nothing of them. */
function watched(told: Transcript): World[] {
  const worlds: World[] = [keepWorld(told.engine.world).restore()]
  told.engine.onFact(({ seq }) => (worlds[seq] = keepWorld(told.engine.world).restore()))
  return worlds
}

/** A life that touches every corner of the world: orders, events, a mailbox, tickets, tokens, partners, calls, an agenda. */
function life(told: Transcript): Transcript {
  const apply = (orderId: string, trigger: 'confirm' | 'cancel' | 'conclude'): Command => ({
    kind: 'order.apply',
    orderId,
    trigger,
  })
  for (const orderId of ['a', 'b', 'c']) {
    told.given(
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
  const [event] = [...told.engine.world.ordering.events.keys()]
  const eventId = event!
  return told.given(
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

test('folding to any kept fact gives the world that was live right after it', () => {
  const told = transcript()
  const worlds = watched(told)
  life(told)
  const { journal } = told.engine
  expect(journal.last()).toBeGreaterThan(40)
  for (let seq = 0; seq <= journal.last(); seq++)
    expect(journal.foldTo(seq), `fact ${seq}`).toEqual(worlds[seq])
})

test('what leaves the window is gone, and what stays still folds exactly', () => {
  const told = transcript({ journalWindow: 8 })
  const worlds = watched(told)
  life(told)
  const { journal } = told.engine
  const first = journal.first()
  expect(first).toBeGreaterThan(20)
  expect(journal.last() - first).toBeLessThan(8 + 2)
  for (let seq = first; seq <= journal.last(); seq++)
    expect(journal.foldTo(seq), `fact ${seq}`).toEqual(worlds[seq])
  expect(journal.foldTo(first - 2)).toBeUndefined()
  expect(journal.foldTo(journal.last() + 1)).toBeUndefined()
  expect(journal.get(first - 1)).toBeUndefined()
})

/** The world as text, with everything in its order: what `toEqual` takes for the same map may be another one. */
const picture = (world: World): string =>
  JSON.stringify(world, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  )

/** One of a list, or nothing that there is. */
const one = (values: Iterable<string>, number: number): string => {
  const all = [...values]
  return all[number % Math.max(1, all.length)] ?? 'nobody'
}

type Deed = (told: Transcript, number: number) => Command

const orderOf = ({ engine }: Transcript, number: number): string =>
  one(engine.world.ordering.orders.keys(), number)
const eventOf = ({ engine }: Transcript, number: number): string =>
  one(engine.world.ordering.events.keys(), number)
const client = { host: 'ordering-application', clientId: 'subject' } as const

/** What may happen, as the order in which things came and went matters: much is taken out of the middle. */
const deeds: readonly Deed[] = [
  (_told, number) => ({ kind: 'order.create', order: plainOrder(`order ${number}`) }),
  (told, number) => ({ kind: 'order.apply', orderId: orderOf(told, number), trigger: 'confirm' }),
  (told, number) => ({ kind: 'order.apply', orderId: orderOf(told, number), trigger: 'cancel' }),
  (told, number) => ({ kind: 'order.apply', orderId: orderOf(told, number), trigger: 'conclude' }),
  (told, number) => ({ kind: 'event.offer', eventId: eventOf(told, number) }),
  (told, number) => ({ kind: 'event.push', eventId: eventOf(told, number), attempt: 1 }),
  (told, number) => ({
    kind: 'events.acknowledge',
    eventIds: [one(told.engine.world.ordering.mailbox.keys(), number)],
  }),
  () => ({ kind: 'token.issue', ...client, clientSecret: 'secret' }),
  () => ({ kind: 'token.revoke', ...client }),
  (_told, afterMs) => ({ kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs }),
  (_told, number) => ({ kind: 'agenda.hold', id: number % 20 }),
  (_told, number) => ({ kind: 'agenda.release', id: number % 20 }),
  (_told, number) => ({ kind: 'agenda.drop', id: number % 20 }),
  (_told, number) => ({ kind: 'agenda.duplicate', id: number % 20 }),
  (_told, number) => ({ kind: 'agenda.move', id: number % 20, to: 'earlier' }),
  (_told, number) => ({ kind: 'agenda.arrange', order: [number % 20, (number + 1) % 20] }),
  (_told, number) => ({
    kind: 'agenda.batch',
    edits: [
      { kind: 'agenda.delay', id: number % 20, byMs: 3 },
      { kind: 'agenda.duplicate', id: number % 20 },
    ],
  }),
  (told, number) => ({
    kind: 'event.alter',
    eventId: eventOf(told, number),
    change: { createdAt: `${number}` },
  }),
  () => ({ kind: 'agenda.undo' }),
  () => ({ kind: 'agenda.undo', past: true }),
  () => ({ kind: 'agenda.redo', past: true }),
]

test('whatever happens, folding to any kept fact gives that very world, in that very order', () => {
  const something = fc.record({ deed: fc.nat(deeds.length), number: fc.nat(60) })
  const courses = fc.array(something, { maxLength: 150 })
  fc.assert(
    fc.property(courses, fc.integer({ min: 1, max: 40 }), (course, journalWindow) => {
      const told = transcript({ journalWindow })
      const { engine } = told
      const pictures = [picture(engine.world)]
      engine.onFact(({ seq }) => (pictures[seq] = picture(engine.world)))
      for (const { deed, number } of course) {
        const command = deeds[deed]?.(told, number)
        if (command) engine.submit(command)
        else engine.take()
      }
      const { journal } = engine
      expect(journal.first()).toBe(Math.max(1, journal.last() - journalWindow + 1))
      for (let seq = journal.first() - 1; seq <= journal.last(); seq++) {
        const past = journal.foldTo(seq)
        expect(past && picture(past), `fact ${seq}`).toBe(pictures[seq])
      }
      expect(journal.foldTo(journal.first() - 2)).toBeUndefined()
    }),
    { numRuns: 150, seed: 7 },
  )
})

test('a world that is much larger than the window folds exactly as well', () => {
  const told = transcript({ journalWindow: 30 })
  const { engine } = told
  const pictures: string[] = []
  engine.onFact(({ seq }) => (pictures[seq] = picture(engine.world)))
  for (let number = 0; number < 150; number++) {
    told.given({ kind: 'order.create', order: plainOrder(`order ${number}`) })
    told.given({ kind: 'event.offer', eventId: eventOf(told, number) })
    if (number % 3 === 0)
      told.given({ kind: 'events.acknowledge', eventIds: [eventOf(told, number)] })
    const { journal } = engine
    for (const seq of [journal.first() - 1, journal.first(), journal.last()].filter(Boolean)) {
      const past = journal.foldTo(seq)
      expect(past && picture(past), `fact ${seq}`).toBe(pictures[seq])
    }
  }
  expect(engine.world.ordering.orders.size).toBe(150)
})

test('a folded world is a stranger: changing it changes nothing else', () => {
  const told = life(transcript())
  const before = told.engine.journal.foldTo(told.engine.journal.last())
  before?.ordering.orders.clear()
  before?.agenda.chunks.splice(0)
  expect(told.engine.journal.foldTo(told.engine.journal.last())).toEqual(told.engine.world)
  expect(told.engine.world.ordering.orders.size).toBe(3)
})

const opened = { kind: 'session.opened', roles: [] } as const

test('facts are numbered from 1 without gaps, however many have left', () => {
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

test('it is read forwards from a number, and backwards from a number', () => {
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

test('as text it has one fact a line, each of them JSON', () => {
  const told = life(transcript())
  const entries = told.engine.journal.after(0, 1000)
  const lines = journalText(entries).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    entries.map(({ seq }) => seq),
  )
})
