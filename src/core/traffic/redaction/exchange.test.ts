import { expect, test } from 'vitest'
import { redactorWith } from '../../../../test/support/redactor.ts'
import type { Exchange } from '../exchange.ts'
import { redactExchange } from './exchange.ts'

const exchange: Exchange = {
  seq: 1,
  startedAt: 1_795_000_000_000,
  tookMs: 3,
  from: { role: 'software-service', party: 'subject' },
  to: { role: 'ordering-application', party: 'sparring' },
  operation: 'getOrder',
  params: { orderId: 'o-1' },
  orderId: 'o-1',
  request: {
    method: 'GET',
    url: 'http://127.0.0.1:7101/v2/orders/o-1?email=ana%40provedor.com.br',
    headers: [
      ['Authorization', 'Bearer canary-token'],
      ['Accept', 'application/json'],
    ],
  },
  reply: {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{"id":"o-1","customer":{"name":"Ana Canary"}}',
  },
}

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

test('redaction returns a copy and leaves the live message unchanged', () => {
  const before = JSON.stringify(exchange)
  const { value, red } = redactExchange(frozen(structuredClone(exchange)), redactorWith('a'))
  expect(JSON.stringify(exchange)).toBe(before)
  expect(JSON.stringify(value)).not.toMatch(/canary|Canary|provedor/)
  expect(red.map(({ p, c }) => `${p} ${c}`)).toEqual([
    'q.url/email email',
    'q.headers.authorization token',
    'p.body/customer/name name',
  ])
  expect(value.orderId).toBe('o-1')
})

test('redacting an exchange twice changes nothing', () => {
  const { value } = redactExchange(exchange, redactorWith('a'))
  expect(redactExchange(value, redactorWith('a'))).toEqual({ value, red: [] })
})

test('one key gives one result everywhere, another key has no pseudonym in common with it', () => {
  const a = redactExchange(exchange, redactorWith('a'))
  expect(redactExchange(exchange, redactorWith('a'))).toEqual(a)
  const marks = (value: unknown): string[] =>
    JSON.stringify(value).match(/~\w+_\w+|Pessoa \w+|u\w{8}(?=%40|@)/g) ?? []
  const b = marks(redactExchange(exchange, redactorWith('b')).value)
  expect(marks(a.value)).toHaveLength(3)
  expect(marks(a.value).filter((mark) => b.includes(mark))).toEqual([])
})

test('the message of a failure is redacted', () => {
  const { reply: _, ...rest } = exchange
  const failed = {
    ...rest,
    failure: { code: 'ECONNRESET', message: 'reset by ana@provedor.com.br' },
  }
  const { value } = redactExchange(failed, redactorWith('a'))
  expect(value.failure?.code).toBe('ECONNRESET')
  expect(value.failure?.message).toMatch(/^reset by u[a-z]{8}@example\.com$/)
})
