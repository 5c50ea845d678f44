/** Redaction of whole documents: personal data is replaced, all other characters stay. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

const redacted = (body: string, url = 'http://127.0.0.1:7101/v2/orders/o-1'): string =>
  redactor.body('response', body, 'application/json', url).value

const order = {
  id: '0b6f1f3e-5a51-4c3b-9d51-cc4ba8b0e0a1',
  displayId: 'A-123',
  status: 'CONFIRMED',
  createdAt: '2026-11-20T12:00:00.000Z',
  merchant: { id: 'm-1', externalCode: 'store-42', name: 'Cantina da Praça' },
  customer: {
    id: 'c-77',
    name: 'Ana Souza',
    documentNumber: '52998224725',
    phone: { number: '+5511987654321', extension: '4821' },
    email: 'ana@provedor.com.br',
    ordersCountOnMerchant: 7,
    birthDate: '1992-05-20',
  },
  fulfillment: {
    orderType: 'DELIVERY',
    delivery: {
      address: {
        street: 'Rua das Acácias 10',
        number: '10',
        city: 'São Paulo',
        state: 'SP',
        postalCode: '01310-100',
        coordinates: { latitude: -23.5505199, longitude: -46.6333094 },
      },
      observations: 'leave it with Ana',
    },
  },
  items: [{ id: 'i-1', name: 'Pão de queijo', quantity: 2, externalCode: 'SKU-1', unit: 'UN' }],
  payments: { prepaid: 0, pending: 25.5, methods: [{ method: 'CASH', value: 25.5 }] },
}

/** Every value of a document with its path. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
}

test('a page of customers, leads or contacts is of people, and a page of dishes is not', () => {
  const page = (item: object) => JSON.stringify({ items: [item], page: 1, total: 1 })
  const ana = { id: 'c-1', name: 'Jucelina Quadros', createdAt: '2026-11-20T12:00:00.000Z' }
  const base = 'http://127.0.0.1:7101'
  for (const path of ['/customers', '/customer/customers?page=1', '/customers/search'])
    expect(redacted(page(ana), base + path)).not.toContain('Jucelina')
  const contacts = { phone: '+5511987654321' }
  expect(redacted(page({ ...ana, contacts }), `${base}/customer/leads`)).not.toContain('Jucelina')
  const dish = page({ id: 'i-1', name: 'Pão de queijo', price: 12, sku: '5511987654321' })
  for (const path of ['/v1/menu', '/orders/o-1', '/loyalty/rewards'])
    expect(redacted(dish, base + path)).toContain('Pão de queijo')
})

test('a document number has one placeholder, in members and in sentences', () => {
  const placeholder = '79021626209'
  for (const text of [
    '{"documentNumber":"52998224725"}',
    '{"message":"no customer with CPF 52998224725"}',
    '{"message":"no customer 52998224725"}',
    '{"message":"no customer with cpf: 52998224725, nor 52998224725"}',
  ]) {
    const next = redacted(text)
    expect(next).not.toContain('52998224725')
    expect(new Set(next.match(/\d{11}/g))).toEqual(new Set([placeholder]))
  }
  // Not one: its check digits are wrong, and its word says that it is one.
  const wrong = (text: string) => redacted(text).match(/\d{11}/)?.[0]
  expect(wrong('{"message":"CPF 52998224700"}')).toBe(wrong('{"cpf":"52998224700"}'))
})

test('an order loses its personal data and nothing else', () => {
  const { value, red } = redactor.body('response', JSON.stringify(order), '', 'http://x/orders/1')
  const after = new Map(leaves(JSON.parse(value)))
  const changed = leaves(order).filter(([path, before]) => after.get(path) !== before)
  expect(changed.map(([path]) => path)).toEqual([
    '/customer/name',
    '/customer/documentNumber',
    '/customer/phone/number',
    '/customer/phone/extension',
    '/customer/email',
    '/customer/birthDate',
    '/fulfillment/delivery/address/street',
    '/fulfillment/delivery/address/number',
    '/fulfillment/delivery/address/postalCode',
    '/fulfillment/delivery/address/coordinates/latitude',
    '/fulfillment/delivery/address/coordinates/longitude',
    '/fulfillment/delivery/observations',
  ])
  expect(red).toEqual(changed.map(([path]) => ({ p: `p.body${path}`, c: expect.any(String) })))
})

test('values that are not redacted keep their spelling', () => {
  const odd =
    '\uFEFF { "a" : 1.50 , "a":1e3,"big":12345678901234567890, "esc":"\\u0041\\/",\n"email" : "x@y.zz" }  '
  expect(redacted(odd)).toBe(odd.replace('"x@y.zz"', JSON.stringify(redactedEmail('x@y.zz'))))
})

const redactedEmail = (value: string): string =>
  (JSON.parse(redacted(JSON.stringify({ email: value }))) as { email: string }).email

test('a plain `name` is a person’s next to an e-mail address, before or after it', () => {
  expect(redacted('{"name":"Ana","email":"a@b.co"}')).toMatch(/"name":"Pessoa [a-z]{6}"/)
  expect(redacted('{"phone":{"number":"11987654321"},"name":"Ana"}')).toMatch(/"name":"Pessoa /)
  expect(redacted('{"name":"Pizza","price":{"value":10}}')).toContain('"name":"Pizza"')
})

test('the path determines whether a document is about a person', () => {
  const body = '{"items":[{"identifier":"app:1","name":"x"}],"name":"Ana"}'
  expect(redacted(body, 'http://x/v1/customer/customers:ingest')).toMatch(/"name":"Pessoa /)
  expect(redacted(body, 'http://x/v1/customer/loyalty/programs')).toContain('"name":"Ana"')
  expect(redacted('{"code":"abc-def"}', 'http://x/oauth/token')).toMatch(/"code":"~sec_/)
  expect(redacted('{"code":"NOT_FOUND"}')).toBe('{"code":"NOT_FOUND"}')
})

test('a `value` with a `type` next to it has that class, in either order', () => {
  expect(redacted('{"value":"a@b.co","type":"email"}')).toMatch(/"value":"u[a-z]{8}@example/)
  expect(redacted('{"type":"phone","value":"11987654321"}')).toMatch(/"value":"1190\d{7}"/)
  expect(redacted('{"value":2500,"currency":"BRL"}')).toBe('{"value":2500,"currency":"BRL"}')
})

test('numbers stay numbers', () => {
  const after = JSON.parse(
    redacted('{"phone":5511987654321,"cpf":1234567890,"pin":4821,"lat":-23.55051,"cvv":123}'),
  ) as Record<string, unknown>
  expect(Object.values(after).map((value) => typeof value)).toEqual(Array(5).fill('number'))
  expect(after['lat']).toBe(-23.55)
  expect(new Set(Object.values(after)).size).toBe(5)
  expect(JSON.stringify(after)).not.toMatch(/87654321|1234567890/)
})

test('keys that are contacts of people are redacted', () => {
  expect(redacted('{"ana@provedor.com.br":{"orders":2}}')).toMatch(/^\{"u[a-z]{8}@example\.com":/)
})

test('notes are blanked at any depth below their key, their ids stay', () => {
  expect(redacted('{"notes":[{"id":"n-1","by":{"said":"call Ana"}}]}')).toBe(
    '{"notes":[{"id":"n-1","by":{"said":"~txt(8)"}}]}',
  )
})

test('invalid tokens in JSON are blanked, and only those', () => {
  expect(redacted(`{"id":"o-1", name: 'Ana', "ok":true,}`)).toBe(
    '{"id":"o-1", name: ~txt(5), "ok":true,}',
  )
})

const secrets = ['email', 'phone', 'cpf', 'client_secret', 'street', 'firstName', 'notes'] as const

test('at any depth from 0 to 50, in objects and lists, no canary survives and no type changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'list', 'order', 'merchant', 'details'), { maxLength: 50 }),
      fc.constantFrom(...secrets),
      fc.stringMatching(/^canary[a-z]{6}$/),
      (steps, key, canary) => {
        let value: unknown = { [key]: `${canary}@provedor.com.br`, id: 'kept-1' }
        for (const step of steps) value = step === 'list' ? [value, 1] : { [step]: value, n: null }
        const out = redacted(JSON.stringify(value))
        expect(out).not.toContain(canary)
        expect(out).toContain('"kept-1"')
        expect(leaves(JSON.parse(out)).map(([path, leaf]) => [path, typeof leaf])).toEqual(
          leaves(value).map(([path, leaf]) => [path, typeof leaf]),
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('a deeply nested document is redacted without a stack overflow', () => {
  const deep = `${'{"a":['.repeat(20_000)}{"email":"x@provedor.com.br"}${']}'.repeat(20_000)}`
  expect(redacted(deep)).not.toContain('provedor')
})

test('identifiers are never redacted: traffic is matched by them', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.ulid(),
    fc.stringMatching(/^\d{6,19}$/),
    fc.stringMatching(/^[a-z]{3}_[0-9a-f]{16,24}$/),
    fc.stringMatching(/^[A-Z0-9]{6,14}$/),
  )
  fc.assert(
    fc.property(id, fc.constantFrom('id', 'orderId', 'eventId', 'merchantId'), (value, key) => {
      const body = JSON.stringify({ [key]: value, list: [{ [key]: value }], eventIds: [value] })
      expect(redacted(body)).toBe(body)
      const url = `http://x/orders/${value}/items/${value}/cancel?${key}=${value}`
      expect(redactor.url(url, { orderId: value }).value).toEqual({
        url,
        params: { orderId: value },
      })
    }),
    { numRuns: 500 },
  )
})
