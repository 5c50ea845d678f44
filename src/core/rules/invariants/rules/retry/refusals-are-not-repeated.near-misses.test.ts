/** Near misses of RT-5. */
import {
  call,
  created,
  delivery,
  emitted,
  polled,
  read,
  webhook,
  webhookAround,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { refusalsAreNotRepeated } from './refusals-are-not-repeated.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, status = 422, more: More = {}): Steps =>
  call(at, 'confirmOrder a', status, more)
const repeated = (what = 'confirmOrder of o1', reply = 'a 422', after = '1 s'): string =>
  `The service repeated ${what} ${after} after ${reply} that refused it for good, without a new event or status in between.`
const found = [[repeated(), 'a', [0, 1000]]] as const
/** A refusal, what happens then, and the same call. */
const around = (meanwhile: Steps): Steps => [orders, confirm(0), meanwhile, confirm(1000)]
const cancel = (at: number, key: string): Steps => call(at, 'requestCancellation a', 422, { key })
const deliveryRead = (at: number, status: string, more: More = {}): Steps =>
  delivery(at, 'getDelivery a', 200, { answer: { status }, ...more })

nearMisses(refusalsAreNotRepeated, [
  ['TRN-ERB-01', 'a refusal', [orders, confirm(0)], 'passed'],
  ['TRN-ERB-01', 'the call is repeated', around([]), found],
  ['TRN-ERB-01', 'again and again, reported once', [around([]), confirm(2000)], found],
  ['TRN-ERB-01', 'with success', [orders, confirm(0), confirm(1000, 202)], found],
  [
    'TRN-ERB-01',
    'once more after a success',
    [orders, confirm(0), confirm(0, 202), confirm(1000)],
    [[repeated('confirmOrder of o1', 'a 422', '0 ms'), 'a', [0, 0]]],
  ],
  [
    'TRN-ERB-01',
    'with another body',
    [orders, confirm(0), confirm(1000, 422, { body: {} })],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'of another order',
    [orders, confirm(0), call(1000, 'confirmOrder b', 422)],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'another operation',
    [orders, confirm(0), call(1000, 'setOrderPreparing a', 422)],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'the call had begun before the refusal',
    [orders, confirm(0, 422, { took: 1000 }), confirm(999, 422, { took: 1000 })],
    'passed',
  ],
  ['TRN-STA-12', 'a temporary failure', [orders, confirm(0, 503), confirm(1000)], 'passed'],
  [
    'AUT-TOK-04',
    'a rejected token',
    [orders, confirm(0, 401), confirm(1000, 401)],
    'not-exercised',
  ],
  [
    'TRN-ERB-01',
    'a GET',
    [orders, [0, 1000].map((at) => call(at, 'getOrder a', 404))],
    'not-exercised',
  ],
  [
    'TRN-ERB-01',
    'a call about no order',
    [0, 1000].map((at) => call(at, 'createPayment', 422)),
    'not-exercised',
  ],
  ['TRN-ERB-01', 'an event came', around(polled(500, ['CREATED a'])), 'passed'],
  ['TRN-ERB-01', 'an event came by webhook', around(webhook(500, 'CREATED a')), 'passed'],
  ['TRN-ERB-01', 'an event of another order came', around(polled(500, ['CREATED b'])), found],
  ['TRN-ERB-01', 'a GET showed a status', around(read(500, 'a', 'CREATED')), 'passed'],
  [
    'TRN-ERB-01',
    'a GET showed the same status',
    [orders, read(0, 'a', 'CREATED'), confirm(0), read(500, 'a', 'CREATED'), confirm(1000)],
    found,
  ],
  [
    'TRN-ERB-01',
    'a GET showed another',
    [orders, read(0, 'a', 'CREATED'), confirm(0), read(500, 'a', 'CONFIRMED'), confirm(1000)],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'a GET showed another last event',
    [
      [orders, read(0, 'a', 'CREATED'), confirm(0)],
      read(500, 'a', 'CREATED', { answer: { status: 'CREATED', lastEvent: 'ITEM_CANCELLED' } }),
      confirm(1000),
    ],
    'passed',
  ],
  ['LOG-RUL-02', 'a GET showed the delivery', around(deliveryRead(500, 'PENDING')), 'passed'],
  [
    'LOG-RUL-02',
    'a GET of it failed',
    around(deliveryRead(500, 'PENDING', { status: 503 })),
    found,
  ],
  [
    'LOG-RUL-02',
    'a GET showed the same of the delivery',
    [orders, deliveryRead(0, 'PENDING'), confirm(0), deliveryRead(500, 'PENDING'), confirm(1000)],
    found,
  ],
  [
    'TRN-ERB-01',
    'a webhook was in flight when it was refused',
    [
      orders,
      emitted(0, 'CONFIRMED a'),
      webhookAround(0, 'CONFIRMED a', confirm(0), { took: 500 }),
      confirm(1000),
    ],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'a webhook was in flight when it was repeated',
    [
      orders,
      emitted(0, 'CONFIRMED a'),
      confirm(0),
      webhookAround(900, 'CONFIRMED a', confirm(1000), { took: 500 }),
    ],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'a webhook about another order was in flight',
    [orders, confirm(0), webhookAround(900, 'CREATED b', confirm(1000), { took: 500 })],
    found,
  ],
  [
    'TRN-ERB-01',
    'a person asks for the cancellation again',
    [orders, cancel(0, 'one'), cancel(1000, 'two')],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'the service does',
    [orders, cancel(0, 'one'), cancel(1000, 'one')],
    [[repeated('requestCancellation of o1'), 'a', [0, 1000]]],
  ],
  [
    'TRN-ERB-01',
    'with another id it is the same call',
    [orders, confirm(0, 422, { key: 'one' }), confirm(1000, 422, { key: 'two' })],
    found,
  ],
  [
    'LOG-RUL-02',
    'a request for a delivery names its order in the body',
    [orders, [0, 1000].map((at) => delivery(at, 'createDelivery a', 422))],
    [[repeated('createDelivery of o1'), 'a', [0, 1000]]],
  ],
])

nearMisses(
  refusalsAreNotRepeated,
  [
    [
      'TRN-ERB-01',
      'the call may have begun before',
      [orders, confirm(0), confirm(200)],
      [[repeated('confirmOrder of o1', 'a 422', '200 ms'), 'a', [0, 200], 'inconclusive']],
    ],
    [
      'TRN-ERB-01',
      'it had not',
      [orders, confirm(0), confirm(201)],
      [[repeated('confirmOrder of o1', 'a 422', '201 ms'), 'a', [0, 201]]],
    ],
  ],
  { lagMs: 100 },
)
