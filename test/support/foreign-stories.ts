/**
 * The sessions of test/foreign/recordings: one for each bug of the foreign services. In each the bug shows once, in the
 * middle of a day's orders.
 */
import { fileURLToPath } from 'node:url'
import type { NewOrder } from '../../src/core/session-api/session-api.ts'
import type { ForeignServiceName } from './foreign-service.ts'

/** One action of a session, in order; orders are named by their slots. */
export type ForeignAction =
  | { readonly create: NewOrder }
  | { readonly cancelLine: number; readonly order: number }
  | { readonly until: string; readonly order: number }
  | { readonly pause: number }
  | { readonly cancel: number }

export interface ForeignStory {
  readonly service: ForeignServiceName
  readonly bug: string
  readonly tells: string
  readonly faults: readonly string[]
  /** What makes the bug show; the first order that it creates is the fourteenth of the session. */
  readonly provocation: readonly ForeignAction[]
  /** The order with which the bug shows. */
  readonly affected: number
  /** Another order whose calls fail because of it. */
  readonly alsoAffected?: number
  /** What one replay leaves open changes the next: each has a service of its own. */
  readonly isRemembered?: true
  /** Other orders and pauses decide what it calls: it calls as recorded at the pace of the recording alone. */
  readonly isPaced?: true
  /** Statuses in which orders stay that do not end. */
  readonly stuck?: Readonly<Record<number, string>>
  /** Time after the last order until nothing more comes, in ms. */
  readonly tailMs: number
}

/** Orders before and after the provocation. */
export const ordersBefore = 13
const first = ordersBefore + 1
const second = first + 1

/** Retries of a webhook take 63 s, of which the orders after it take the most. */
const retriesMs = 45_000

const brl = (value: number) => ({ value, currency: 'BRL' })

const partyOrder = {
  displayId: '1212',
  merchant: {
    id: '5a3595f7-4222-4ee2-8b00-e2fbb194c402',
    externalCode: 'LOJA-003',
    name: 'Sushi da Galvão',
  },
  fulfillment: { orderType: 'TAKEOUT', takeout: { pickupCode: '4711' } },
  timing: { orderTiming: 'INSTANT' },
  items: [
    {
      id: 'a1f0c1de-0000-4000-8000-000000000001',
      name: 'Balde de asas',
      externalCode: 'AS-200',
      quantity: 1,
      pricing: { unitPrice: brl(80), optionsPrice: brl(24), totalPrice: brl(104) },
      options: [
        {
          id: 'a1f0c1de-0000-4000-8000-000000000002',
          name: 'Molho barbecue',
          quantity: 12,
          pricing: { unitPrice: brl(2), totalPrice: brl(24) },
        },
      ],
    },
  ],
  total: { itemsPrice: brl(104), otherFees: brl(0), discount: brl(0), orderAmount: brl(104) },
  payments: {
    prepaid: 104,
    pending: 0,
    methods: [{ type: 'PREPAID', method: 'CREDIT', value: 104, currency: 'BRL' }],
  },
  context: { salesChannel: 'APP' },
}

export const foreignStories: readonly ForeignStory[] = [
  {
    service: 'express',
    bug: 'late-confirmed',
    tells: 'CANCELLED overtakes CONFIRMED, and the late CONFIRMED is answered 500, each time.',
    faults: [`reorder:event=CONFIRMED,order=o${first}`],
    provocation: [
      { create: { type: 'DELIVERY' } },
      { order: first, until: 'CONFIRMED' },
      { pause: 500 },
      { cancel: first },
    ],
    affected: first,
    tailMs: retriesMs,
  },
  {
    service: 'express',
    bug: 'second-line',
    isPaced: true,
    tells: 'The second line of an order is cancelled: ITEM_CANCELLED is answered 500, each time.',
    faults: [],
    provocation: [
      { create: { type: 'DELIVERY', items: 3 } },
      { order: first, until: 'CONFIRMED' },
      { order: first, cancelLine: 2 },
    ],
    affected: first,
    tailMs: retriesMs,
  },
  {
    service: 'express',
    bug: 'one-customer',
    isPaced: true,
    tells: 'A customer orders again: what is called of the first order is called of the second.',
    faults: [`slow-effect:trigger=confirm,order=o${first},by=2s`],
    provocation: [
      { create: { type: 'DELIVERY', customer: { name: 'Ana Souza' } } },
      { pause: 500 },
      { create: { type: 'TAKEOUT', customer: { name: 'Ana Souza' } } },
    ],
    affected: first,
    alsoAffected: second,
    isRemembered: true,
    stuck: { [first]: 'CONFIRMED', [second]: 'CREATED' },
    tailMs: retriesMs,
  },
  {
    service: 'express',
    bug: 'dropped-at-renewal',
    isPaced: true,
    tells: 'CREATED comes while the token of another order is renewed: it is taken, and forgotten.',
    faults: [`unauthorized:operation=confirmOrder,order=o${first},limit=1`],
    provocation: [
      { create: { type: 'DELIVERY' } },
      { pause: 1500 },
      { create: { type: 'TAKEOUT' } },
    ],
    affected: second,
    // Its token is refused.
    alsoAffected: first,
    stuck: { [second]: 'CREATED' },
    tailMs: 6000,
  },
  {
    service: 'express',
    bug: 'confirmed-too-late',
    tells:
      'An order is cancelled before it is confirmed: it is confirmed nevertheless, and refused.',
    faults: [],
    provocation: [{ create: { type: 'DELIVERY' } }, { pause: 1000 }, { cancel: first }],
    affected: first,
    tailMs: 4000,
  },
  {
    service: 'fastify',
    bug: 'repeated-event',
    tells: 'READY_FOR_PICKUP comes once more, and the service dispatches a second time.',
    faults: [`duplicate-late:event=READY_FOR_PICKUP,order=o${first},when=order-ended`],
    provocation: [{ create: { type: 'DELIVERY' } }],
    affected: first,
    tailMs: 4000,
  },
  {
    service: 'fastify',
    bug: 'two-in-one-poll',
    tells: 'Two new orders come in one poll: both are acknowledged, the second is never read.',
    faults: [],
    provocation: [{ create: { type: 'DELIVERY' } }, { create: { type: 'TAKEOUT' } }],
    affected: second,
    stuck: { [second]: 'CREATED' },
    tailMs: 4000,
  },
  {
    service: 'python',
    bug: 'option-quantity',
    tells: 'An option with a quantity of two digits: CREATED of its order is answered 422.',
    faults: [],
    provocation: [{ create: { order: partyOrder } }],
    affected: first,
    stuck: { [first]: 'CREATED' },
    tailMs: retriesMs,
  },
  {
    service: 'python',
    bug: 'swallowed-cancellation',
    tells:
      'CANCELLED comes between confirm and its effect: the service takes it for the confirmation, and hands over what nobody wants.',
    faults: [`slow-effect:trigger=confirm,order=o${first},by=4s`],
    provocation: [{ create: { type: 'DELIVERY' } }, { pause: 1500 }, { cancel: first }],
    affected: first,
    tailMs: 4000,
  },
]

const folder = new URL('../foreign/recordings/', import.meta.url)

export const storyName = ({ service, bug }: ForeignStory): string => `${service}-${bug}`

export const recordingOf = (story: ForeignStory): string =>
  fileURLToPath(new URL(`${storyName(story)}.rec.ndjson.zst`, folder))
