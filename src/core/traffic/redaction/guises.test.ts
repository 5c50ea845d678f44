// @module-tag slow
/**
 * Personal data in unusual places and spellings: in keys, attributes, self-describing pairs, numbers of another
 * spelling, look-alike characters. And the reverse: values that only resemble personal data stay.
 */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

function redacted(text: string, type = 'application/json', url = 'http://x/orders/o-1'): string {
  const once = redactor.body('request', text, type, url).value
  expect(redactor.body('request', once, type, url).value).toBe(once)
  return once
}
const asJson = (value: unknown): string => redacted(JSON.stringify(value))
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test.each([
  ['customers by their numbers', { customers: { '5511987651234': {}, '52998224725': {} } }],
  ['telephones by their numbers', { phones: { '11987651234': { active: true } } }],
  ['a customer whose id is a document', { customerId: '52998224725' }],
  ['the same, inside of the customer', { customer: { id: '52998224725' } }],
  ['a pair that says its name', [{ name: 'phone', value: '11987651234' }]],
  ['a pair that says its name last', [{ value: 11987651234, key: 'phone' }]],
  ['a pair of a secret', [{ key: 'client_secret', value: '11987651234' }]],
  ['a second telephone', { phone2: '11987651234', cpf_1: '52998224725' }],
  ['the hash of a number, which is guessed in a minute', { phoneHash: '0a11987651234f' }],
  ['an e-mail address in parts', { email: { value: '11987651234' } }],
  ['a name in parts', { customer: { name: { first: '11987651234', last: '52998224725' } } }],
  ['the name of somebody in a long key', { recipientFullName: '11987651234' }],
  ['an address in lines', { address: { lines: ['11987651234'] }, addresses: ['52998224725'] }],
  ['street and number written in one, twice', { street1: '11987651234' }],
  ['a telephone under another word', { mobile: { number: '11987651234' } }],
  ['a number with its country', { x: 5511987651234, y: 'see https://wa.me/5511987651234' }],
  ['a path without a host', { link: '/customers/11987651234' }],
] as const)('redacted: %s', (_, value) => {
  expect(asJson(value)).not.toMatch(/87651234|52998224725/)
})

test.each([
  ['with a fraction', '{"x":52998224725.0}'],
  ['with an exponent', '{"x":5.2998224725e10}'],
  ['a card as a number', '{"x":4111111111111111}'],
])('a number in another spelling is redacted: %s', (_, text) => {
  const after = redacted(text)
  expect(after).not.toMatch(/2998224725|4111111111111111/)
  expect(typeof (JSON.parse(after) as { x: unknown }).x).toBe('number')
})

test.each([
  ['ligue 11 98765-1234', '98765'],
  ['98765-1234', '98765'],
  ['(011) 98765-1234', '98765'],
  ['(+55) 11 98765-1234', '98765'],
  ['+55\u00A011\u00A098765\u20111234', '98765'],
  ['\u202A+55 11 98765-1234\u202C', '98765'],
  ['+33 6 12 34 56 78', '12 34'],
  ['+351 912 345 678', '912'],
  ['+49 1512 3456789', '3456789'],
  ['CPF ５２９.９８２.２４７-２５', '９８２'],
  ['canario＠provedor.com', 'canario'],
  ["o'canario@provedor.com", "o'"],
  ['joa\u0303o@provedor.com', 'joa'],
  ['529 982 247 25', '982'],
  ['529982247-25', '529982247'],
  ['11444777/0001-61', '11444777'],
  ['Cookie: sid=canario; a=b', 'canario'],
  ['Authorization: Digest username="canario", response="q"', 'canario'],
  ['AKIAIOSFODNN7EXAMPLE', 'AKIA'],
  ['-----BEGIN PRIVATE KEY-----\ncanario\n-----END PRIVATE KEY-----', 'canario'],
])('a contact or document in a sentence is redacted: %s', (text, trace) => {
  expect(asJson({ x: text })).not.toContain(trace)
  const once = redactor.message(text, 'm').value
  expect(once).not.toContain(trace)
  expect(redactor.message(once, 'm').value).toBe(once)
})

test('wrapped, mixed-case and short encodings are decoded and redacted', () => {
  const wrapped = base64(JSON.stringify({ a: 'x'.repeat(60), notes: 'canario' }))
  for (const coded of [
    wrapped.replaceAll(/(.{76})/g, '$1\r\n'),
    base64('ana@x.co'),
    Buffer.from('canario@x.com').toString('hex').replace('6f', '6F'),
  ]) {
    const { x } = JSON.parse(asJson({ x: coded })) as { x: string }
    for (const encoding of ['base64', 'hex'] as const)
      expect(Buffer.from(x.replaceAll(/\s/g, ''), encoding).toString()).not.toMatch(/canario|ana@/)
  }
})

test('the header of a JWT is redacted, also when it begins with a space', () => {
  const part = (text: string) => Buffer.from(text).toString('base64url')
  const claims = part('{"email":"canario@x.com"}')
  for (const head of ['{ "alg":"none"}', '{"alg":"none","email":"canario@x.com"}']) {
    const { x } = JSON.parse(asJson({ x: `${part(head)}.${claims}.c2ln` })) as { x: string }
    for (const each of x.split('.'))
      expect(Buffer.from(each, 'base64url').toString()).not.toContain('canario')
  }
})

test.each([
  ['the name of a field', 'canario%40x.com=1&b=2'],
  ['a document that is posted as the name of a field', '%7B%22notes%22%3A%22canario%22%7D='],
])('a form is redacted: %s', (_, text) => {
  expect(redacted(text, 'application/x-www-form-urlencoded')).not.toContain('canario')
})

test('multipart forms are redacted: around the parts, and a name next to an e-mail address', () => {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const text =
    `canario@x.com\r\n${part('email', 'a@b.co')}${part('name', 'canario')}` +
    `--b\r\nX: canario@x.com\r\n--b--\r\ncanario@x.com`
  expect(redacted(text, 'multipart/form-data; boundary=b')).not.toContain('canario')
})

test('a number with an invisible character is redacted by its key', () => {
  const once = redacted('document=%E2%80%8B11%2098765-1234', 'application/x-www-form-urlencoded')
  expect(once).not.toContain('98765')
})

test('an unquoted key determines the class of its value', () => {
  expect(redacted('{notes:"canario", total: 12}')).toBe('{notes:"~txt(7)", total: 12}')
})

test('a birth date with a time of day is redacted', () => {
  expect(asJson({ birthDate: '1987-06-05T12:34:56.789-03:00' })).toMatch(
    /"19[01]\d-\d\d-\d\dT00:00:00\.000-03:00"/,
  )
  expect(asJson({ birthDate: '1905-06-05 canario' })).not.toContain('canario')
})

test.each([
  ['X-Customer-Name', 'canario'],
  ['X-User-Email', 'canario'],
  ['X-Otp', 'canario'],
  ['X-CSRF', 'canario'],
  ['Cookie', 'canario'],
  ['Set-Cookie', 'a=b; Path=/of/canario@x.com'],
  ['Set-Cookie2', 'a=canario'],
  ['baggage', 'tenant=1,email=canario'],
  ['Content-Disposition', "attachment; filename*=UTF-8''canario%40x.com"],
  ['Content-MD5', 'canario'],
])('a header is redacted: %s', (name, value) => {
  const once = redactor.header('request', name, value).value
  expect(once).not.toContain('canario')
  expect(redactor.header('request', name, once).value).toBe(once)
})

test('IP addresses are redacted in further headers', () => {
  for (const name of ['X-Remote-Addr', 'Fastly-Client-IP', 'X-Envoy-External-Address'])
    expect(redactor.header('request', name, '200.1.2.3').value).toMatch(/^2[45]\d\./)
})

test.each([
  'http://x/a#canario@x.com',
  'http://x/a#/users/canario@x.com',
  'http://x/a;jsessionid=canario',
  'http://x/a?canario@x.com=1',
  '//ana:canario@x/a',
  'http://u:ca@canario@x/a',
  'http://x/reset-password/canario-1234567890',
  'http://x/bot123456:canario-1/getMe',
  'http://x/chave=canario-12/orders',
  'http://x/apiKey:canario-1a2b3c4d/orders',
])('a URL is redacted: %s', (url) => {
  const once = redactor.url(url).value.url
  expect(once).not.toContain('canario')
  expect(redactor.url(once).value.url).toBe(once)
})

test.each([
  'http://x/token/introspect',
  'http://x/oauth/token:revoke',
  'http://x/orders/o-1:cancel',
  'http://x/keys/size-2/values',
  'http://x/oauth/token/revocation-of-all-clients',
  'http://x/tokens/v2/list',
  'http://x/secret/rotation/last-30-days',
])('an ordinary word behind the name of a secret stays: %s', (url) => {
  expect(redactor.url(url).value.url).toBe(url)
})

test('numbers after a segment that names their kind are redacted', () => {
  for (const url of [
    'http://x/phones/11987651234',
    'http://x/cpf/52998224725',
    'http://x/customers?search=11987651234',
    'http://x/orders?q=+5511987651234',
  ])
    expect(redactor.url(url).value.url).not.toMatch(/87651234|52998224725/)
})

test('a customer id has one pseudonym in the path and in the document', () => {
  const path = redactor.url('http://x/customers/52998224725').value.url.split('/').at(-1)
  expect(JSON.parse(asJson({ customerId: '52998224725' }))).toEqual({ customerId: path })
  expect(JSON.parse(asJson({ customer: { id: '52998224725' } }))).toEqual({
    customer: { id: path },
  })
})

test('business data stays: ids, statuses, prices, times, in any context', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[A-Z]{2,4}-\d{3,8}$/),
    fc.nat(9_999_999).map(String),
  )
  const business = fc.record({
    id,
    orderId: id,
    merchant: fc.record({ id, name: fc.constantFrom('Tigela do Norte', 'Bar 24', 'Casa & Cia') }),
    status: fc.constantFrom('CONFIRMED', 'READY_FOR_PICKUP', 'ORDER_CANCELLATION_REQUEST'),
    createdAt: fc
      .date({
        min: new Date('2020-01-01T00:00:00Z'),
        max: new Date('2035-01-01T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
    at: fc.integer({ min: 1_600_000_000_000, max: 1_999_999_999_999 }),
    total: fc.record({
      value: fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
      currency: fc.constant('BRL'),
    }),
    items: fc.array(
      fc.record({ id, name: fc.constantFrom('Pão', 'Suco 300 ml'), quantity: fc.nat(9) }),
    ),
    type: fc.constantFrom('DELIVERY', 'INDOOR'),
    discounts: fc.array(
      fc.record({ type: fc.constantFrom('COUPON', 'LOYALTY'), value: fc.nat(99) }),
    ),
    next: fc.constantFrom('/v1/orders/12/items', '/orders/7c9e6679-7425-40de-944b-e07fc1f90ae7'),
  })
  fc.assert(
    fc.property(business, (value) => {
      expect(JSON.parse(asJson(value))).toEqual(value)
    }),
    { numRuns: 300 },
  )
})

const planted = ['canario.da.silva@provedor.com.br', '+5511987651234', '529.982.247-25'] as const

test('canaries in keys and values of any document do not survive', () => {
  const canary = fc.constantFrom(...planted)
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      canary,
      canary.map((each) => `see ${each}, please`),
      canary.map((each) => JSON.stringify({ said: each })),
      canary.map((each) => base64(JSON.stringify({ said: each }))),
      canary.map((each) => encodeURIComponent(encodeURIComponent(each))),
      canary.map((each) => `<a b="${each}">${each}</a>`),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(canary, fc.constantFrom('x', 'orderId', 'name', 'value', 'type', 'items', 'id')),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }))
  fc.assert(
    fc.property(value, (document) => {
      const text = asJson({ document })
      const unfolded = [
        text,
        ...(text.match(/[\w+/-]{16,}={0,2}/g) ?? []).map((run) =>
          Buffer.from(run, 'base64').toString(),
        ),
      ].join('\n')
      expect(
        decodeURIComponent(decodeURIComponent(unfolded.replaceAll(/%(?![\dA-F]{2})/g, ''))),
      ).not.toMatch(/canario|87651234|529\.982/)
    }),
    { numRuns: 400 },
  )
})

test('a body of millions of characters without a break is redacted to its end', () => {
  const long = 'A'.repeat(8_000_000)
  for (const body of [
    long,
    'ab'.repeat(4_000_000),
    JSON.stringify({ note: long }),
    `id,email\n1,"${long}"\n`,
    `mutation { a(x: "${long}") { id } }`,
    `with password ${long}`,
  ])
    expect(
      redactor.body('request', body, 'application/json', 'http://x/orders/o-1').value.length,
    ).toBeGreaterThan(0)
})
