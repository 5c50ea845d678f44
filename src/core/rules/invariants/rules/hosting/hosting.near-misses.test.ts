/** The rules HO-1 and HO-2: what an Ordering Application shows and takes, in sessions that play its merchant. */
import { describe, expect, test } from 'vitest'
import {
  aV1Order,
  createV1Originator,
  type V1Originator,
} from '../../../../../../test/support/scripted-v1-ordering-application.ts'
import type { StoredOrder } from '../../../../../../test/support/minimal-order.ts'
import { plainOrder } from '../../../../../../test/support/plain-order.ts'
import {
  createOriginator,
  type Originator,
} from '../../../../../../test/support/scripted-ordering-application.ts'
import { openSession } from '../../../../session/open-session.ts'
import type { Verdict } from '../../verdict.ts'

type Host = V1Originator | Originator
type Script<Of extends Host> = (
  originator: Of,
  pass: (ms: number) => Promise<void>,
) => Promise<void>

const minutes = (count: number): number => count * 60_000

const v1 = { dialect: 'v1', open: () => createV1Originator() } as const
const v2 = { dialect: undefined, open: () => createOriginator() } as const

interface Generation<Of extends Host> {
  readonly dialect: 'v1' | undefined
  readonly open: () => Of
}

/** What a rule says of an Ordering Application after ten minutes. */
async function judged<Of extends Host>(
  id: string,
  { dialect, open }: Generation<Of>,
  script: Script<Of>,
) {
  const originator = open()
  await using session = await openSession({
    ...(dialect ? { dialect } : {}),
    clock: 'virtual',
    listen: false,
    as: 'ordering-application',
    handler: originator.fetch,
  })
  await script(originator, (ms) => session.advance(ms))
  await session.advance(minutes(10))
  const { verdicts } = await session.look({ verdicts: true })
  return { verdict: verdicts.find((each) => each.id === id) as Verdict, originator }
}

type Row<Of extends Host = V1Originator> = readonly [
  what: string,
  script: Script<Of>,
  finding?: RegExp,
]

const nearMissesIn =
  <Of extends Host>(generation: Generation<Of>) =>
  (id: string) =>
  (rows: readonly Row<Of>[]) =>
    describe(`the rule ${id} in ${generation.dialect ?? 'v2'}`, () => {
      const named = rows.map(([what, script, finding]) => ({ what, script, finding }))
      test.each(named)('$what', async ({ what, script, finding }) => {
        const { verdict } = await judged(id, generation, script)
        const said = verdict.findings.map(({ because }) => because)
        expect(said).toEqual(finding ? [expect.stringMatching(finding)] : [])
        expect(verdict.outcome).toBe(finding ? 'failed' : 'passed')
        const [clause] = /(?<=^\[)ORD-[A-Z]+-\d+/.exec(what) ?? []
        if (clause && finding && id === 'HO-1') expect(verdict.clauses[0]).toBe(clause)
      })
    })

const nearMisses = nearMissesIn(v1)
const nearMissesOfV2 = nearMissesIn(v2)

const placing =
  (more: Readonly<Record<string, unknown>>, type = 'TAKEOUT'): Script<V1Originator> =>
  async (originator) =>
    originator.place(aV1Order('o-1', type, more))

const shown = (what: string, version = 'V1'): RegExp =>
  new RegExp(`^The service shows an order without what ${version} requires: ${what}`)

const [item] = aV1Order('o-1').items

nearMisses('HO-1')([
  ['[MIG-ORD-07] an order with every field that V1 requires', placing({})],
  ['an order with more than that', placing({ items: [{ ...item, cor: 'azul' }], loja: 1 })],
  ['an order without its optional fields', placing({ sendPreparing: undefined })],
  ['[MIG-ORD-08] an order without items', placing({ items: undefined }), shown('items: expected')],
  ['an order with an empty list of items', placing({ items: [] }), shown('items: ')],
  [
    'an item without its price',
    placing({ items: [{ ...item, unitPrice: undefined }] }),
    shown('items.0.unitPrice'),
  ],
  [
    'the same of each item, once',
    placing({ items: [item, { ...item, name: 1 }, { ...item, name: 2 }] }),
    shown('items.1.name: expected a string, received 1'),
  ],
  ['a null in the place of an object', placing({ customer: null }), shown('customer: ')],
  [
    'a customer without a phone',
    placing({ customer: { id: 'c-1', name: 'Ana', ordersCountOnMerchant: 0 } }),
    shown('customer.phone: '),
  ],
  ['a time that is none', placing({ createdAt: 'hoje' }), shown('createdAt: ')],
  ['no total', placing({ total: undefined }), shown('total: ')],
  [
    'an event without the URL of its order',
    async (originator) => {
      originator.place(aV1Order('o-1', 'TAKEOUT'))
      Object.assign(originator.announce('o-1', 'CONFIRMED'), { orderURL: undefined })
    },
    /^The service shows an event CONFIRMED without what V1 requires: orderURL: expected a string/,
  ],
])

const { customer, ...plain } = plainOrder('o-1', 'DELIVERY')
const { phone: _phone, ...unreachable } = customer ?? {}

/** A V2 order that differs from a whole one in these members. */
const placingV2 =
  (more: Readonly<Record<string, unknown>>): Script<Originator> =>
  async (originator) =>
    void originator.place({ ...plain, customer, ...more } as unknown as StoredOrder)

/** The event of a V2 order differs from a whole one in these members. */
const announcingV2 =
  (more: Readonly<Record<string, unknown>>, eventType = 'CREATED'): Script<Originator> =>
  async (originator, pass) => {
    originator.place({ ...plain, customer } as unknown as StoredOrder)
    if (eventType !== 'CREATED') originator.announce('o-1', eventType)
    const event = originator.pending.find((each) => each.eventType === eventType)
    Object.assign(event ?? {}, more)
    await pass(1000)
  }

const inV2 = (what: string) => shown(what, 'V2')
const eventInV2 = (eventType: string, what: string): RegExp =>
  new RegExp(`^The service shows an event ${eventType} without what V2 requires: ${what}`)

nearMissesOfV2('HO-1')([
  ['[ORD-OPS-04] an order with every field that is required', placingV2({})],
  ['further fields', placingV2({ loja: 1, customer: { ...customer, apelido: 'A' } })],
  [
    'what is optional of a customer',
    placingV2({ customer: { ...customer, email: undefined, phone: { number: '+55 11 9' } } }),
  ],
  [
    'an order to take away without a customer',
    placingV2({ customer: undefined, fulfillment: { orderType: 'TAKEOUT', takeout: {} } }),
  ],
  ['an order without fees, discounts and notes', placingV2({ otherFees: undefined })],
  [
    '[ORD-FLD-06] a customer without a phone',
    placingV2({ customer: unreachable }),
    inV2('customer.phone: '),
  ],
  [
    'a phone as a text',
    placingV2({ customer: { ...customer, phone: '+55 11 9' } }),
    inV2('customer.phone: expected an object'),
  ],
  [
    'a phone whose number is a number',
    placingV2({ customer: { ...customer, phone: { number: 5_511 } } }),
    inV2('customer.phone.number: expected a string'),
  ],
  [
    '[ORD-FLD-06] a delivery without a customer',
    placingV2({ customer: undefined }),
    inV2('customer'),
  ],
  ['[ORD-OPS-04] an order without items', placingV2({ items: [] }), inV2('items: ')],
  ['[ORD-FLD-02] a status that is none', placingV2({ status: 'PLACED' }), inV2('status: ')],
  ['an event without what is optional', announcingV2({ orderURL: undefined }, 'CONFIRMED')],
  [
    '[ORD-EVF-03] a CREATED without the URL of its order',
    announcingV2({ orderURL: undefined }),
    eventInV2('CREATED', 'orderURL: '),
  ],
  [
    '[ORD-EVF-01] an event without a time',
    announcingV2({ createdAt: undefined }),
    eventInV2('CREATED', 'createdAt'),
  ],
  ['an event of another type, as partners have them', announcingV2({}, 'VENDOR_NEWS')],
])

const answering =
  (answer: (call: string, time: number) => number | undefined): Script<V1Originator> =>
  async (originator) => {
    const times = new Map<string, number>()
    originator.answer = (_orderId, call) => {
      times.set(call, (times.get(call) ?? 0) + 1)
      return answer(call, times.get(call) ?? 0)
    }
    originator.place(aV1Order('o-1', 'TAKEOUT'))
  }

const refused = (what: string, status: number): RegExp =>
  new RegExp(`^Sparring ${what} order o-1 \\d+ times, .* answered ${status} at last, took none`)

nearMisses('HO-2')([
  ['[ORD-GEN-05] every call is taken', answering(() => undefined)],
  ...[404, 400, 405, 500, 422].map((status): Row => [
    `a confirm that is always ${status}`,
    answering((call) => (call === 'confirm' ? status : undefined)),
    refused('confirmed', status),
  ]),
  [
    'a step further on that is always 404',
    answering((call) => (call === 'readyForPickup' ? 404 : undefined)),
    /^Sparring reported order o-1 as ready \d+ times/,
  ],
  [
    'a confirm that is 404 at first: the order was not there yet',
    answering((call, time) => (call === 'confirm' && time < 3 ? 404 : undefined)),
  ],
  [
    '[MIG-ORD-05] a confirm that is 422 since it has taken effect, and the event comes',
    async (originator) => {
      originator.answer = (orderId, call) => {
        if (call !== 'confirm') return undefined
        originator.announce(orderId, 'CONFIRMED')
        return 422
      }
      originator.place(aV1Order('o-1', 'TAKEOUT'))
    },
  ],
  [
    'calls for an order that is cancelled meanwhile',
    async (originator, pass) => {
      originator.answer = (_orderId, call) => (call === 'confirm' ? 422 : undefined)
      originator.place(aV1Order('o-1', 'TAKEOUT'))
      await pass(20_000)
      originator.announce('o-1', 'CANCELLED')
    },
  ],
  [
    'an announced order that is never there',
    async (originator) => void originator.announce('o-1', 'CREATED'),
    /^Sparring called getOrder for order o-1 \d+ times, .* answered 404 at last/,
  ],
])

test('our merchant gives up a call that is always refused, though each poll hands CREATED over anew', async () => {
  const { originator } = await judged('HO-2', v1, async (host, pass) => {
    host.answer = (_orderId, call) => (call === 'confirm' ? 404 : undefined)
    host.place(aV1Order('o-1', 'TAKEOUT'))
    for (let polls = 0; polls < 100; polls++) {
      host.announce('o-1', 'CREATED')
      await pass(5000)
    }
  })
  expect(originator.callNames('o-1')).toEqual(Array.from({ length: 10 }, () => 'confirm'))
})

test('and takes the order on when it is confirmed after all', async () => {
  const { originator } = await judged('HO-2', v1, async (host, pass) => {
    host.answer = (_orderId, call) => (call === 'confirm' ? 404 : undefined)
    host.place(aV1Order('o-1', 'TAKEOUT'))
    for (let polls = 0; polls < 100; polls++) {
      host.announce('o-1', 'CREATED')
      await pass(5000)
    }
    host.announce('o-1', 'CONFIRMED')
  })
  expect(originator.callNames('o-1')).toContain('pickedUp')
})

test('in V2 the rule HO-2 says nothing: it is of V1', async () => {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    as: 'ordering-application',
  })
  const { verdicts } = await session.look({ verdicts: true })
  expect(verdicts.filter(({ id }) => id === 'HO-2')).toEqual([])
})

test.each([
  ['v1', { ...v1, open: () => answeringPollsBy((events) => ({ events }), createV1Originator()) }],
  ['v2', { ...v2, open: () => answeringPollsBy((events) => ({ events }), createOriginator()) }],
] as const)(
  '[ORD-OPS-01] the rule HO-1 in %s: events that are in no list',
  async (name, generation) => {
    const { verdict } = await judged('HO-1', generation as Generation<Host>, async () => {})
    expect(verdict.outcome).toBe('failed')
    expect(verdict.findings.map(({ because }) => because)).toEqual([
      `The service answers a poll with an object, where ${name.toUpperCase()} requires a list of events.`,
    ])
  },
)

/** Its polls are answered with something else than the list of the events. */
function answeringPollsBy<Of extends Host>(
  change: (events: unknown) => unknown,
  originator: Of,
): Of {
  const fetch = async (request: Request): Promise<Response> => {
    const answer = await originator.fetch(request)
    const isPoll = decodeURIComponent(new URL(request.url).pathname).endsWith('events:polling')
    if (!isPoll || answer.status >= 300) return answer
    const events: unknown = answer.status === 200 ? await answer.json() : []
    return Response.json(change(events), { status: 200 })
  }
  return { ...originator, fetch }
}
