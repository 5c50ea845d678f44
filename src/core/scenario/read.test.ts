/** What is wrong in a scenario is found before it is played: names that nothing has, and keys that would say nothing. */
import { describe, expect, test } from 'vitest'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import { readRuns } from './read.ts'

/** `path: what is wrong`, of a scenario that places o1, where it names no orders itself. */
function diagnosticsOf(written: Readonly<Record<string, unknown>>): readonly string[] {
  const { steps = [], ...others } = written
  const orders = { o1: { type: 'TAKEOUT' } }
  const placed = 'orders' in others ? [] : [{ create: 'o1' }]
  const value = { name: 'a', about: 'b', orders, steps: [placed, steps].flat() }
  const runs = readRuns({ ...value, ...others }, checkSchema)
  return runs.ok
    ? []
    : runs.error.map(({ path, wrong }) => {
        const place = path.join('.')
        return `${place}: ${wrong.replace(`${place}: `, '')}`
      })
}

const wrongStep = (step: unknown, others: object = {}) =>
  diagnosticsOf({ steps: step, ...others }).map((text) => text.replace('steps.1.', ''))

describe('names that nothing has', () => {
  test.each([
    [{ hold: { event: 'CONFIRMD' } }, 'hold.event: there is no event "CONFIRMD"'],
    [{ take: { event: 'CONFIRMD' } }, 'take.event: there is no event "CONFIRMD"'],
    [{ pause: { trigger: 'confrm' } }, 'pause.trigger: there is no trigger "confrm"'],
    [
      { move: { event: 'CONFIRMED', onto: { trigger: 'confrm' } } },
      'move.onto.trigger: there is no trigger "confrm"',
    ],
    [
      { together: [{ drop: { event: 'CREATED' } }, { delay: { event: 'X', by: '1s' } }] },
      'together.1.delay.event: there is no event "X"',
    ],
    [
      { arrange: [{ event: 'CREATED' }, { event: 'CONFIRMD' }] },
      'arrange.1.event: there is no event "CONFIRMD"',
    ],
    [{ emit: { order: 'o1', event: 'CONFIRMD' } }, 'emit.event: there is no event "CONFIRMD"'],
    [{ fault: { drop: { event: 'CREATED', order: 'o9' } } }, 'fault: there is no order "o9"'],
    [
      { call: { make: 'cancelDelivery', params: { orderID: 'o1' } } },
      'call.params.orderID: cancelDelivery has no path parameter "orderID"',
    ],
    [{ call: { make: 'cancelDelivery' } }, 'call: cancelDelivery needs the path parameter orderId'],
    [
      { call: { make: 'checkDeliveryAvailability', params: { orderId: 'o1' } } },
      'call.params.orderId: checkDeliveryAvailability has no path parameter "orderId"',
    ],
    [
      { check: { call: 'closeAccount', order: 'o1', times: 0 } },
      'check.order: no call closeAccount names an order',
    ],
    [
      { await: { call: 'acknowledgeEvents', order: 'o1' } },
      'await.order: no call acknowledgeEvents names an order',
    ],
  ])('%j', (step, wrong) => {
    expect(wrongStep(step)).toEqual([wrong])
  })

  test('an event that a step of the scenario emits is known, and so is a trigger of the agenda', () => {
    const emitted = { emit: { order: 'o1', event: 'X_PARTY' } }
    const steps = [
      emitted,
      { drop: { event: 'X_PARTY' } },
      { hold: { trigger: 'answer-cancellation' } },
      { take: { trigger: 'confirm' } },
    ]
    expect(diagnosticsOf({ steps })).toEqual([])
  })

  test('orders of faults: of the list and of the variants; an order may be named by its id', () => {
    const faults = [{ drop: { event: 'CREATED', order: 'o2' } }, { drop: { order: 'a-1' } }]
    expect(diagnosticsOf({ faults })).toEqual(['faults.0: there is no order "o2"'])
    expect(diagnosticsOf({ variants: { faults: [[], [faults[0]]] } })).toEqual([
      'variants.faults.1.0: there is no order "o2"',
    ])
  })

  test('calls are counted for an order where their path, their body or their event names it', () => {
    const counted = ['confirmOrder', 'createDelivery', 'receiveDeliveryEvent'].map((call) => ({
      call,
      order: 'o1',
    }))
    expect(diagnosticsOf({ expect: { calls: counted } })).toEqual([])
    const calls = [{ call: 'pollingEvents', order: 'o1' }]
    expect(diagnosticsOf({ expect: { calls } })).toEqual([
      'expect.calls.0.order: no call pollingEvents names an order',
    ])
  })

  test('orders that come by themselves are numbered by their times', () => {
    const orders = { o1: { at: '9s' }, o2: { at: '3s' } }
    expect(diagnosticsOf({ orders })).toEqual([
      'orders.o2.at: o2 comes as o1, by its time',
      'orders.o1.at: o1 comes as o2, by its time',
    ])
    expect(diagnosticsOf({ orders: { o1: { at: '3s' }, o2: { at: '3s' } } })).toEqual([])
    // Where our marketplace makes orders of its own, the numbers are not known.
    const every = { counterparts: { 'ordering-application': { orders: { every: '5s' } } } }
    expect(diagnosticsOf({ orders, session: every })).toEqual([])
  })

  test('a channel of the session that is not that of the scenario', () => {
    const session = { counterparts: { 'ordering-application': { channel: 'webhook' } } }
    const wrong = (others: string) => [
      `session.counterparts.ordering-application.channel: the channel of the session is webhook, and that of the scenario ${others}`,
    ]
    expect(diagnosticsOf({ session, channel: 'polling' })).toEqual(wrong('polling'))
    const variants = { channels: ['webhook', 'both'] }
    expect(diagnosticsOf({ session, variants })).toEqual(wrong('webhook, both'))
    expect(diagnosticsOf({ session, channel: 'webhook' })).toEqual([])
    expect(diagnosticsOf({ session })).toEqual([])
  })

  test('all orders have statuses, and no account, delivery or customer of their own', () => {
    const all = { all: 'CONCLUDED' }
    const expected = { statuses: all, views: all, accounts: all, customers: all }
    expect(diagnosticsOf({ expect: expected })).toEqual([
      'expect.accounts.all: there is no order "all"',
      'expect.customers.all: there is no order "all"',
    ])
  })
})

describe('keys that would say nothing', () => {
  const beside = (place: string): string => `says nothing here: it stands beside ${place}`

  test.each([
    ['account', { is: 'CLOSED', answer: 404 }, 'answer', beside('move')],
    ['account', { move: 'close', within: '1s' }, 'within', beside('is')],
    ['account', { move: 'close', amount: 3 }, 'amount', beside('move: pay')],
    ['account', { move: 'pay', line: 3 }, 'line', beside('move: cancel-item or transfer')],
    ['delivery', { move: 'cancel', recoverable: true }, 'recoverable', beside('move: problem')],
    ['customer', { is: { name: 'Ana' }, move: 'opt-out' }, 'move', beside('a customer without is')],
    [
      'customer',
      { is: { name: 'Ana' }, consent: false },
      'consent',
      beside('a customer that is shared, without is and move'),
    ],
    [
      'customer',
      { by: 'event', name: 'Ana' },
      'name',
      beside('a customer that is shared as a record'),
    ],
  ])('%s %j', (kind, input, key, wrong) => {
    const subject = { account: 'software-service', delivery: 'delivery-platform', customer: 'crm' }
    const of = kind === 'customer' ? { customer: 'c1' } : { order: 'o1' }
    expect(
      wrongStep({ [kind]: { ...of, ...input } }, { subject: subject[kind as 'account'] }),
    ).toEqual([`${kind}.${key}: ${wrong}`])
  })

  test('a move at our own host takes no more than a name', () => {
    const move = { delivery: { order: 'o1', move: 'fail', answer: 404 } }
    expect(wrongStep(move)).toEqual([
      'delivery.answer: answer says nothing here: the delivery is ours, and its moves take no more than a name',
    ])
    expect(wrongStep({ delivery: { order: 'o1', move: 'fail' } })).toEqual([])
  })
})
