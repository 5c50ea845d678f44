/** Which secrets are replaced wherever they stand, and what is not mistaken for one. */
import { expect, test } from 'vitest'
import { learningRedactor } from '../../../../test/support/redactor.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../exchange.ts'
import { createSalt } from '../recording/line-ids.ts'
import { createExchangeFormatter } from '../recording/recording-lines.ts'
import { isDistinctive } from './distinctive.ts'

const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

test.each([
  'tok_live_51Hx8kQ2eZvKYlo2C',
  'Sommer2024!',
  'p@ss w0rd!',
  'k9Xq2LmZ7',
  '9f8e7d6c5b4a39281706',
  uuid,
  'correct horse battery staple',
  'QxTmPwZkRbNv',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
  's:2bJx9q.Zk31/+Aq==',
  '1234567890123456',
])('known by its name: %s', (value) => {
  expect(isDistinctive(value, 'named')).toBe(true)
})

test.each([
  'true',
  '12',
  'maria',
  'maria123',
  'password',
  'accepted',
  'client_credentials',
  'authorization_code',
  'burger-king-paulista',
  'software-service',
  'pt-BR',
  'America/Sao_Paulo',
  '2026-11-20',
  '2026-11-20T12:00:00.000Z',
  '123.45',
  '123456789012',
  'responsabilidades',
  'aaaaaaaa1111',
])('not distinctive, whatever its name: %s', (value) => {
  expect(isDistinctive(value, 'named')).toBe(false)
})

test.each([
  uuid,
  'ORD-2026-000123',
  'sku-2026-margherita',
  'burger-king-2024-sao-paulo',
  'https://shop.example/p/1a2b3c4d5e6f',
  '/orders/1a2B3c4D5e6F7a8B',
  'GA1.2.1234567890.1795176000',
  'variant-b2-new-checkout',
  '1234567890123456',
  'k9Xq2LmZ7',
])('not distinctive only by its place: %s', (value) => {
  expect(isDistinctive(value, 'placed')).toBe(false)
})

const redactor = learningRedactor('a key')
const header = sampleHeader(
  { name: 'x', redaction: { policy: 'default-1', keyId: 'x', mode: 'pseudonym' } },
  createSalt(new Uint8Array(9)),
)

function linesOf(exchanges: readonly Exchange[]): string {
  const lineFor = createExchangeFormatter({ header, t0: sampleT0, redactor })
  return exchanges.map((exchange) => lineFor(exchange)).join('')
}

test('ids, SKUs, prices, times, words and settings stay, though cookies and tokens have them too', () => {
  const order = {
    id: uuid,
    displayId: 'ORD-2026-000123',
    externalCode: 'sku-2026-margherita',
    total: 239.4,
    code: 'PROMO2026X1',
    createdAt: '2026-11-20T12:00:00.000Z',
    status: 'accepted',
    seller: 'maria',
    language: 'pt-BR',
    count: 12,
    paid: true,
  }
  const cookies = Object.entries(order)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const [first] = [sampleExchange(1)]
  const line = linesOf([
    {
      ...first,
      request: {
        ...first.request,
        url: `${first.request.url}?token=12&password=maria&code=PROMO2026X1`,
        headers: [
          ['Cookie', cookies],
          ['X-Partition-Key', uuid],
          ['Authorization', 'Bearer true'],
        ],
      },
      reply: { status: 200, headers: [], body: JSON.stringify(order) },
    },
  ])
  const { response } = JSON.parse(line) as { response: { content: { text: string } } }
  expect(JSON.parse(response.content.text)).toEqual(order)
  expect(line).toContain('"params":{"orderId":"order-1"}')
})

test('numbers of people are replaced in other places and spellings, times of ours never', () => {
  const phone = '11987654321'
  const document = '52998224725'
  const [exchange] = [sampleExchange(1)]
  const line = linesOf([
    {
      ...exchange,
      startedAt: sampleT0 + Number(phone) / 1000,
      request: {
        ...exchange.request,
        headers: [['X-Debug', `customer ${phone} of ${document}, order 119876543210`]],
      },
      reply: {
        status: 200,
        headers: [],
        body: JSON.stringify({
          customer: { phone: '+55 (11) 98765-4321', cpf: '529.982.247-25' },
          n: phone,
        }),
      },
    },
  ])
  const { _rec: rec } = JSON.parse(line) as { _rec: { t: { q0: number } } }
  expect(rec.t.q0).toBe(Number(phone))
  expect(line).not.toContain(`customer ${phone}`)
  expect(line).not.toContain(document)
  expect(line).toContain('order 119876543210')
})
