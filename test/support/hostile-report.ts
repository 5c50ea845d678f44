/** A report whose every text from the traffic tries to run a script, to load something or to break out of its place. */
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import type { SessionReport } from '../../src/terminal/page/session/report-content.ts'
import { sampleExchange } from './sample-exchange.ts'

const attacks = [
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "' onclick='alert(3)' x='",
  '</style><style>body{display:none}</style>',
  '</title><base href="http://127.0.0.1:9/">',
  '</svg><svg onload=alert(4)>',
  '<!--',
  '&lt;b&gt;&#0;\u202e\u0000',
] as const

/** Every attack in one text. */
const hostile = attacks.join(' ')

function hostileExchange(seq: number): Exchange {
  const attack = attacks[seq % attacks.length] ?? ''
  return sampleExchange(seq, {
    orderId: `${attack} order`,
    eventIds: [hostile],
    fault: `drop on ${hostile}`,
    reason: hostile,
    advice: hostile,
    params: { orderId: hostile },
    request: {
      method: `GET${attack}`,
      url: `http://127.0.0.1:7101/orders/${hostile}`,
      headers: [[attack, hostile]],
      body: JSON.stringify({ [hostile]: hostile }),
    },
    reply: { status: 500, headers: [['x-attack', hostile]], body: hostile },
    failure: { code: attack, message: hostile },
  })
}

/** A webhook of an order event with such a type and id. */
const hostileEvent = (seq: number): Exchange =>
  sampleExchange(seq, {
    from: { role: 'ordering-application', party: 'sparring' },
    to: { role: 'software-service', party: 'subject' },
    operation: 'receiveOrderEvent',
    orderId: `${attacks[0]} order`,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/events',
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({
        eventId: hostile,
        eventType: hostile,
        orderId: `${attacks[0]} order`,
        createdAt: '2026-11-20T12:00:00Z',
      }),
    },
    reply: { status: 204, headers: [] },
  })

export const hostileReport: SessionReport = {
  facts: [[hostile, hostile]],
  exchanges: [
    ...Array.from({ length: 8 }, (_, index) => hostileExchange(index + 1)),
    hostileEvent(9),
  ],
  orders: [
    {
      orderId: `${attacks[0]} order`,
      slot: attacks[1],
      title: hostile,
      explanation: {
        host: [{ status: 'CREATED', at: 1000 }],
        known: [],
        conclusion: [hostile],
        splits: [{ from: 1000, text: hostile, because: hostile, exchanges: [1] }],
      },
    },
  ],
  faults: [{ text: hostile, fired: 2, exchanges: [1, 2] }],
  verdicts: [
    {
      id: attacks[1],
      sentence: hostile,
      remedy: hostile,
      outcome: 'failed',
      premises: 3,
      violations: 1,
      follows: hostile,
      clauses: [{ id: hostile, text: hostile }],
      findings: [{ because: hostile, orderId: hostile, slot: hostile, evidence: [1, 99] }],
    },
  ],
  failures: [{ text: hostile, count: 2, exchanges: [3] }],
  amount: { all: 9, chosen: 9, remedies: [] },
}
