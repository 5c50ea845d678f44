/** Near misses of SE-9. */
import { call, created, delivery, read } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { callsMatchTheOrder } from './calls-match-the-order.ts'

const address = {
  street: 'Rua Augusta, 1500',
  postalCode: '01304-001',
  formattedAddress: 'Rua Augusta, 1500 - Consolação',
}
const total = { orderAmount: { value: 40, currency: 'BRL' } }
const document = {
  status: 'CONFIRMED',
  merchant: { id: 'loja-1' },
  displayId: '17',
  total,
  fulfillment: { delivery: { address }, takeout: { pickupCode: '7' } },
}
const order = created(0, 'a', { type: 'DELIVERY' })
const shown = (more = {}, at = 0): Steps =>
  read(at, 'a', 'CONFIRMED', { answer: { ...document, ...more } })
const request = (fields: object, at = 1000, took = 0): Steps =>
  delivery(at, 'createDelivery a', 202, { took, body: { orderId: 'a', ...fields } })
const to = (places: object): Steps => [order, shown(), request({ dropoff: { address: places } })]
const wrong = (what: string, shownAt = '00.000', at = '01.000'): string =>
  `The service requested a delivery for o1 at 15:00:${at} with other data than GET had returned (at 15:00:${shownAt}): ${what}.`
const found = (what: string) => [[wrong(what), 'a', [0, 1000]]] as const
const price = (value: unknown): Steps => request({ totalOrderPrice: { value, currency: 'BRL' } })
const ready = (body: unknown): Steps => [
  [created(0, 'a'), shown()],
  call(1000, 'setOrderReadyForPickup a', 202, { body }),
]

nearMisses(callsMatchTheOrder, [
  ['LOG-FLD-04', 'nothing is said', [order, shown(), request({})], 'passed'],
  [
    'LOG-FLD-04',
    'the order was not read',
    [order, request({ merchant: { id: 'loja-2' } })],
    'not-exercised',
  ],
  [
    'LOG-FLD-04',
    'the GET was answered after the call had begun',
    [
      order,
      read(0, 'a', 'CONFIRMED', { answer: document, took: 1001 }),
      request({ merchant: { id: 'loja-2' } }, 1000, 10),
    ],
    'not-exercised',
  ],
  [
    'LOG-FLD-04',
    'the GET was answered as the call began',
    [
      order,
      read(0, 'a', 'CONFIRMED', { answer: document, took: 1000 }),
      request({ merchant: { id: 'loja-2' } }),
    ],
    found('the merchant loja-2 instead of loja-1'),
  ],
  [
    'LOG-FLD-04',
    'the same merchant',
    [order, shown(), request({ merchant: { id: 'loja-1' } })],
    'passed',
  ],
  [
    'LOG-FLD-04',
    'another merchant',
    [order, shown(), request({ merchant: { id: 'loja-2' } })],
    found('the merchant loja-2 instead of loja-1'),
  ],
  [
    'LOG-FLD-04',
    'the GET named none',
    [order, shown({ merchant: {} }), request({ merchant: { id: 'loja-2' } })],
    'passed',
  ],
  ['LOG-FLD-02', 'the same number', [order, shown(), request({ orderDisplayId: '17' })], 'passed'],
  [
    'LOG-FLD-02',
    'another number',
    [order, shown(), request({ orderDisplayId: '18' })],
    found('the number 18 instead of 17'),
  ],
  [
    'LOG-FLD-02',
    'another number by its other name',
    [order, shown(), request({ displayId: '18' })],
    found('the number 18 instead of 17'),
  ],
  [
    'LOG-FLD-02',
    'of two names the first counts',
    [order, shown(), request({ orderDisplayId: '17', displayId: '18' })],
    'passed',
  ],
  ['ORD-EVR-01', 'the same street', to({ street: 'Rua Augusta, 1500' }), 'passed'],
  ['ORD-EVR-01', 'the street without its number', to({ street: 'RUA AUGUSTA' }), 'passed'],
  ['ORD-EVR-01', 'the street with more', to({ street: 'Rua Augusta 1500, apto 3' }), 'passed'],
  [
    'ORD-EVR-01',
    'another street',
    to({ street: 'Rua Bela Cintra, 9' }),
    found('the address Rua Bela Cintra, 9 instead of Rua Augusta, 1500'),
  ],
  [
    'ORD-EVR-01',
    'another street, but the same code',
    to({ street: 'Rua Bela Cintra, 9', postalCode: '01304001' }),
    'passed',
  ],
  [
    'ORD-EVR-01',
    'another code',
    to({ postalCode: '99999-000' }),
    found('the address 99999-000 instead of Rua Augusta, 1500'),
  ],
  [
    'ORD-EVR-01',
    'another address as one text',
    to({ formattedAddress: 'Rua Bela Cintra, 9' }),
    found('the address undefined instead of Rua Augusta, 1500'),
  ],
  ['ORD-EVR-01', 'an empty street', to({ street: '' }), 'passed'],
  [
    'ORD-EVR-01',
    'a GET with a code only',
    [
      order,
      shown({ fulfillment: { delivery: { address: { postalCode: '01304-001' } } } }),
      request({ dropoff: { address: { postalCode: '99999-000', street: 'Rua Bela Cintra' } } }),
    ],
    found('the address Rua Bela Cintra instead of 01304-001'),
  ],
  ['ORD-EVR-01', 'the same price', [order, shown(), price(40)], 'passed'],
  ['ORD-EVR-01', 'another price', [order, shown(), price(41)], found('the price 41 instead of 40')],
  ['ORD-EVR-01', 'no price', [order, shown(), price(undefined)], 'passed'],
  ['ORD-EVR-01', 'the GET named none', [order, shown({ total: {} }), price(41)], 'passed'],
  [
    'ORD-EVR-01',
    'the price changed between two GETs',
    [order, shown(), shown({ total: { orderAmount: { value: 20 } } }, 500), price(41)],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the last GET counts',
    [order, shown(), shown({ displayId: '18' }, 500), request({ displayId: '17' })],
    [[wrong('the number 17 instead of 18', '00.500'), 'a', [500, 1000]]],
  ],
  [
    'ORD-EVR-01',
    'a body that is no object',
    [order, shown(), call(1000, 'createDelivery a', 422, { body: '[' })],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'each mistake is reported once',
    [
      order,
      shown(),
      [1000, 1001].map((at) => [
        request({ displayId: '18' }, at),
        request({ displayId: '19' }, at),
      ]),
    ],
    [
      [wrong('the number 18 instead of 17'), 'a', [0, 1000]],
      [wrong('the number 19 instead of 17'), 'a', [0, 1000]],
    ],
  ],
  ['ORD-EVR-01', 'the same pickup code', ready({ pickupCode: '7' }), 'passed'],
  [
    'ORD-EVR-01',
    'another pickup code',
    ready({ pickupCode: '8' }),
    [
      [
        'The service reported o1 as ready at 15:00:01.000 with other data than GET had returned (at 15:00:00.000): the pickup code 8 instead of 7.',
        'a',
        [0, 1000],
      ],
    ],
  ],
  ['ORD-EVR-01', 'no pickup code', ready({ merchant: { id: 'loja-2' } }), 'passed'],
  ['ORD-EVR-01', 'no body', ready(undefined), 'not-exercised'],
])
