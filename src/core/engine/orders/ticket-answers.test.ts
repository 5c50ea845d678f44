/** The Software Service's reading of a poll answer with a partner's peculiarities. */
import { expect, test } from 'vitest'
import { transcript } from '../../../../test/support/transcript.ts'
import type { OutgoingCall } from '../calls/call.ts'
import { readPollAnswer } from './ticket-answers.ts'

const poll: OutgoingCall = {
  id: 1,
  requestId: 'r',
  from: 'software-service',
  to: 'ordering-application',
  operation: 'pollingEvents',
  attempt: 1,
}

test('[ORD-UND-02, ORD-OPS-02] an event with null in optional fields is acted on, not only acknowledged', () => {
  const { world, settings } = transcript().engine
  const context = { world, settings } as Parameters<typeof readPollAnswer>[2]
  const body = [
    {
      eventId: 'e-1',
      eventType: 'CREATED',
      orderId: 'o-1',
      orderURL: 'http://127.0.0.1/orders/o-1',
      createdAt: '2026-01-05T15:00:00Z',
      sourceAppId: null,
      metadata: null,
    },
  ]
  const facts = readPollAnswer(poll, { kind: 'answered', status: 200, body }, context)
  expect(facts.map(({ kind }) => kind)).toEqual(['ticket.polled', 'ticket.announced'])
})
