import { expect, test } from 'vitest'
import { plainOrder } from '../testing/plain-order.ts'
import { transcript, type Transcript } from '../testing/transcript.ts'
import { cloneWorld } from './clone.ts'
import type { Command } from './command.ts'
import { createJournal, journalText } from './journal.ts'
import { createWorld, type World } from './world.ts'

/** A copy of the world after every fact, as it was live; the journal knows nothing of them. */
function watched(told: Transcript): World[] {
  const worlds: World[] = [cloneWorld(told.engine.world)]
  told.engine.onFact(({ seq }) => (worlds[seq] = cloneWorld(told.engine.world)))
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
  const journal = createJournal(4)
  const numbers = Array.from(
    { length: 20 },
    (_, at) => journal.append({ at, by: 'operator', cause: 0, fact: opened }).seq,
  )
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(journal.last()).toBe(20)
  expect(journal.after(journal.first() - 1, 100).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 - journal.first() + 1 }, (_, index) => journal.first() + index),
  )
})

test('it is read forwards from a number, and backwards from a number', () => {
  const journal = createJournal(100)
  for (let at = 1; at <= 9; at++) journal.append({ at, by: 'agenda', cause: 0, fact: opened })
  expect(journal.after(3, 2).map(({ seq }) => seq)).toEqual([4, 5])
  expect(journal.after(9, 2)).toEqual([])
  expect([...journal.before(4)].map(({ seq }) => seq)).toEqual([3, 2, 1])
  expect([...journal.before(1000)].map(({ seq }) => seq)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(journal.get(4)?.at).toBe(4)
})

test('an empty journal folds to an empty world', () => {
  expect(createJournal().foldTo(0)).toEqual(createWorld())
  expect(createJournal().foldTo(1)).toBeUndefined()
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
