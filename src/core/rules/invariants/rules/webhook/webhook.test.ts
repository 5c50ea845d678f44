/** Rules about webhooks, WH-1 to WH-5. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const webhook = 'POST /webhooks/orders'
const get = 'GET /orders/…'

const byWebhook = (...faults: NonNullable<InvariantStory['faults']>): InvariantStory => ({
  channel: 'webhook',
  faults,
  async play(harness) {
    await harness.order('TAKEOUT')
    await harness.pass(30_000)
  },
})

testInvariant({
  id: 'WH-1',
  clauses: 'ORD-OPS-03, ORD-GEN-05',
  when: 'when the first GET fails',
  story: byWebhook({ fail: { operation: 'getOrder', limit: 1 } }),
  caught: {
    'answers-before-storing': {
      because: says('webhook of CREATED of o1 with 204', 'never read'),
      lines: [`${webhook}  204`],
    },
  },
})

testInvariant({
  id: 'WH-1',
  clauses: 'ORD-OPS-03, ORD-GEN-05',
  when: 'when four GETs in a row fail',
  story: byWebhook({ fail: { operation: 'getOrder', limit: 4 } }),
  caught: {
    'drops-unread-orders': {
      because: says('webhook of CREATED of o1 with 204', 'GET failed'),
      lines: [`${webhook}  204`, `${get}  503`],
    },
  },
})

testInvariant({
  id: 'WH-2',
  clauses: 'ORD-OPS-03',
  when: 'when GET is slow',
  story: byWebhook({ 'slow-response': { operation: 'getOrder', by: 7000 } }),
  caught: {
    'webhook-reads-first': {
      because: says('7 s to answer the webhook receiveOrderEvent of o1'),
      lines: [`${webhook}  204`],
    },
    'webhook-waits-for-order': {
      because: says(/7\.\d s to answer the webhook receiveOrderEvent of o1/),
      lines: [`${webhook}  204`],
    },
  },
})

const forged = (how: string) => byWebhook({ 'wrong-signature': { event: 'CREATED', nth: 1, how } })

const believed = {
  because: says('forged webhook of o1 with 204', 'wrong-signature on'),
  lines: [`${webhook}  204`],
}

testInvariant({
  id: 'WH-3',
  clauses: 'AUT-GEN-02, TRN-STA-05',
  when: 'when a signature fits nothing',
  story: forged('signature'),
  caught: {
    'ignores-signature': believed,
    'acts-before-checking': {
      because: says('forged webhook of o1 with 401', 'the GET of o1'),
      lines: [`${webhook}  401`, `${get}  200`, `${webhook}  204`],
    },
  },
})

testInvariant({
  id: 'WH-3',
  clauses: 'AUT-GEN-02, TRN-STA-05',
  when: 'when there is no signature',
  story: forged('none'),
  caught: { 'signature-optional': believed },
})

testInvariant({
  id: 'WH-3',
  clauses: 'AUT-GEN-02, TRN-STA-05',
  when: 'when a webhook names another store',
  story: forged('merchant'),
  caught: { 'acts-for-any-merchant': { ...believed, advice: true } },
})

testInvariant({
  id: 'WH-4',
  clauses: 'ORD-EVR-03, ORD-OPS-03',
  when: 'when a webhook is turned away and comes again',
  story: forged('signature'),
  caught: {
    'remembers-before-checking': {
      because: says('webhook of CREATED of o1 with 401', 'never read'),
      lines: [`${webhook}  401`, `${webhook}  204`],
    },
    'acts-before-checking': {
      because: says('webhook of CREATED of o1 with 401', 'read it again'),
      lines: [`${webhook}  401`, `${get}  200`, `${webhook}  204`, `${get}  200`],
    },
  },
})

const turnedAway = (status: number) => ({
  because: says('webhook of CREATED of o1 7 times', `answered ${status}`),
  lines: [`${webhook}  ${status}`, `${webhook}  ${status}`],
})

testInvariant({
  id: 'WH-5',
  clauses: 'ORD-OPS-03, ORD-EVR-03, ORD-EVR-04',
  when: 'when an event comes once more, after later ones',
  story: {
    channel: 'webhook',
    faults: [{ 'duplicate-late': { event: 'CREATED', when: 'later-events', k: 2 } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(150_000)
    },
  },
  caught: {
    'refuses-known-events': turnedAway(409),
    'fails-on-late-events': turnedAway(500),
  },
})
