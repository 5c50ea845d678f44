import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createFailureCounter, failedRequestCount, failedRequestsText } from './failed-requests.ts'

const ours = { role: 'ordering-application', party: 'sparring' } as const
const theirs = { role: 'software-service', party: 'subject' } as const
const crm = { role: 'crm', party: 'sparring' } as const

const exchange = (status: number, more: Partial<Exchange> = {}): Exchange => ({
  seq: 1,
  startedAt: 0,
  tookMs: 1,
  from: theirs,
  to: ours,
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [] },
  ...(status === 0
    ? { failure: { code: 'ECONNREFUSED', message: 'connect' } }
    : { reply: { status, headers: [] } }),
  ...more,
})

const all: readonly Exchange[] = [
  exchange(200),
  exchange(404),
  exchange(401),
  exchange(503),
  exchange(302),
  exchange(302, { from: ours, to: theirs }),
  exchange(0, { from: ours, to: theirs }),
  exchange(500, { fault: 'fail on req(confirmOrder,o1)' }),
  exchange(404, { from: crm }),
]

test('failed requests are counted by kind, those between our own roles only where there is no service', () => {
  const counter = createFailureCounter(true)
  for (const each of all) counter.count(each)
  const counts = counter.counts()
  expect(counts).toEqual({ rejected: 2, errors: 1, redirected: 1, unanswered: 1, byFault: 1 })
  expect(failedRequestCount(counts)).toBe(5)
  expect(failedRequestsText(counts)).toBe(
    '5 failed requests (2 4xx, 1 5xx, 1 redirected, 1 no answer)',
  )
  const everybody = createFailureCounter(false)
  for (const each of all) everybody.count(each)
  expect(everybody.counts().rejected).toBe(3)
})

test('nothing is said where nothing failed, or only by a fault', () => {
  const counter = createFailureCounter(true)
  counter.count(exchange(500, { fault: 'fail on req(confirmOrder,o1)' }))
  expect(failedRequestsText(counter.counts())).toBeUndefined()
})
