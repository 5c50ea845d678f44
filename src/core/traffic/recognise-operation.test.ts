import { expect, test } from 'vitest'
import { operations } from '../protocol/catalogue.ts'
import { fillPath, pathsAtHost } from '../protocol/operation.ts'
import { orderAndEventsOf, recogniseOperation } from './recognise-operation.ts'

const names = (path: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `a ${name}/1`]))

test('every operation is recognised by each of its paths, after any base path, with its parameters', () => {
  for (const row of operations)
    for (const host of row.hosts)
      for (const path of pathsAtHost(row, host))
        for (const base of ['', '/api/partner-7']) {
          const params = names(path)
          const found = recogniseOperation(
            row.method,
            `https://partner.example${base}${fillPath(path, params)}?limit=2#there`,
          )
          expect(found?.params, `${row.method} ${path}`).toEqual(params)
          // Both protocol versions share some paths: either operation is correct.
          expect(
            pathsAtHost(found!.row, found!.row.hosts[0]!).map((each) => each.split('/').at(-1)),
          ).toContain(path.split('/').at(-1))
        }
})

test('a percent-encoded colon is recognised as a colon', () => {
  expect(recogniseOperation('GET', 'http://x/v2/events%3Apolling')?.row.id).toBe('pollingEvents')
})

test("the base path before the operation's path is reported", () => {
  expect(recogniseOperation('POST', 'http://x/a/b/orders/o-1/confirm')).toMatchObject({
    row: { id: 'confirmOrder' },
    prefix: '/a/b',
    params: { orderId: 'o-1' },
  })
})

test.each([
  ['GET', 'https://partner.example/'],
  ['DELETE', 'https://partner.example/orders/o-1/confirm'],
  ['GET', 'https://partner.example/favicon.ico'],
  ['GET', ''],
  ['GET', 'not a url at all'],
])('%s %s is not an operation', (method, url) => {
  expect(recogniseOperation(method, url)).toBeUndefined()
})

test('the event ids of a poll are those of its reply, of an acknowledgment those of its request', () => {
  const events = [
    { eventId: 'e-1', orderId: 'o-1' },
    { eventId: 'e-2', orderId: 'o-2' },
  ]
  const poll = recogniseOperation('GET', 'http://x/events:polling')!
  expect(
    orderAndEventsOf(poll, {
      request: { method: 'GET', url: '', headers: [] },
      reply: { status: 200, headers: [], body: JSON.stringify(events) },
    }),
  ).toEqual({ eventIds: ['e-1', 'e-2'] })
  const ack = recogniseOperation('POST', 'http://x/events/acknowledgment')!
  for (const body of [events, { eventIds: ['e-1', 'e-2'] }, ['e-1', 'e-2']])
    expect(
      orderAndEventsOf(ack, {
        request: { method: 'POST', url: '', headers: [], body: JSON.stringify(body) },
      }),
    ).toEqual({ eventIds: ['e-1', 'e-2'] })
})

test('a webhook has the event id and order id of its body; a body that is not JSON has none', () => {
  const hook = recogniseOperation('POST', 'http://x/webhooks/orders')!
  const request = { method: 'POST', url: '', headers: [] }
  expect(
    orderAndEventsOf(hook, { request: { ...request, body: '{"eventId":"e-1","orderId":"o-1"}' } }),
  ).toEqual({ orderId: 'o-1', eventIds: ['e-1'] })
  expect(orderAndEventsOf(hook, { request: { ...request, body: '<xml/>' } })).toEqual({})
})

test('an event has its own id, also with nested lists or in an envelope', () => {
  const found = recogniseOperation('POST', 'https://partner.example/v1/events')
  const receiving = operations.find(({ id }) => id === 'receiveCustomerEvent')
  expect(receiving?.webhook).toBeDefined()
  const about = (body: unknown) =>
    orderAndEventsOf(
      { row: receiving!, params: {}, prefix: found?.prefix ?? '' },
      { request: { method: 'POST', url: '/', headers: [], body: JSON.stringify(body) } },
    ).eventIds
  const event = { eventId: 'e1', eventType: 'customer.updated', changedFields: ['email', 'phone'] }
  expect(about(event)).toEqual(['e1'])
  expect(about({ event, tags: ['vip'] })).toEqual(['e1'])
  expect(about({ events: [event, { ...event, eventId: 'e2' }] })).toEqual(['e1', 'e2'])
})
