/** Compares a redacted recording with live exchanges: placeholders match, everything else is compared. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { redactExchange } from '../../core/traffic/redaction/exchange.ts'
import { createRedactor } from '../../core/traffic/redaction/redactor.ts'
import { judgeExchange } from '../minimise/judge-exchange.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { createRuleBook } from './protocol-rules.ts'

const redactor = createRedactor((text) => createHash('sha256').update(`k${text}`).digest('hex'))
const redacted = (exchange: Exchange): Exchange => redactExchange(exchange, redactor).value

const exchangeWith = (body: unknown): Exchange => {
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
  compareExchanges(recorded, live, createRuleBook()).flatMap(({ accepted, where }) =>
    accepted || !where.startsWith('/body') ? [] : [where],
  )

test('a placeholder of personal data matches any value', () => {
  expect(differing(redacted(exchangeWith(ana)), exchangeWith(ana))).toEqual([])
  expect(differing(redacted(exchangeWith(ana)), exchangeWith(bruno))).toEqual([])
  expect(differing(exchangeWith(ana), redacted(exchangeWith(ana)))).toEqual([])
})

test('values that redaction leaves unchanged are compared', () => {
  expect(differing(redacted(exchangeWith(ana)), exchangeWith({ ...ana, quantity: 3 }))).toEqual([
    '/body/quantity',
  ])
  const there = { ...ana, address: { ...ana.address, latitude: -22.9068 } }
  expect(differing(redacted(exchangeWith(ana)), exchangeWith(there))).toEqual([
    '/body/address/latitude',
  ])
  expect(
    differing(redacted(exchangeWith(ana)), exchangeWith({ ...ana, instructions: 'Ring twice' })),
  ).toEqual(['/body/instructions'])
})

test('nothing stands for an object: a value or a text in its place is a difference', () => {
  for (const live of ['all sold out', 5, null, [1]])
    for (const [left, right] of [
      [ana, live],
      [live, ana],
    ])
      expect(differing(redacted(exchangeWith(left)), exchangeWith(right))).toEqual(['/body'])
})

test('two different placeholders differ, and so do two plain values', () => {
  expect(differing(redacted(exchangeWith(ana)), redacted(exchangeWith(bruno)))).toContain(
    '/body/customer/name',
  )
  expect(differing(exchangeWith(ana), exchangeWith(bruno))).toContain('/body/customer/name')
})

test('a missing value is a difference', () => {
  const { customer: _customer, ...without } = ana
  expect(differing(redacted(exchangeWith(ana)), exchangeWith(without))).toEqual(['/body/customer'])
})

test('a secret that was recognised elsewhere stands for any text in its place', () => {
  const withHint = (hint: string) => exchangeWith({ hint })
  const recorded = withHint('had ~tok_abcdefghij, then ~sec_zzzzzzzzzz.')
  expect(differing(recorded, withHint('had 4711, then x-y.'))).toEqual([])
  expect(differing(withHint('had 4711, then x-y.'), recorded)).toEqual([])
  expect(differing(withHint('~tok_abcdefghij'), withHint('a-token'))).toEqual([])
  for (const other of ['had 4711, then .', 'had 4711 then x-y.', 'had 4711, then x-y', ''])
    expect([other, differing(recorded, withHint(other))]).toEqual([other, ['/body/hint']])
  expect(differing(recorded, withHint('had ~tok_bbbbbbbbbb, then ~sec_zzzzzzzzzz.'))).toEqual([
    '/body/hint',
  ])
})

const other = createRedactor((text) => createHash('sha256').update(`other${text}`).digest('hex'))

const withText = (body: string, type = 'application/xml'): Exchange => {
  const { request, ...exchange } = exchangeWith({})
  return { ...exchange, request: { ...request, headers: [['Content-Type', type]], body } }
}

test('of a body that was replaced whole length and media type are compared', () => {
  const recorded = redacted(withText('<order>Ana</order>'))
  expect(recorded.request.body).toMatch(/^~body\(18 bytes of application\/xml, hmac-sha256 /)
  for (const name of ['Ana', 'Eva'])
    expect(differing(recorded, withText(`<order>${name}</order>`))).toEqual([])
  for (const name of ['Bruno', ''])
    expect(differing(recorded, withText(`<order>${name}</order>`))).toEqual(['/body'])
  expect(differing(recorded, withText('{"order":"An a"} '))).toEqual(['/body'])
  const graphql = withText('{"query":"{ orders }"}', 'application/graphql')
  expect(differing(redacted(graphql), graphql)).toEqual([])
})

test('of two such bodies the hashes are compared, as of any two placeholders', () => {
  const recorded = redacted(withText('<order>Ana</order>'))
  expect(differing(recorded, redacted(withText('<order>Ana</order>')))).toEqual([])
  expect(differing(recorded, redacted(withText('<order>Eva</order>')))).toEqual(['/body'])
  const elsewhere = redactExchange(withText('<order>Ana</order>'), other).value
  expect(differing(recorded, elsewhere)).toContain('/body')
})

test('that a service refuses the placeholder of a body is no difference, and the replay says so', () => {
  const recorded = { ...redacted(withText('<order>Ana</order>')), recordId: 'r-1' }
  const live: Exchange = { ...recorded, reply: { status: 400, headers: [], body: 'no XML' } }
  const differences = compareExchanges(recorded, live, createRuleBook())
  expect(judgeExchange({ recorded, live, differences, conflicts: [] })).toEqual({
    standing: 'noise',
    because: expect.stringContaining('record with --raw'),
  })
})
