/**
 * What outsiders found left in their traffic, in every position: in each notation of a body, in each encoding, in headers,
 * queries and paths. And what must stay there, since replays and correlation depend on it.
 */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'

const orders = 'http://127.0.0.1:7101/v2/orders/o-1'
const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/** Redacts a body, twice: the second time changes nothing. */
function redactedBody(text: string, type = '', url = orders): string {
  const once = redactor.body('request', text, type, url).value
  expect(redactor.body('request', once, type, url).value).toBe(once)
  return once
}
const redactedHeader = (name: string, value: string): string => {
  const once = redactor.header('response', name, value).value
  expect(redactor.header('response', name, once).value).toBe(once)
  return once
}
const redactedUrl = (url: string): string => {
  const once = redactor.url(url).value.url
  expect(redactor.url(once).value.url).toBe(once)
  return once
}

const code = encodeURIComponent
const json = JSON.stringify
const part = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
const multipart = 'multipart/form-data; boundary=b'
const inQuotes = (text: string): string => json(text)
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Undoes the encodings of this test, any number of times. */
function unfolded(text: string): string {
  const parts = [text]
  for (let at = 0; at < parts.length && at < 12; at++) {
    const each = parts[at] ?? ''
    parts.push(
      ...[...each.matchAll(/[\w+/-]{12,}={0,2}/g)].flatMap(([run]) =>
        (['utf8', 'latin1', 'utf16le'] as const).map((charset) =>
          Buffer.from(run, 'base64').toString(charset),
        ),
      ),
    )
  }
  return parts
    .join('\n')
    .replaceAll('\0', '')
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
    .replaceAll(/%25/g, '%')
    .replaceAll(/%([\dA-F]{2})/gi, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
}

type Position = (text: string) => string

/** How a document, here of JSON, may be encoded as a whole. */
const wholes: Readonly<Record<string, Position>> = {
  'in a JSON string': (text) => redactedBody(json({ log: text })),
  'in base64': (text) => redactedBody(json({ x: Buffer.from(text).toString('base64') })),
  'in base64 of Latin-1': (text) =>
    redactedBody(json({ x: Buffer.from(`é ${text}`, 'latin1').toString('base64') })),
  'in base64 of UTF-16': (text) =>
    redactedBody(json({ x: Buffer.from(text, 'utf16le').toString('base64') })),
  'in base64 twice': (text) =>
    redactedBody(json({ x: Buffer.from(Buffer.from(text).toString('base64')).toString('base64') })),
  'percent-encoded twice': (text) => redactedBody(json({ x: code(code(text)) })),
  'percent-encoded twice behind a name': (text) =>
    redactedHeader('X-Debug', `state=${code(code(text))}`),
}

/** Where a value stands under its name. */
const keyed: Readonly<Record<string, (key: string, value: string) => string>> = {
  JSON: (key, value) => redactedBody(json({ a: { [key]: value } })),
  'a form': (key, value) => redactedBody(`a=1&${key}=${code(value)}`),
  multipart: (key, value) => redactedBody(part(key, value), multipart),
  GraphQL: (key, value) =>
    redactedBody(
      json({ query: `mutation { send(id: "o-1", ${key}: ${inQuotes(value)}) { id } }` }),
    ),
  'XML in JSON': (key, value) => redactedBody(json({ x: `<a><${key}>${xml(value)}</${key}></a>` })),
  'YAML in JSON': (key, value) => redactedBody(json({ x: `a: 1\n${key}: ${inQuotes(value)}\n` })),
  'a query': (key, value) => redactedUrl(`${orders}?a=1&${key}=${code(value)}`),
  ...Object.fromEntries(
    Object.entries(wholes).map(([how, position]) => [
      `JSON ${how}`,
      (key: string, value: string) => position(json({ id: 'o-1', [key]: value })),
    ]),
  ),
}

describe.each([
  ['sig', 'canario+Xy3/9k2Jq=='],
  ['pix', uuid],
  ['chave_secreta', 'canario-1'],
  ['clientSecret', 'canario-1'],
  ['CLIENT-SECRET', 'canario-1'],
  ['senha', 'canario-1'],
  ['notes', 'ring canario twice'],
  ['observações', 'ring canario twice'],
  ['customerName', 'Canario Silva'],
  ['nome_do_cliente', 'Canario Silva'],
  ['cliente', 'Canario Silva'],
])('%s', (key, value) => {
  const trace = /canario|7c9e6679/i
  test.each(Object.entries(keyed))('in %s', (where, put) => {
    // A name of XML has no accents in this test.
    const name = /XML|GraphQL/.test(where) ? key.replaceAll(/[^\w-]/g, 'o') : key
    const known = name === key || name === 'observacoes'
    if (known) expect(unfolded(put(name, value))).not.toMatch(trace)
    else expect(unfolded(put('observacoes', value))).not.toMatch(trace)
  })
})

/** Where a sentence stands. */
const worded: Readonly<Record<string, Position>> = {
  JSON: (text) => redactedBody(json({ message: text })),
  'a form': (text) => redactedBody(`a=1&message=${code(text)}`),
  multipart: (text) => redactedBody(part('message', text), multipart),
  GraphQL: (text) =>
    redactedBody(json({ query: `mutation { log(text: ${inQuotes(text)}) { id } }` })),
  'plain text': (text) => redactedBody(text, 'text/plain'),
  'a failure': (text) => redactor.message(text, 'err.message').value,
  'a header': (text) => redactedHeader('X-Error', text),
  'a query': (text) => redactedUrl(`${orders}?message=${code(text)}`),
  'a path': (text) => redactedUrl(`${orders}/${code(text)}/x`),
  ...wholes,
}

describe.each([
  ['login failed for ana with password canario', 'canario'],
  ['wrong password "canario" for ana', 'canario'],
  ['erro: senha canar10! inválida', 'canar10'],
  ['the token canario.x1-9 has expired', 'canario'],
  ['customer born on 12/03/1987 in Recife', '12/03/1987'],
  ['Ana, nascida em: nascimento 1987-03-12', '1987-03-12'],
  ['the customer of 05.06.1961 called', '1961'],
  ['call 11987654321 at once', '87654321'],
  ['the courier 12345678900 is late', '12345678900'],
  ['CPF:52998224725 is taken', '52998224725'],
  ['cannot read cpf-52998224725.pdf', '52998224725'],
  ['write to "canario silva"@provedor.com.br', 'canario'],
  [`paid to pix key ${uuid} today`, uuid],
  ['see https://h.example/hooks/T00/B00/canario9Xy today', 'canario'],
])('%s', (text, trace) => {
  test.each(Object.entries(worded))('in %s', (_, put) => {
    expect(unfolded(put(text))).not.toContain(trace)
  })
})

test.each([
  `${orders}?sv=2024&sig=canario%2B9Xy%3D`,
  'https://h.example/hooks/T00/B00/canario',
  'https://h.example/services/T024BE7LD/B024BE7LH/canariocanariocanariocan',
  'https://h.example/api/webhooks/123456789012345678/canario5fG7hI9jK1lM2nO3pQ4rS5tU6vW7',
  'https://h.example/pix/7c9e6679-7425-40de-944b-e07fc1f90ae7',
  'https://h.example/files/cpf-52998224725-front.jpg',
])('a URL: %s', (url) => {
  for (const text of [
    redactedUrl(url),
    redactedBody(json({ callback: url })),
    redactedHeader('Location', url),
    redactedBody(`the address is ${url}.`, 'text/plain'),
  ])
    expect(text).not.toMatch(/canario|52998224725|7c9e6679/)
})

test.each([
  'Bearer realm="orders", error="invalid_token", error_description="the token canario.a1-b2 has expired"',
  'Bearer realm="orders", access_token="canario-9"',
  'Digest realm="orders", nonce="canario9b8c7d6e", opaque="canario1", qop="auth"',
  'Negotiate canarioYIIabc123YII==',
])('a challenge: %s', (value) => {
  for (const name of ['WWW-Authenticate', 'Proxy-Authenticate'])
    expect(redactedHeader(name, value)).not.toContain('canario')
})

test.each([
  'form-data; name="file"; filename="52998224725.pdf"',
  'form-data; name="file"; filename="frente cpf_52998224725.jpeg"',
  'form-data; name="file"; filename="11444777000161-contrato.docx"',
])('the name of a file: %s', (disposition) => {
  const body = `--b\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--b--\r\n`
  expect(redactedBody(body, multipart)).not.toMatch(/52998224725|11444777000161/)
  expect(redactedHeader('Content-Disposition', disposition)).not.toMatch(/52998224725|11444777/)
})

test('a secret has one placeholder in all notations that are read', () => {
  const bodies = [
    json({ password: 'canario-1' }),
    json({ a: json({ password: 'canario-1' }) }),
    'login with password canario-1',
    'a=1&password=canario-1',
  ].map((text) => redactedBody(text))
  const marks = bodies.map((text) => /~sec_[a-z]{10}/.exec(text.replaceAll('%7E', '~'))?.[0])
  expect(new Set(marks).size).toBe(1)
  expect(marks[0]).toBeDefined()
})

const order = {
  id: uuid,
  displayId: 'ORD-2026-000123',
  merchant: { id: uuid, name: 'Tigela do Norte' },
  orderTiming: 'INSTANT',
  createdAt: '2026-11-20T12:00:00.000Z',
  lastEvent: 'CREATED',
  preparationStart: '2026-11-20',
  items: [
    {
      id: 'item-1',
      plu: '12345678901',
      ean: '7891234567895',
      externalCode: '20261120123',
      name: 'Pizza 30 cm = 8 fatias',
      unitPrice: { value: 40.2, currency: 'BRL' },
      description: 'Massa fina; molho: tomate\nqueijo: mozzarella',
      specification: 'assinatura da casa, chave de sabor',
    },
  ],
  payments: { prepaid: 0, methods: [{ value: 25.5, type: 'PIX', method: 'PIX', currency: 'BRL' }] },
  pix: 12.5,
  sequence: 11987654321,
  reference: '11987654321',
  timestamp: 1795176000000,
  eventIds: [uuid],
  status: 'CONFIRMED',
  driver: 'MERCHANT',
  template: '<b>Hello</b> order {id}',
  filter: 'a<b and b>c',
}

test('ids, prices, codes and times stay in every notation that is read', () => {
  const documents: readonly (readonly [text: string, type: string])[] = [
    [json(order), 'application/json'],
    [json({ payload: json(order) }), 'application/json'],
    [`total=40&orderId=${uuid}&plu=12345678901&at=2026-11-20`, ''],
    [`order 12345678901 of ${uuid}: total=40, since 2026-11-20`, 'text/plain'],
    ['item 11987654321 was sold 12 times on 20/11/2026', 'text/plain'],
    ['no token was sent; the password is required, the secret must be set', 'text/plain'],
    [part('orderId', uuid), multipart],
  ]
  for (const [text, type] of documents) expect(redactedBody(text, type)).toBe(text)
})

test('paths of orders, webhooks and merchants stay, and harmless headers', () => {
  for (const url of [
    `http://h/v1/webhooks/${uuid}`,
    'http://h/hooks/order-events-v2/created',
    'http://h/webhooks/orderStatusChanged',
    `http://h/webhook/merchants/merchant-1/orders/${uuid}`,
    `http://h/payments/${uuid}/status`,
    'http://h/orders/11987654321/items/12345678901?plu=12345678901&from=2026-11-20',
  ])
    expect(redactedUrl(url)).toBe(url)
  for (const [name, value] of [
    ['WWW-Authenticate', 'Bearer realm="orders", error="invalid_token", scope="read write"'],
    ['WWW-Authenticate', 'Basic realm="orders", charset="UTF-8"'],
    ['X-Order', `order ${uuid} at 2026-11-20`],
    ['Content-Disposition', 'form-data; name="file"; filename="menu-20261120123.pdf"'],
  ] as const)
    expect(redactedHeader(name, value)).toBe(value)
})
