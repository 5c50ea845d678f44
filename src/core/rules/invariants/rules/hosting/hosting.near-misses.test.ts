/** The rules HO-1 and HO-2: what a V1 Ordering Application shows and takes, in sessions that play its merchant. */
import { describe, expect, test } from 'vitest'
import {
  aV1Order,
  createV1Originator,
  type V1Originator,
} from '../../../../../../test/support/scripted-v1-ordering-application.ts'
import { openSession } from '../../../../session/open-session.ts'
import type { Verdict } from '../../verdict.ts'

type Script = (originator: V1Originator, pass: (ms: number) => Promise<void>) => Promise<void>

const minutes = (count: number): number => count * 60_000

/** What a rule says of an Ordering Application after ten minutes. */
async function judged(id: string, script: Script) {
  const originator = createV1Originator()
  await using session = await openSession({
    dialect: 'v1',
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

type Row = readonly [what: string, script: Script, finding?: RegExp]

const nearMisses = (id: string) => (rows: readonly Row[]) =>
  describe(`the rule ${id}`, () => {
    const named = rows.map(([what, script, finding]) => ({ what, script, finding }))
    test.each(named)('$what', async ({ script, finding }) => {
      const { verdict } = await judged(id, script)
      const said = verdict.findings.map(({ because }) => because)
      expect(said).toEqual(finding ? [expect.stringMatching(finding)] : [])
      expect(verdict.outcome).toBe(finding ? 'failed' : 'passed')
    })
  })

const placing =
  (more: Readonly<Record<string, unknown>>, type = 'TAKEOUT'): Script =>
  async (originator) =>
    originator.place(aV1Order('o-1', type, more))

const shown = (what: string): RegExp =>
  new RegExp(`^The service shows an order without what V1 requires: ${what}`)

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

const answering =
  (answer: (call: string, time: number) => number | undefined): Script =>
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
  const { originator } = await judged('HO-2', async (host, pass) => {
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
  const { originator } = await judged('HO-2', async (host, pass) => {
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

test('in V2 these rules say nothing: they are of V1', async () => {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    as: 'ordering-application',
  })
  const { verdicts } = await session.look({ verdicts: true })
  expect(verdicts.filter(({ id }) => id.startsWith('HO-'))).toEqual([])
})
