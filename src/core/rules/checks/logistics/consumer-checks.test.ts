/** What a certification says of a consumer of Logistics: mistakes, and the near misses of each. */
import { expect, test } from 'vitest'
import { exchangesOf, type Message } from '../../../../../test/support/judged-messages.ts'
import { consumerChecks } from './consumer-checks.ts'
import { createTrace } from '../trace.ts'

const orderId = 'o1'
const parties = { service: 'ordering-application', partner: 'delivery-platform' } as const

/** What is wrong by a clause, `fine` where it is kept; nothing where it has not come up. */
function says(clause: string, note: string, ...messages: readonly Message[]): readonly string[] {
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: ['orders', 'logistics'],
    exchanges: exchangesOf(parties, messages),
    steps: {},
    notes: [{ procedure: 'consumed-delivery', name: note, text: orderId, after: 0 }],
    skipped: {},
  })
  return consumerChecks
    .filter(({ clauses, roles }) => clauses.includes(clause) && roles.includes(trace.role))
    .flatMap(({ assertion }) => [...assertion(trace)])
    .map(({ problem = 'fine', isNotice }) => (isNotice ? `notice: ${problem}` : problem))
}

const address = {
  street: 'Rua Augusta',
  number: '100',
  city: 'São Paulo',
  postalCode: '01304-000',
  coordinates: { latitude: -23.55, longitude: -46.65 },
}
const home = { ...address, street: 'Rua da Consolação', number: '200', postalCode: '01302-000' }
const places = { pickup: { address }, dropoff: { address: home } }

const call = (operation: Message['operation'], more: Partial<Message> = {}): Message => ({
  operation,
  by: 'service',
  orderId,
  request: {},
  status: 202,
  ...more,
})
const create = (more: Partial<Message> = {}, body: object = {}): Message =>
  call('createDelivery', {
    params: {},
    request: { orderId, merchant: {}, ...places, ...body },
    ...more,
  })
test.each<[string, object, string]>([
  ['the names of the documents', {}, 'fine'],
  ['a text for merchant', { merchant: 'm1' }, 'its merchant is "m1", not an object'],
  [
    'a text for merchant beside merchantId',
    { merchant: 'm1', merchantId: 'm1' },
    'its merchant is "m1", not an object',
  ],
  [
    'a list for merchant beside merchantId',
    { merchant: [], merchantId: 'm1' },
    'its merchant is a list, not an object',
  ],
  [
    'a text for dropoff beside destination',
    { dropoff: 'Rua', destination: {} },
    'its dropoff is "Rua", not an object',
  ],
  ['no dropoff', { dropoff: undefined }, 'its creation has no dropoff'],
  ['no merchant', { merchant: undefined }, 'its creation has no merchant'],
  [
    'an object for merchantId',
    { merchant: undefined, merchantId: 4 },
    'its creation has no merchant',
  ],
  ['merchantId alone', { merchant: undefined, merchantId: 'm1' }, 'fine'],
  ['null beside merchantId', { merchant: null, merchantId: 'm1' }, 'fine'],
  ['an odd member that the documents do not have', { merchantId: 7, customer: 'Ana' }, 'fine'],
  [
    'the names of the public standard',
    { pickup: undefined, dropoff: null, origin: {}, destination: {} },
    'fine',
  ],
])('[LOG-FLD-04] places of a creation: %s', (_, body, said) => {
  expect(says('LOG-FLD-04', 'none', create({}, body))).toEqual([said])
})
