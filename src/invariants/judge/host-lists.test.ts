/** What our own host says of a poll or an acknowledgment is believed where nothing can have made it untrue. */
import { expect, test } from 'vitest'
import { createdFacts } from '../../../test/support/created-facts.ts'
import { seatInWorld } from '../../../test/support/judge-fixture.ts'
import { defineInvariant } from '../invariant.ts'

function opened() {
  const heard: (readonly (string | undefined)[])[] = []
  const noting = defineInvariant({
    id: 'T-1',
    name: 'noting',
    sentence: 'Everything is noted.',
    kind: 'safety',
    clauses: [],
    premise: 'there was something',
    binds: ['software-service'],
    sees: {},
    start: () => undefined,
    shown: {
      handover: (_state, { eventId, eventType, orderId, createdAt }) =>
        void heard.push([eventId, eventType, orderId, createdAt]),
      acknowledgment: (_state, { eventId, eventType }) => void heard.push([eventId, eventType]),
    },
  })
  const { tell, call } = seatInWorld([noting])
  for (const fact of createdFacts('a')) tell(fact)
  return { tell, call, heard }
}

const made = ['event-of-a', 'CREATED', 'a', '2026-01-05T15:00:00.000Z']
const eventIds = ['event-of-a']
const event = { eventId: 'event-of-a', eventType: 'CREATED', orderId: 'a' }

test('[ORD-OPS-01] what a poll brought is known without reading it', () => {
  const { call, heard } = opened()
  call('pollingEvents', { eventIds, answered: 'nobody reads this' })
  expect(heard).toEqual([made])
})

test('[ORD-EVR-04] an event that somebody has changed is what went over the wire', () => {
  const { tell, call, heard } = opened()
  tell({ kind: 'event.altered', eventId: 'event-of-a', change: { createdAt: '2020-01-01' } })
  call('pollingEvents', { eventIds, answered: [{ ...event, createdAt: '2020-01-01' }] })
  expect(heard).toEqual([['event-of-a', 'CREATED', 'a', '2020-01-01']])
})

test('a poll that a fault distorted brought what is left of it', () => {
  const { call, heard } = opened()
  call('pollingEvents', { eventIds, answered: [], fault: 'empty on req(pollingEvents)' })
  expect(heard).toEqual([])
})

test('[ORD-OPS-02] an acknowledgment names what its body says where a recording answered it', () => {
  const { call, heard } = opened()
  call('acknowledgeEvents', {
    eventIds: ['event-of-another-world'],
    asked: { eventIds: ['event-of-a', 'event-of-nobody'] },
  })
  expect(heard).toEqual([
    ['event-of-a', 'CREATED'],
    ['event-of-nobody', undefined],
  ])
})

test('a list of nothing says nothing: a recording that was made elsewhere may have left it out', () => {
  const { call, heard } = opened()
  const { eventId, eventType, orderId } = event
  call('pollingEvents', { eventIds: [], answered: [event] })
  expect(heard).toEqual([[eventId, eventType, orderId, undefined]])
})
