import { compact } from '../../compact.ts'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../test/support/transcript.ts'
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
  const told = created()
  for (const type of informational) expect(told.when(emit(type))).toEqual([`${type} emitted`])
  expect(told.engine.world.ordering.orders.get('a')).toMatchObject({
    status: 'CREATED',
    lastEvent: 'ARRIVED_AT_CUSTOMER',
  })
})

test('an event that the profile forbids is refused, and comes only by force', () => {
  const told = created('TAKEOUT')
  expect(told.when(emit('PICKUP_ONGOING'))).toEqual([
    'EVENT_NOT_ALLOWED: PICKUP_ONGOING is forbidden for a TAKEOUT order',
  ])
  expect(told.when(emit('PICKUP_ONGOING', true))).toEqual(['PICKUP_ONGOING emitted'])
})

test('what the table does not list is not emitted either', () => {
  expect(created('INDOOR').when(emit('PREPARATION_REQUESTED'))).toEqual([
    'EVENT_NOT_ALLOWED: PREPARATION_REQUESTED is not listed for a INDOOR order',
  ])
})

test('a projecting event is lawful once the order has been there, not before', () => {
  const told = created()
  expect(told.when(emit('CONFIRMED'))).toEqual([
    'INVALID_TRANSITION: CONFIRMED projects CONFIRMED, which the order a has not reached',
  ])
  told.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  expect(told.when(emit('CONFIRMED'))).toEqual(['CONFIRMED emitted'])
})

test('no event changes the status, whatever it says', () => {
  const told = created()
  for (const type of orderEventTypes) told.given(emit(type, true))
  expect(told.engine.world.ordering.orders.get('a')?.status).toBe('CREATED')
})

/** Offers every event that there is, as the polling channel would. */
function offered(options: TranscriptOptions, ...orders: readonly string[]): Transcript {
  const told = transcript(options)
  for (const id of orders) told.given({ kind: 'order.create', order: plainOrder(id) })
  for (const eventId of told.engine.world.ordering.events.keys())
    told.given({ kind: 'event.offer', eventId })
  return told
}

const poll = (more: Partial<Extract<Command, { kind: 'events.poll' }>> = {}): Command => ({
  kind: 'events.poll',
  ...more,
})
const polled = (told: Transcript, command: Command = poll()): readonly string[] => {
  const decision = told.engine.submit(command)
  if (!decision.ok) throw new Error(decision.error.message)
  return decision.value.flatMap((fact) => (fact.kind === 'events.polled' ? fact.eventIds : []))
}

test('a poll brings the oldest first, again and again until they are acknowledged', () => {
  const told = offered({}, 'a', 'b')
  const ids = [...told.engine.world.ordering.events.keys()]
  expect(polled(told)).toEqual(ids)
  expect(polled(told)).toEqual(ids)
  told.given({ kind: 'events.acknowledge', eventIds: [ids[0]!] })
  expect(polled(told)).toEqual([ids[1]])
})

test('a poll brings no more than the batch, and a copy counts', () => {
  const told = offered({ conduct: { pollBatch: 3 } }, 'a', 'b', 'c', 'd')
  const [first] = told.engine.world.ordering.events.keys()
  told.given({ kind: 'event.offer', eventId: first! })
  const batch = polled(told)
  expect(batch).toHaveLength(3)
  expect(batch.filter((id) => id === first)).toHaveLength(2)
})

test('a batch of one is one, though the event lies there twice', () => {
  const told = offered({ conduct: { pollBatch: 1 } }, 'a')
  const [eventId] = told.engine.world.ordering.events.keys()
  told.given({ kind: 'event.offer', eventId: eventId! })
  expect(polled(told)).toEqual([eventId])
})

test('a poll looks no further than its batch: what it filters out behind that is left for the next', () => {
  const told = offered({ conduct: { pollBatch: 1 } }, 'a', 'b')
  told.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  const [first, second, confirmed] = [...told.engine.world.ordering.events.keys()]
  told.given(
    { kind: 'events.acknowledge', eventIds: [first!, second!] },
    { kind: 'event.offer', eventId: confirmed! },
    { kind: 'event.offer', eventId: second! },
  )
  expect(polled(told, poll({ eventTypes: ['CONFIRMED'] }))).toEqual([confirmed])
  expect([...told.engine.world.ordering.mailbox.keys()]).toEqual([confirmed, second])
})

test('types that a client filters out are acknowledged for it', () => {
  const told = offered({}, 'a')
  told.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  const [createdId, confirmedId] = [...told.engine.world.ordering.events.keys()]
  told.given({ kind: 'event.offer', eventId: confirmedId! })
  expect(told.when(poll({ eventTypes: ['CONFIRMED'] }))).toEqual([
    '1 event polled',
    '1 event acknowledged, filtered out',
  ])
  expect(told.engine.world.ordering.mailbox.has(createdId!)).toBe(false)
  expect(polled(told)).toEqual([confirmedId])
})

test('events of other merchants stay where they are', () => {
  const told = offered({}, 'a')
  expect(polled(told, poll({ merchants: ['another'] }))).toEqual([])
  expect(polled(told, poll({ merchants: ['merchant-1'] }))).toHaveLength(1)
})

test('an acknowledgment of what nobody knows is noted, or refused by a strict host', () => {
  const told = offered({}, 'a')
  const command: Command = { kind: 'events.acknowledge', eventIds: ['nothing'] }
  expect(told.when(command)).toEqual(['0 events acknowledged'])
  const strict = offered({ conduct: { unknownAcknowledgment: 'refuse' } }, 'a')
  expect(strict.when(command)).toEqual(['NOT_FOUND: there is no event nothing'])
})

test('an event that nobody knows is neither offered nor pushed', () => {
  for (const kind of ['event.offer', 'event.push'] as const)
    expect(transcript().when({ kind, eventId: 'x', attempt: 1 })).toEqual([
      'NOT_FOUND: there is no event x',
    ])
})
