import { compact } from '../../base/compact.ts'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../../test/support/transcript.ts'
import { orderEventTypes, type OrderEventType } from '../../protocol/orders/events.ts'
import type { OrderType } from '../../protocol/orders/order.ts'
import type { Command } from '../command.ts'

const emit = (eventType: OrderEventType, force?: true): Command => ({
  kind: 'event.emit',
  orderId: 'a',
  eventType,
  ...compact({ force }),
})

const created = (type: OrderType = 'DELIVERY', options: TranscriptOptions = {}): Transcript =>
  transcript(options).given({ kind: 'order.create', order: plainOrder('a', type) })

const informational: readonly OrderEventType[] = [
  'PREPARATION_REQUESTED',
  'PICKUP_ONGOING',
  'RIDER_ARRIVED_AT_STORE',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
]

test('informational events of a delivery are emitted, and the status stays', () => {
  const session = created()
  for (const type of informational) expect(session.when(emit(type))).toEqual([`${type} emitted`])
  expect(session.engine.world.ordering.orders.get('a')).toMatchObject({
    status: 'CREATED',
    lastEvent: 'ARRIVED_AT_CUSTOMER',
  })
})

test('an event that the profile forbids is refused, and emitted only by force', () => {
  const session = created('TAKEOUT')
  expect(session.when(emit('PICKUP_ONGOING'))).toEqual([
    'EVENT_NOT_ALLOWED: PICKUP_ONGOING is forbidden for a TAKEOUT order',
  ])
  expect(session.when(emit('PICKUP_ONGOING', true))).toEqual(['PICKUP_ONGOING emitted'])
})

test('an event that the table does not list for the profile is refused', () => {
  expect(created('INDOOR').when(emit('PREPARATION_REQUESTED'))).toEqual([
    'EVENT_NOT_ALLOWED: PREPARATION_REQUESTED is not listed for a INDOOR order',
  ])
})

test('an event that projects a status is valid only once the order has reached it', () => {
  const session = created()
  expect(session.when(emit('CONFIRMED'))).toEqual([
    'INVALID_TRANSITION: CONFIRMED projects CONFIRMED, which the order a has not reached',
  ])
  session.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  expect(session.when(emit('CONFIRMED'))).toEqual(['CONFIRMED emitted'])
})

test('no emitted event changes the status', () => {
  const session = created()
  for (const type of orderEventTypes) session.given(emit(type, true))
  expect(session.engine.world.ordering.orders.get('a')?.status).toBe('CREATED')
})

/** Offers every existing event, as the polling channel would. */
function offered(options: TranscriptOptions, ...orders: readonly string[]): Transcript {
  const session = transcript(options)
  for (const id of orders) session.given({ kind: 'order.create', order: plainOrder(id) })
  for (const eventId of session.engine.world.ordering.events.keys())
    session.given({ kind: 'event.offer', eventId })
  return session
}

const poll = (more: Partial<Extract<Command, { kind: 'events.poll' }>> = {}): Command => ({
  kind: 'events.poll',
  ...more,
})
const polled = (session: Transcript, command: Command = poll()): readonly string[] => {
  const decision = session.engine.submit(command)
  if (!decision.ok) throw new Error(decision.error.message)
  return decision.value.flatMap((fact) => (fact.kind === 'events.polled' ? fact.eventIds : []))
}

test('a poll returns the oldest events first, until they are acknowledged', () => {
  const session = offered({}, 'a', 'b')
  const ids = [...session.engine.world.ordering.events.keys()]
  expect(polled(session)).toEqual(ids)
  expect(polled(session)).toEqual(ids)
  session.given({ kind: 'events.acknowledge', eventIds: [ids[0]!] })
  expect(polled(session)).toEqual([ids[1]])
})

test('a poll returns no more than the batch size, copies included', () => {
  const session = offered({ conduct: { pollBatch: 3 } }, 'a', 'b', 'c', 'd')
  const [first] = session.engine.world.ordering.events.keys()
  session.given({ kind: 'event.offer', eventId: first! })
  const batch = polled(session)
  expect(batch).toHaveLength(3)
  expect(batch.filter((id) => id === first)).toHaveLength(2)
})

test('with a batch size of one a poll returns one event, though there are two copies', () => {
  const session = offered({ conduct: { pollBatch: 1 } }, 'a')
  const [eventId] = session.engine.world.ordering.events.keys()
  session.given({ kind: 'event.offer', eventId: eventId! })
  expect(polled(session)).toEqual([eventId])
})

test('a poll acknowledges filtered events only up to the end of its batch', () => {
  const session = offered({ conduct: { pollBatch: 1 } }, 'a', 'b')
  session.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  const [first, second, confirmed] = [...session.engine.world.ordering.events.keys()]
  session.given(
    { kind: 'events.acknowledge', eventIds: [first!, second!] },
    { kind: 'event.offer', eventId: confirmed! },
    { kind: 'event.offer', eventId: second! },
  )
  expect(polled(session, poll({ eventTypes: ['CONFIRMED'] }))).toEqual([confirmed])
  expect([...session.engine.world.ordering.mailbox.keys()]).toEqual([confirmed, second])
})

test('event types that a client filters out are acknowledged for it', () => {
  const session = offered({}, 'a')
  session.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  const [createdId, confirmedId] = [...session.engine.world.ordering.events.keys()]
  session.given({ kind: 'event.offer', eventId: confirmedId! })
  expect(session.when(poll({ eventTypes: ['CONFIRMED'] }))).toEqual([
    '1 event polled',
    '1 event acknowledged, filtered out',
  ])
  expect(session.engine.world.ordering.mailbox.has(createdId!)).toBe(false)
  expect(polled(session)).toEqual([confirmedId])
})

test('events of other merchants stay queued for polling', () => {
  const session = offered({}, 'a')
  expect(polled(session, poll({ merchants: ['another'] }))).toEqual([])
  expect(polled(session, poll({ merchants: ['merchant-1'] }))).toHaveLength(1)
})

test('an acknowledgment of unknown events is recorded, or refused by a strict host', () => {
  const session = offered({}, 'a')
  const command: Command = { kind: 'events.acknowledge', eventIds: ['nothing'] }
  expect(session.when(command)).toEqual(['0 events acknowledged'])
  const strict = offered({ conduct: { unknownAcknowledgment: 'refuse' } }, 'a')
  expect(strict.when(command)).toEqual(['NOT_FOUND: there is no event nothing'])
})

test('an unknown event is neither offered nor pushed', () => {
  for (const kind of ['event.offer', 'event.push'] as const)
    expect(transcript().when({ kind, eventId: 'x', attempt: 1 })).toEqual([
      'NOT_FOUND: there is no event x',
    ])
})
