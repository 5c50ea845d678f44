/** Redaction is idempotent for any text, however its parts adjoin. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

const telling = [
  '11987654321',
  '+55 11 98765-4321',
  '(11) 3333-4444',
  '529.982.247-25',
  '52998224725',
  '12345678900',
  '11.222.333/0001-81',
  '11222333000181',
  '12ABC34501DE35',
  'ana.silva@provedor.com.br',
  'Bearer abc.def.ghi',
  'password=hunter22',
  'token: "abcdef"',
  '4111 1111 1111 1111',
  '-23.55052,-46.633308',
  'https://u:p@h.example/customers/11987654321?code=x&email=ana%40x.com#access_token=abc',
  '/cb?code=abc&state=1',
  '{"name":"Ana","email":"a@b.co"}',
  '["a@b.co",{"phone":"11987654321"}]',
  'eyJhbGciOiJIUzI1NiJ9.eyJuYW1lIjoiQW5hIiwiZW1haWwiOiJhQGIuY28ifQ.c2ln',
  'eyJlbWFpbCI6ImFuYUB4LmNvbSJ9',
  '%7B%22email%22%3A%22a%40b.co%22%7D',
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a4565204000053039865802BR63041D3D',
  '2026-11-20T12:00:00Z',
  '1990-01-01',
  '~tok_abcdefghij',
  '~txt(3)',
  'Pessoa abcdef',
  'ç 😀',
  ...'~ \\ " { } [ ] : , = & % + @ / ?'.split(' '),
]
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...telling) },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const keys =
  'name email phone number value type customer document documentNumber cpf address street postalCode lat coordinates ' +
  'token client_secret code notes payload contacts contact identifier id orderId items merchant birthDate card cvv ' +
  'pickupCode extension url message ip pixKey pictureUrl label call mobile lastAddress signature'
const key = fc.oneof(fc.constantFrom(...keys.split(' ')), text)

const { document } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'depth' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, null, 52_998_224_725, 5_511_987_654_321, 1_712_345_678_901),
    tie('document'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  document: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
}))

const pairs = fc
  .array(fc.tuple(key, text), { maxLength: 4 })
  .map((rows) =>
    rows
      .map(
        ([name, value]) =>
          `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
      )
      .join('&'),
  )

type Redact = (text: string) => string
const asBody =
  (type: string, url = 'http://x/orders/1'): Redact =>
  (value) =>
    redactor.body('request', value, type, url).value
const asJson = asBody('application/json')

test('JSON: redacting twice changes nothing, and the result is JSON', () => {
  fc.assert(
    fc.property(document, (value) => {
      const once = asJson(JSON.stringify(value))
      expect(asJson(once)).toBe(once)
      expect(typeof JSON.parse(once)).toBe('object')
    }),
    { numRuns: 400 },
  )
})

test('incomplete JSON: redacting twice changes nothing', () => {
  fc.assert(
    fc.property(document, fc.nat(300), (value, end) => {
      const once = asJson(JSON.stringify(value).slice(0, end))
      expect(asJson(once)).toBe(once)
    }),
    { numRuns: 400 },
  )
})

test('sentences: redacting twice changes nothing', () => {
  const asMessage: Redact = (value) => redactor.message(value, 'm').value
  fc.assert(
    fc.property(text, (value) => {
      const once = asMessage(value)
      expect(asMessage(once)).toBe(once)
    }),
    { numRuns: 1000 },
  )
})

test('forms and URLs: redacting twice changes nothing', () => {
  const asForm = asBody('application/x-www-form-urlencoded')
  const asUrl: Redact = (value) => redactor.url(value).value.url
  const path = fc
    .array(fc.oneof(fc.constantFrom('customers', 'orders', 'oauth'), text), { maxLength: 4 })
    .map((steps) => steps.map((step) => encodeURIComponent(step.toWellFormed())).join('/'))
  fc.assert(
    fc.property(path, pairs, (steps, rows) => {
      const form = asForm(rows)
      expect(asForm(form)).toBe(form)
      const url = asUrl(`http://h.example/${steps}?${rows}`)
      expect(asUrl(url)).toBe(url)
    }),
    { numRuns: 400 },
  )
})

test('headers: redacting twice changes nothing', () => {
  const names =
    'authorization cookie set-cookie x-app-signature x-forwarded-for location x-api-key x'
  fc.assert(
    fc.property(fc.constantFrom(...names.split(' ')), text, (name, value) => {
      const asHeader: Redact = (raw) => redactor.header('request', name, raw).value
      const once = asHeader(value)
      expect(asHeader(once)).toBe(once)
    }),
    { numRuns: 500 },
  )
})
