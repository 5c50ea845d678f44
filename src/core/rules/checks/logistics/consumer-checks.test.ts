/** What a certification says of a consumer of Logistics: mistakes, and the near misses of each. */
import { describe, expect, test } from 'vitest'
import { exchangesOf, type Message } from '../../../../../test/support/judged-messages.ts'
import {
  deliveryCall as call,
  deliveryEvent as event,
  deliveryRead as read,
  orderId,
} from '../../../../../test/support/delivery-messages.ts'
import { consumerChecks } from './consumer-checks.ts'
import { createTrace } from '../trace.ts'

const fault = 'reset on rsp(createDelivery)'
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
const campinas = { ...home, street: 'Avenida Outra', city: 'Campinas', postalCode: '13010-000' }
const places = { pickup: { address }, dropoff: { address: home } }

const create = (more: Partial<Message> = {}, body: object = {}): Message =>
  call('createDelivery', {
    params: {},
    request: { orderId, merchant: {}, ...places, ...body },
    ...more,
  })
const ask = (request: object, more: Partial<Message> = {}): Message => ({
  operation: 'checkDeliveryAvailability',
  by: 'service',
  request,
  ...more,
})
const cancel = (more: Partial<Message> = {}): Message => call('cancelDelivery', more)
const poll = (more: Partial<Message> = {}): Message => ({
  operation: 'pollingEvents',
  reply: [{ eventId: 'e9', eventType: 'CANCELLED', orderId, createdAt: '2026-10-01T00:00:00Z' }],
  ...more,
})

describe('[LOG-CON-04] the cancel of an open delivery comes before the CANCELLED of its order', () => {
  const problem = 'it cancels an order without a cancel of its open delivery before'
  const of = (...messages: readonly Message[]) => says('LOG-CON-04', 'cancelled order', ...messages)

  test.each<[string, readonly Message[], readonly string[]]>([
    ['a delivery that is taken', [create(), poll()], [problem]],
    ['one of a second try', [create({ status: 400 }), create(), poll()], [problem]],
    ['one that an event has shown', [create({ status: 0 }), event('ASSIGNED'), poll()], [problem]],
    ['a cancel that comes after', [create(), poll(), cancel()], [problem]],
    ['a cancel that comes before', [create(), cancel(), poll()], ['fine']],
    [
      'a cancel while the poll is under way',
      [create(), poll({ tookMs: 3000 }), cancel()],
      ['fine'],
    ],
    ['a delivery that is refused', [create({ status: 400 }), poll()], []],
    [
      'one that is refused again and again',
      [create({ status: 422 }), create({ status: 422 }), poll()],
      [],
    ],
    ['one that is refused, and cancelled after', [create({ status: 422 }), poll(), cancel()], []],
    ['a creation without an answer', [create({ status: 0 }), poll()], []],
    ['a creation of an unknown outcome', [create({ status: 503 }), poll()], []],
    ['a creation that a fault has touched', [create({ fault }), poll()], []],
    ['a creation that comes later', [poll(), create()], []],
    ['a delivery that is over', [create(), event('DELIVERED'), poll()], []],
  ])('%s', (_, messages, said) => {
    expect(of(...messages)).toEqual(said)
  })
})

describe('[LOG-GEN-05] a delivery that is taken is followed', () => {
  const problem = 'it follows the delivery neither by events nor by reads'

  test.each<[string, readonly Message[], readonly string[]]>([
    ['by nothing', [create()], [problem]],
    ['by events that it does not take', [create(), event('ASSIGNED', { status: 500 })], [problem]],
    ['by events', [create(), event('ASSIGNED')], ['fine']],
    ['by reads', [create(), read('PENDING')], ['fine']],
    ['where it is refused', [create({ status: 400 })], []],
    ['where its creation has no answer', [create({ status: 0 })], []],
    ['where our platform is in trouble', [create({ status: 500 })], []],
    ['where a fault has touched its creation', [create({ fault })], []],
  ])('%s', (_, messages, said) => {
    expect(says('LOG-GEN-05', 'delivered order', ...messages)).toEqual(said)
  })
})

describe('[LOG-CON-05] the declared trackingMode is followed', () => {
  const problem = 'it does not read the delivery of a platform whose trackingMode is pull'
  const manifest = (trackingMode: string, more: Partial<Message> = {}): Message => ({
    operation: 'getManifest',
    by: 'service',
    reply: {
      capabilities: [{ name: 'logistics', role: 'RECEIVER', operations: [], trackingMode }],
    },
    ...more,
  })

  test.each<[string, readonly Message[], readonly string[]]>([
    ['pull, without a read', [manifest('pull'), create()], [problem]],
    ['pull, with a read', [manifest('pull'), create(), read('PENDING')], ['fine']],
    [
      'pull, and an event comes all the same',
      [manifest('pull'), create(), event('PENDING')],
      ['fine', 'fine'],
    ],
    ['pull, and the creation is refused', [manifest('pull'), create({ status: 400 })], []],
    ['pull in a manifest that a fault has touched', [manifest('pull', { fault }), create()], []],
    ['push, without a read', [manifest('push'), create()], []],
    ['no manifest is read', [create()], []],
    [
      'push, and an event is not taken',
      [manifest('push'), event('PENDING', { status: 500 })],
      ['it answered 500, not 2xx'],
    ],
  ])('%s', (_, messages, said) => {
    expect(says('LOG-CON-05', 'delivered order', ...messages)).toEqual(said)
  })
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

describe('[LOG-CON-01] availability is asked for before a creation, for the same pair', () => {
  const without = 'it creates a delivery without a question for availability'
  const elsewhere = `${without} between its places`
  const alike = 'notice: it creates a delivery, and asked for availability for another order only'
  const other = { ...places, dropoff: { address: campinas } }
  const before = (...messages: readonly Message[]) => says('LOG-CON-01', 'none', ...messages)

  test.each<[string, object, string]>([
    ['the same places', { orderId, ...places }, 'fine'],
    ['the same places, for no order', places, 'fine'],
    ['another city', { orderId, ...other }, elsewhere],
    ['another city, for no order', other, elsewhere],
    [
      'another city, by the names of the public standard',
      { origin: address, destination: campinas },
      elsewhere,
    ],
    ['another store', { ...places, pickup: { address: campinas } }, elsewhere],
    ['another city, for another order', { orderId: 'o2', ...other }, without],
    ['the same places, for another order', { orderId: 'o2', ...places }, alike],
    [
      'another street, for another order',
      { orderId: 'o2', ...places, dropoff: { address } },
      without,
    ],
    ['no places', { orderId }, 'fine'],
    ['a city only', { dropoff: { city: 'Campinas' } }, 'fine'],
    [
      'a street and a city that are spelt otherwise',
      { dropoff: { address: { ...home, street: 'R. Consolação', city: 'S. Paulo' } } },
      'fine',
    ],
    [
      'case, accents and dashes',
      {
        dropoff: {
          address: {
            ...home,
            street: 'RUA DA CONSOLACAO',
            city: 'sao paulo',
            postalCode: '01302000',
          },
        },
      },
      'fine',
    ],
    [
      'another postal code only',
      { dropoff: { address: { ...home, postalCode: '01399-000' } } },
      'fine',
    ],
    [
      'another point on the map only',
      { dropoff: { address: { ...home, coordinates: { latitude: -23.2, longitude: -46.1 } } } },
      'fine',
    ],
    ['a place that is a text', { dropoff: 'Campinas' }, 'fine'],
  ])('a question between %s', (_, question, said) => {
    expect(before(ask(question), create())).toEqual([said])
  })

  test('no question, or one that comes after, is wrong; one does for several creations of a pair', () => {
    expect(before(create())).toEqual([without])
    expect(before(create(), ask(places))).toEqual([without])
    const next = create({}, { orderId: 'o2' })
    expect(before(ask(places), create(), next)).toEqual(['fine', 'fine'])
    expect(before(ask(places), create(), create({}, { orderId: 'o2', ...other }))).toEqual([
      'fine',
      elsewhere,
    ])
  })

  test('a question that has failed counts, and a creation that a fault has touched does not', () => {
    expect(before(ask(places, { status: 503 }), create())).toEqual(['fine'])
    expect(before(create({ fault }))).toEqual([])
  })
})
