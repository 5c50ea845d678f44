/** Rules about retries, RT-1 to RT-8. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const confirm = 'POST /orders/…/confirm'
const get = 'GET /orders/…'

const orders =
  (many: number, gapMs = 0, type: 'DELIVERY' | 'TAKEOUT' = 'TAKEOUT'): InvariantStory['play'] =>
  async (harness) => {
    for (let count = 0; count < many; count++) {
      await harness.order(type)
      await harness.pass(gapMs)
    }
    await harness.pass(60_000)
  }

const failing = { fail: { operation: 'confirmOrder' } }
const failsOnce = { fail: { operation: 'confirmOrder', burst: 1 } }
const fourTimes = { fail: { operation: 'confirmOrder', burst: 4 } }

const three = [`${confirm}  503`, `${confirm}  503`, `${confirm}  503`]
const seven = [...three, ...three, `${confirm}  503`]
const twelve = [...three, ...three, ...three, ...three]

const atOnce = {
  slot: 'o4',
  because: says(/confirmOrder of o\d 3 times within 0 ms/, 'a 503'),
  lines: three,
}

testInvariant({
  id: 'RT-1',
  clauses: 'TRN-STA-12',
  when: 'when confirmations fail four times',
  story: { faults: [fourTimes], play: orders(4) },
  caught: { 'retries-without-pause': atOnce, 'retries-in-every-layer': atOnce },
})

const reads = Array.from({ length: 5 }, () => `${get}  503`)

testInvariant({
  id: 'RT-1',
  clauses: 'TRN-STA-12',
  when: 'when an order cannot be read, with short pauses',
  story: { faults: [{ fail: { operation: 'getOrder' } }], pace: { retryMs: 300 }, play: orders(1) },
  caught: {
    'no-cool-down': {
      because: says('the GET of o1 5 times within 2 s', 'a 503'),
      lines: reads,
    },
  },
})

const flat = {
  slot: 'o1',
  because: says('other calls likewise', 'pauses do not grow'),
  lines: twelve,
}

testInvariant({
  id: 'RT-2',
  clauses: 'TRN-STA-12',
  when: 'when confirmations fail again and again',
  story: { faults: [failing], play: orders(4) },
  caught: { 'retries-at-fixed-pace': flat, 'retries-without-pause': flat },
})

testInvariant({
  id: 'RT-2',
  clauses: 'TRN-STA-12',
  when: 'when seven confirmations fail together',
  story: { faults: [failsOnce], play: orders(7) },
  caught: {
    'retries-in-step': {
      slot: null,
      because: says('6 calls 1 s after', 'to the millisecond'),
      lines: [
        ...Array.from({ length: 6 }, () => `${confirm}  503`),
        ...Array.from({ length: 6 }, () => `${confirm}  202`),
      ],
      advice: true,
    },
  },
})

const tooOften = {
  because: says('confirmOrder of o1 7 times', 'pause of 10 s', '6 tries'),
  lines: seven,
}

testInvariant({
  id: 'RT-3',
  clauses: 'TRN-STA-12',
  when: 'when a confirmation fails for ever',
  story: { faults: [failing], play: orders(1) },
  caught: {
    'retries-for-ever': tooOften,
    'retries-in-every-layer': {
      because: says('confirmOrder of o1 9 times', 'pause of 10 s'),
      lines: [...seven, `${confirm}  503`],
    },
  },
})

testInvariant({
  id: 'RT-3',
  clauses: 'TRN-STA-12',
  when: 'when an order cannot be read',
  story: { faults: [{ fail: { operation: 'getOrder' } }], play: orders(1) },
  caught: {
    'no-cool-down': {
      because: says('the GET of o1 7 times', 'pause of 10 s'),
      lines: [...reads, `${get}  503`, `${get}  503`],
    },
  },
})

const limited = (retry: string): InvariantStory => ({
  faults: [{ 'rate-limit': { operation: 'confirmOrder', by: 20_000, retry, limit: 1 } }],
  play: orders(3, 1500),
})

const tooEarly = {
  because: says('confirmOrder of o1', 'after a 429', 'Retry-After: 20'),
  lines: [`${confirm}  429`, `${confirm}  202`],
}

testInvariant({
  id: 'RT-4',
  clauses: 'TRN-STA-10',
  when: 'when a confirmation is answered 429 with seconds',
  story: limited('seconds'),
  caught: {
    'ignores-retry-after': tooEarly,
    'retry-after-in-milliseconds': tooEarly,
    'retry-after-per-call': {
      slot: 'o2',
      because: says('confirmOrder of o2 1.4 s after a 429', 'Retry-After: 20'),
      lines: tooEarly.lines,
    },
  },
})

testInvariant({
  id: 'RT-4',
  clauses: 'TRN-STA-10',
  when: 'when a confirmation is answered 429 with a date',
  story: limited('date'),
  caught: {
    'ignores-retry-after': {
      because: says('confirmOrder of o1', 'Retry-After: Mon, 05 Jan 2026 '),
      lines: tooEarly.lines,
    },
  },
})

const refused: InvariantStory = {
  faults: [{ refuse: { operation: 'confirmOrder' } }],
  play: orders(1),
}

const repeated = {
  because: says('repeated confirmOrder of o1', 'a 409'),
  lines: [`${confirm}  409`, `${confirm}  409`],
  advice: true,
} as const

testInvariant({
  id: 'RT-5',
  clauses: 'TRN-ERB-01',
  when: 'when a confirmation is refused for good',
  story: refused,
  caught: { 'retries-refusals': repeated, 'repeats-refused-at-reconcile': repeated },
})

testInvariant({
  id: 'RT-6',
  clauses: 'TRN-STA-11, TRN-STA-12',
  when: 'when a confirmation fails once',
  story: { faults: [failsOnce], play: orders(1) },
  caught: {
    'fire-and-forget': {
      because: says('confirmOrder of o1 once', 'a 503', 'not retried'),
      lines: [`${confirm}  503`],
    },
  },
})

testInvariant({
  id: 'RT-6',
  clauses: 'TRN-STA-11, TRN-STA-12',
  when: 'when a confirmation fails four times',
  story: { faults: [fourTimes], play: orders(1) },
  caught: {
    'gives-up-after-four': {
      because: says('confirmOrder of o1 4 times', 'a 503', 'not retried'),
      lines: [`${confirm}  503`],
    },
  },
})

testInvariant({
  id: 'RT-6',
  clauses: 'TRN-STA-12',
  when: 'when a delivery cannot be asked for',
  story: {
    delivers: true,
    faults: [{ fail: { operation: 'createDelivery', limit: 4 } }],
    play: orders(1, 0, 'DELIVERY'),
  },
  caught: {
    'takes-failure-for-created': {
      because: says('createDelivery of o1 4 times', 'a 503', 'not retried'),
      lines: ['POST /logistics/delivery  503'],
    },
  },
})

testInvariant({
  id: 'RT-7',
  clauses: 'ORD-GEN-05',
  when: 'when a confirmation is never answered, not even when all faults are over',
  story: {
    faults: [{ hang: { operation: 'confirmOrder', limit: 1 } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(150_000)
    },
  },
  caught: {
    'no-client-timeout': {
      because: says('waiting for 274 s', 'a call of o1'),
      lines: [],
    },
  },
})

testInvariant({
  id: 'RT-7',
  clauses: 'ORD-GEN-05',
  when: 'when the connection of a confirmation breaks after ten minutes',
  story: {
    faults: [{ hang: { operation: 'confirmOrder', limit: 1 } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(620_000)
    },
  },
  caught: {
    'no-client-timeout': {
      because: says('waited 600 s', 'confirmOrder of o1'),
      lines: [`${confirm}  HUNG`],
    },
  },
})

testInvariant({
  id: 'RT-8',
  clauses: 'TRN-STA-10, TRN-STA-12',
  when: 'when a 429 comes after a 503',
  story: {
    faults: [
      { fail: { operation: 'confirmOrder', nth: 1 } },
      { 'rate-limit': { operation: 'confirmOrder', limit: 1 } },
    ],
    play: orders(1),
  },
  caught: {
    'retries-one-kind-only': {
      because: says('After a 503', 'a 429', 'confirmOrder of o1', 'not retried'),
      lines: [`${confirm}  503`, `${confirm}  429`],
    },
  },
})

testInvariant({
  id: 'RT-8',
  clauses: 'TRN-STA-12, AUT-TOK-04',
  when: 'when a 401 comes after a 503',
  story: {
    channel: 'webhook',
    faults: [
      { fail: { operation: 'confirmOrder', nth: 1 } },
      { unauthorized: { operation: 'confirmOrder', limit: 1, revoke: true } },
    ],
    play: orders(4),
  },
  caught: {
    'refreshes-only-at-first': {
      slot: 'o2',
      because: says('After a 503', 'a 401', 'confirmOrder of o2', 'the same token'),
      lines: [`${confirm}  503`, `${confirm}  401`, `${confirm}  401`],
    },
  },
})
