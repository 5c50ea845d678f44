import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'
const hash = (text: string): string => createHmac('sha256', 'k').update(text).digest('hex')
const r = createRedactor(hash)
const bits = [
  '11999990000',
  '+55 11 99999-0000',
  '(11) 3333-4444',
  '529.982.247-25',
  '52998224725',
  '12345678900',
  '11.222.333/0001-81',
  '11222333000181',
  '12ABC34501DE35',
  'ana.silva@example.com',
  'a@b.co',
  'Bearer abc.def.ghi',
  'password=hunter22',
  'token: "abcdef"',
  '4111 1111 1111 1111',
  '4111111111111111',
  '-23.55052,-46.633308',
  'https://u:p@h.example/customers/11999990000?code=x&email=ana%40x.com#access_token=abc',
  '/cb?code=abc&state=1',
  '{"name":"Ana","email":"a@b.co"}',
  '["a@b.co",{"phone":"11999990000"}]',
  'eyJhbGciOiJIUzI1NiJ9.eyJuYW1lIjoiQW5hIiwiZW1haWwiOiJhQGIuY28ifQ.c2ln',
  Buffer.from('{"email":"ana@x.com"}').toString('base64'),
  '%7B%22email%22%3A%22a%40b.co%22%7D',
  '0b6f1f3e-5a51-4c3b-9d51-aabbccddeeff',
  '2026-11-20T12:00:00Z',
  'Ana Silva',
  '1990-01-01',
  '20/05/1992',
  '01310-100',
  '~tok_abcdefghij',
  '~txt(3)',
  '~',
  'Pessoa abcdef',
  'ç ñ 😀',
  '\\',
  '"',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '=',
  '&',
  '%',
  '+',
  '@',
  ' ',
  'null',
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  '192.168.0.1',
  '200.147.3.1',
]
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...bits) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9]{8,15}$/) },
)
const textArb = fc.array(piece, { minLength: 1, maxLength: 5 }).map((p) => p.join(''))
const keyArb = fc.oneof(
  fc.constantFrom(
    'name',
    'email',
    'phone',
    'number',
    'value',
    'type',
    'customer',
    'document',
    'documentNumber',
    'cpf',
    'address',
    'street',
    'postalCode',
    'lat',
    'coordinates',
    'token',
    'client_secret',
    'code',
    'notes',
    'payload',
    'contacts',
    'contact',
    'identifier',
    'id',
    'orderId',
    'items',
    'merchant',
    'birthDate',
    'card',
    'cvv',
    'pickupCode',
    'extension',
    'url',
    'message',
    'ip',
    'pixKey',
    'pictureUrl',
    'label',
    'call',
    'mobile',
    'cnpj',
    'lastAddress',
    'signature',
  ),
  textArb,
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'd' },
    textArb,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, null, 52998224725, 5511999990000, 11222333000181, 1712345678901),
    tie('object'),
    tie('list'),
  ),
  object: fc.dictionary(keyArb, tie('value'), { maxKeys: 5 }),
  list: fc.array(tie('value'), { maxLength: 4 }),
}))
const N = Number(process.env['RUNS'] ?? 3000)
const idem = (f: (x: string) => string) => (x: string) => {
  const a = f(x)
  const b = f(a)
  if (a !== b) throw new Error(`\nin  ${x}\n1st ${a}\n2nd ${b}`)
}
test('json idem', () => {
  fc.assert(
    fc.property(json.object, (v) => {
      const s = JSON.stringify(v)
      const out = r.body('request', s, 'application/json', 'http://x/customers').value
      JSON.parse(out)
      idem((x) => r.body('request', x, 'application/json', 'http://x/orders/1').value)(s)
    }),
    { numRuns: N },
  )
})
test('text idem', () => {
  fc.assert(
    fc.property(
      textArb,
      idem((x) => r.message(x, 'm').value),
    ),
    { numRuns: N },
  )
})
test('broken json idem', () => {
  fc.assert(
    fc.property(json.object, fc.nat(300), (v, n) =>
      idem((x) => r.body('request', x, 'application/json', 'http://x/orders/1').value)(
        JSON.stringify(v).slice(0, n),
      ),
    ),
    { numRuns: N },
  )
})
test('url idem', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom('customers', 'orders', 'oauth'), textArb.map(encodeURIComponent)),
        { maxLength: 4 },
      ),
      fc.array(fc.tuple(keyArb.map(encodeURIComponent), textArb.map(encodeURIComponent)), {
        maxLength: 4,
      }),
      (p, q) =>
        idem((x) => r.url(x).value.url)(
          'http://h.example/' + p.join('/') + '?' + q.map(([k, v]) => k + '=' + v).join('&'),
        ),
    ),
    { numRuns: N },
  )
})
test('form idem', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(keyArb.map(encodeURIComponent), textArb.map(encodeURIComponent)), {
        maxLength: 4,
      }),
      (q) =>
        idem((x) => r.body('request', x, 'application/x-www-form-urlencoded', 'http://x/a').value)(
          q.map(([k, v]) => k + '=' + v).join('&'),
        ),
    ),
    { numRuns: N },
  )
})
test('headers idem', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        'authorization',
        'cookie',
        'set-cookie',
        'x-app-signature',
        'x-forwarded-for',
        'location',
        'x-api-key',
        'x-other',
        'referer',
      ),
      textArb,
      (n, v) => idem((x) => r.header('request', n, x).value)(v),
    ),
    { numRuns: N },
  )
})
expect(1).toBe(1)
