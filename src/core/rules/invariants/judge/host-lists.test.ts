/** The host's record of the events in a poll or acknowledgment is used only where nothing can have falsified it. */
import { expect, test } from 'vitest'
import { createScriptedJudge } from '../../../../../test/support/scripted-judge.ts'
import { defineInvariant } from '../invariant.ts'

function opened() {
  const heard: (readonly (string | undefined)[])[] = []
  const noting = defineInvariant({
    id: 'T-1',
    name: 'noting',
    sentence: 'Must be noted.',
    remedy: 'Note it.',
    kind: 'safety',
    clauses: [],
    premise: 'there was something',
    binds: ['software-service'],
    handover: (_state, { eventId, eventType, orderId, createdAt }) =>
      void heard.push([eventId, eventType, orderId, createdAt]),
    acknowledgment: (_state, { eventId, eventType }) => void heard.push([eventId, eventType]),
  })
  const { tell, call } = createScriptedJudge({ invariants: [noting] }).created('a')
  return { tell, call, heard }
}

const made = ['event-of-a', 'CREATED', 'a', '2026-01-05T15:00:00.000Z']
const eventIds = ['event-of-a']
const event = { eventId: 'event-of-a', eventType: 'CREATED', orderId: 'a' }

test('[ORD-OPS-01] the events of a poll come from the host record without parsing the body', () => {
  const { call, heard } = opened()
  call({ operation: 'pollingEvents', eventIds, answer: 'nobody reads this' })
  expect(heard).toEqual([made])
})

test('[ORD-EVR-04] an altered event is taken from the wire', () => {
  const { tell, call, heard } = opened()
  tell({ kind: 'event.altered', eventId: 'event-of-a', change: { createdAt: '2020-01-01' } })
  call({ operation: 'pollingEvents', eventIds, answer: [{ ...event, createdAt: '2020-01-01' }] })
  expect(heard).toEqual([['event-of-a', 'CREATED', 'a', '2020-01-01']])
})

test('the events of a distorted poll are taken from its body', () => {
  const { call, heard } = opened()
  call({ operation: 'pollingEvents', eventIds, answer: [], fault: 'empty on req(pollingEvents)' })
  expect(heard).toEqual([])
})

test('[ORD-OPS-02] an acknowledgment answered by a recording is taken from its body', () => {
  const { call, heard } = opened()
  call({
    operation: 'acknowledgeEvents',
    eventIds: ['event-of-another-world'],
    body: { eventIds: ['event-of-a', 'event-of-nobody'] },
  })
  expect(heard).toEqual([
    ['event-of-a', 'CREATED'],
    ['event-of-nobody', undefined],
  ])
})

test('an empty list of event ids is ignored, since foreign recordings may omit them', () => {
  const { call, heard } = opened()
  const { eventId, eventType, orderId } = event
  call({ operation: 'pollingEvents', eventIds: [], answer: [event] })
  expect(heard).toEqual([[eventId, eventType, orderId, undefined]])
})
