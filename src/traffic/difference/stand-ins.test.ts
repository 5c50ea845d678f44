/** A redacted recording and a live service: what redaction took away is no difference, and everything else still is. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../exchange.ts'
import { redactExchange } from '../redaction/exchange.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { ruleBook } from './protocol-rules.ts'

const redactor = createRedactor((text) => createHash('sha256').update(`k${text}`).digest('hex'))
const redacted = (exchange: Exchange): Exchange => redactExchange(exchange, redactor).value

const told = (body: unknown): Exchange => {
  const { request, ...rest } = sampleExchange(1)
  const { operation: _operation, ...exchange } = rest
  return { ...exchange, request: { ...request, body: JSON.stringify(body) } }
}

const ana = {
  customer: { name: 'Ana Souza', phone: '+5511987654321', email: 'ana@provedor.com.br' },
  address: { street: 'Rua Augusta', postalCode: '01305-000', latitude: -23.5505 },
  instructions: 'Leave it with the porter',
  quantity: 2,
}
const bruno = {
  ...ana,
  customer: { name: 'Bruno Lima', phone: '+5521912345678', email: 'bruno@provedor.com.br' },
}

const differing = (recorded: Exchange, live: Exchange): readonly string[] =>
  compareExchanges(recorded, live, ruleBook()).flatMap(({ accepted, where }) =>
    accepted || !where.startsWith('/body') ? [] : [where],
  )

test('a person behind a stand-in may be anybody', () => {
  expect(differing(redacted(told(ana)), told(ana))).toEqual([])
  expect(differing(redacted(told(ana)), told(bruno))).toEqual([])
  expect(differing(told(ana), redacted(told(ana)))).toEqual([])
})

test('what redaction leaves is compared as ever', () => {
  expect(differing(redacted(told(ana)), told({ ...ana, quantity: 3 }))).toEqual(['/body/quantity'])
  const there = { ...ana, address: { ...ana.address, latitude: -22.9068 } }
  expect(differing(redacted(told(ana)), told(there))).toEqual(['/body/address/latitude'])
  expect(differing(redacted(told(ana)), told({ ...ana, instructions: 'Ring twice' }))).toEqual([
    '/body/instructions',
  ])
})

test('two stand-ins are two people, and so are two people', () => {
  expect(differing(redacted(told(ana)), redacted(told(bruno)))).toContain('/body/customer/name')
  expect(differing(told(ana), told(bruno))).toContain('/body/customer/name')
})

test('a value that is gone is gone', () => {
  const { customer: _customer, ...without } = ana
  expect(differing(redacted(told(ana)), told(without))).toEqual(['/body/customer'])
})
