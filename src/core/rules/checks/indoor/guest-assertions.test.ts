/** What an Ordering Application calls about an account whose status it knows: near misses included. */
import { describe, expect, test } from 'vitest'
import { judged, type Message } from '../../../../../test/support/judged-messages.ts'

const key = { operationMode: 'TABLE', identifier: '7' }
const account = { accountId: 'a1', ...key }

const event = (eventType: string, more: object = {}): Message => ({
  operation: 'receiveAccountEvent',
  status: 204,
  request: { eventId: eventType, eventType, ...account, ...more },
})
const call = (
  operation: Message['operation'],
  status: number,
  names: object = { accountId: 'a1' },
): Message => ({ operation, by: 'service', status, request: names, reply: {} })

/** What a session says of it. */
const said = (...messages: readonly Message[]) =>
  judged({ service: 'ordering-application', partner: 'software-service' }, /^IND-PRM/, messages)

const advice = (clause: string, operation: string, status: string) => [
  `advice ${clause}: it calls ${operation} although the account that it knows is ${status}.`,
]

describe('a call that the status of an account does not allow is advised against', () => {
  test.each([
    ['IND-PRM-02', 'ACCOUNT_PRE_CLOSED', 'cancelAccountItem', 'IN_PAYMENT'],
    ['IND-PRM-03', 'ACCOUNT_PRE_CLOSED', 'transferAccountContent', 'IN_PAYMENT'],
    ['IND-PRM-04', 'ACCOUNT_CLOSED', 'createPayment', 'CLOSED'],
    ['IND-PRM-05', 'ACCOUNT_CLOSED', 'preCloseAccount', 'CLOSED'],
    ['IND-PRM-06', 'ACCOUNT_CLOSED', 'unlockAccount', 'CLOSED'],
    ['IND-PRM-07', 'ACCOUNT_OPENED', 'closeAccount', 'IN_USE'],
  ] as const)('[%s] after %s: %s', (clause, type, operation, status) => {
    expect(said(event(type), call(operation, 409))).toEqual(advice(clause, operation, status))
  })

  test('[IND-PRM-04] after a close of its own, and by the key of the account', () => {
    const expected = advice('IND-PRM-04', 'createPayment', 'CLOSED')
    expect(said(call('closeAccount', 202), call('createPayment', 409))).toEqual(expected)
    expect(said(event('ACCOUNT_CLOSED'), call('createPayment', 409, key))).toEqual(expected)
  })
})

describe('no advice is given', () => {
  const closed = event('ACCOUNT_CLOSED')
  const pay = (status: number, names?: object) => call('createPayment', status, names)
  test.each<readonly [string, readonly Message[]]>([
    ['where the host takes a call by the key', [closed, pay(201, key)]],
    ['of a call whose outcome is not known', [closed, pay(503)]],
    ['of a call that lacks its token', [closed, pay(401)]],
    ['of another account', [closed, pay(409, { accountId: 'a2' })]],
    ['of an event that the client refused', [{ ...closed, status: 500 }, pay(409)]],
    ['of an event that is on its way', [closed, { ...pay(409), after: 0 }]],
    ['of an event that has just come', [closed, { ...pay(409), after: 0.1 }]],
    [
      'of a close after its own lock',
      [event('ACCOUNT_OPENED'), call('preCloseAccount', 202), call('closeAccount', 409)],
    ],
    [
      'of an older event that comes late',
      [
        event('ACCOUNT_UNLOCKED', { occurredAt: '2026-01-01T00:00:09Z' }),
        event('ACCOUNT_PRE_CLOSED', { occurredAt: '2026-01-01T00:00:05Z' }),
        call('cancelAccountItem', 409),
      ],
    ],
  ])('%s', (_, messages) => {
    expect(said(...messages)).toEqual([])
  })
})
