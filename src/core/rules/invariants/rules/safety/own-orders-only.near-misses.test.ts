/** Near misses of SE-11. */
import {
  call,
  created,
  delivery,
  polled,
  read,
  webhookAround,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import { ownOrdersOnly } from './own-orders-only.ts'

const one = '01234567-89ab-cdef-0123-456789abcdef'
const two = '11234567-89ab-cdef-0123-456789abcdef'
const known = (order: string, merchant = 'loja-1'): Steps => [
  created(0, order, { merchant }),
  polled(0, [`CREATED ${order}`]),
]
const both = [known(one), known(two)]
const listed = (status = 200): Steps => call(50, 'listMerchants', status)
const confirm = (order: string, more: More = {}): Steps =>
  call(100, `confirmOrder ${order}`, 202, more)
const wrong = (why: string, what = 'confirmed o1'): string =>
  `The service ${what} at 15:00:00.100, but ${why}.`
const unshown = wrong('no event or reply had shown that order to it')
const foreign = wrong(
  'that order belongs to the merchant loja-2, which GET /merchants had not listed',
)
const mixed = (key: string): string =>
  wrong(`its X-Request-Id ${key} contains the id of another order, o2`)

nearMisses(ownOrdersOnly, [
  ['ORD-GEN-03', 'a poll showed the order', [both, confirm(one)], 'passed'],
  [
    'ORD-GEN-03',
    'a GET showed the order',
    [created(0, one), read(0, one, 'CREATED'), confirm(one)],
    'passed',
  ],
  [
    'ORD-GEN-03',
    'a webhook in flight shows it',
    [created(0, one), webhookAround(0, `CREATED ${one}`, confirm(one), { took: 200 })],
    'passed',
  ],
  ['ORD-GEN-03', 'nothing did', [created(0, one), confirm(one)], [[unshown, one, [100]]]],
  [
    'ORD-GEN-03',
    'only an event without a status did',
    [created(0, one), polled(0, [`X_HINT ${one}`]), confirm(one)],
    'passed',
  ],
  [
    'ORD-GEN-03',
    'each order is reported once',
    [created(0, one), created(0, two), confirm(one), confirm(one), confirm(two)],
    [
      [unshown, one, [100]],
      [wrong('no event or reply had shown that order to it', 'confirmed o2'), two, [100]],
    ],
  ],
  ['ORD-GEN-03', 'an order of an earlier session', confirm('x'), 'passed'],
  ...['undefined', 'null', 'NaN', '[object Object]'].map((id): NearMiss => [
    'ORD-GEN-03',
    `an order named ${id}`,
    confirm(id),
    [
      [
        `The service confirmed order ${id} at 15:00:00.100, but there is no order ${id}.`,
        id,
        [100],
      ],
    ],
  ]),
  [
    'AUT-MER-01',
    'it belongs to a merchant that was not listed',
    [known(one, 'loja-2'), listed(), confirm(one)],
    [[foreign, one, [50, 100]]],
  ],
  ['AUT-MER-01', 'the merchants were never listed', [known(one, 'loja-2'), confirm(one)], 'passed'],
  [
    'AUT-MER-01',
    'the list could not be read',
    [known(one, 'loja-2'), listed(503), confirm(one)],
    'passed',
  ],
  ['AUT-MER-01', 'it belongs to one that was', [known(one), listed(), confirm(one)], 'passed'],
  [
    'TRN-HDR-04',
    'its id contains its own',
    [both, confirm(one, { key: `${one}-confirm` })],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'its id contains that of another',
    [both, confirm(one, { key: `${two}-confirm` })],
    [[mixed(`${two}-confirm`), one, [100]]],
  ],
  [
    'TRN-HDR-04',
    'of both the other is the mistake; the last call about it is shown',
    [both, read(10, two, 'CREATED'), confirm(one, { key: `${one}-${two}` })],
    [[mixed(`${one}-${two}`), one, [10, 100]]],
  ],
  [
    'TRN-HDR-04',
    'its id is a number of its own',
    [both, confirm(one, { key: '21234567-89ab-cdef-0123-456789abcdef' })],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'its id contains no such number',
    [both, confirm(one, { key: 'confirm-1' })],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'a delivery is requested with the id of another order',
    [both, delivery(100, `createDelivery ${one}`, 202, { key: two })],
    [
      [
        wrong(
          `its X-Request-Id ${two} contains the id of another order, o2`,
          'requested a delivery for o1',
        ),
        one,
        [100],
      ],
    ],
  ],
  ['ORD-GEN-03', 'only the merchants are asked for', listed(), 'not-exercised'],
])
