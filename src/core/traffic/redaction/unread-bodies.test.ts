/** A body that is neither JSON nor a form nor plain text is replaced whole; the recording says what it was. */
import { expect, test } from 'vitest'
import { hashWith, redactor } from '../../../../test/support/redactor.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { createExchangeFormatter } from '../recording/recording-lines.ts'
import { redactHarEntry } from './har-entry.ts'

const hash = hashWith('a key')
const bodyOf = (text: string, type: string): string =>
  redactor.body('request', text, type, 'http://x/orders/o-1').value

const bytes = (text: string): number => Buffer.byteLength(text)
const wide = (text: string): string => text.replaceAll(/[^]/g, '$&\0')

/** A content type, the media type that is kept of it, and a body. */
const unread: readonly (readonly [type: string, mediaType: string, body: string])[] = [
  ['application/xml', 'application/xml', '<order><name>Ana</name><total>12.50</total></order>'],
  ['', 'no known type', '<?xml version="1.0"?><order name="Ana"/>'],
  ['text/xml; charset=utf-8', 'text/xml', '<s:Envelope xmlns:s="x"><cpf>1</cpf></s:Envelope>'],
  ['text/html', 'text/html', '<!doctype html><p>Ana</p>'],
  ['text/html', 'text/html', 'Ana called'],
  ['application/graphql', 'application/graphql', '{ order(id: "o-1", name: "Ana") { id } }'],
  ['application/json', 'application/json', 'mutation { send(name: "Ana") { id } }'],
  ['text/plain', 'text/plain', '{ order(id: "o-1", name: "Ana") { id } }'],
  ['text/csv', 'text/csv', 'id,total\r\no-1,12.50\r\n'],
  ['text/plain', 'text/plain', 'id;nome do cliente;e-mail\no-1;Ana;\n'],
  ['application/yaml', 'application/yaml', 'id: o-1\ntotal: 12.50\n'],
  ['text/plain', 'text/plain', 'id: o-1\ncustomer:\n  - name: Ana\n'],
  ['text/plain', 'text/plain', 'customerName: Ana Souza'],
  ['text/event-stream', 'text/event-stream', 'event: order\ndata: {"notes": "Ana"}\n\n'],
  ['text/vcard', 'text/vcard', 'BEGIN:VCARD\nFN:Ana\nEND:VCARD\n'],
  ['application/protobuf', 'application/protobuf', 'Ana'],
  ['multipart/mixed', 'multipart/mixed', 'Ana'],
  ['text/plain', 'text/plain', 'an e-mail of ana=40x.co=\r\n, and more'],
  ['text/plain', 'text/plain', String.raw`it was \x41\x6e\x61`],
  ['text/plain', 'text/plain', 'it was &#65;&#110;&#97;'],
  ['text/plain', 'text/plain', '{&quot;name&quot;:&quot;Ana&quot;}'],
  ['application/json', 'application/json', wide('{"name":"Ana"}')],
  ['"password" is hunter2', 'no known type', 'Ana'],
]

test.each(unread)('%s: %s is replaced whole: %j', (type, mediaType, body) => {
  const once = bodyOf(body, type)
  expect(once).toBe(
    `~body(${bytes(body)} bytes of ${mediaType}, hmac-sha256 ${hash(`body\0${body}`)})`,
  )
  expect(bodyOf(once, type)).toBe(once)
})

test.each([
  ['text/plain', 'OK'],
  ['', 'order o-1 was not found'],
  ['application/json', 'upstream error'],
  ['text/html', '{"id":"o-1"}'],
  ['text/html', ''],
  ['text/plain', 'a=1&b=2'],
  ['application/x-ndjson', '{"id":1}\n{"id":2}\n'],
  ['application/json', '{\n  "total": 12.50,\n  "items": [\n    "a < b"\n  ]\n}\n'],
])('%s: JSON, forms and plain text are read: %j', (type, body) => {
  expect(bodyOf(body, type)).toBe(body)
})

test.each([
  ['Content-Type: application/xml\r\n', '<a>Ana</a>'],
  ['Content-Transfer-Encoding: quoted-printable\r\n', 'n=C3=A3o'],
  ['', '<a>Ana</a>'],
])('a part of a form is replaced whole as a body is: %j', (head, value) => {
  const form = (inner: string): string =>
    `--b\r\nContent-Disposition: form-data; name="file"\r\n${head}\r\n${inner}\r\n--b--\r\n`
  const once = bodyOf(form(value), 'multipart/form-data; boundary=b')
  expect(once.split(/~body\(\d+ bytes of [^()]*\)/)).toEqual(form('|').split('|'))
})

test.each(['', 'a', 'ab', 'abc'])(
  'a long text in base64 is replaced whole, behind %j',
  (before) => {
    const text = `${before}${'pão de queijo 🧀 '.repeat(1000)}`
    for (const coding of ['base64', 'base64url', 'hex'] as const)
      expect(
        bodyOf(`it was ${Buffer.from(text).toString(coding)}, and failed`, 'text/plain'),
      ).toMatch(/^it was ~enc_[a-z]{10}, and failed$/)
  },
)

const header = sampleHeader(
  { name: 'n', redaction: { policy: 'default-1', keyId: 'k', mode: 'pseudonym' } },
  '000000000',
)
const body = '<order><name>Ana</name></order>'
const exchange = sampleExchange(1, {
  request: {
    method: 'POST',
    url: 'http://x/orders',
    headers: [['Content-Type', 'application/xml']],
    body,
  },
})

test('a recording says what was replaced, and a raw one keeps it', () => {
  const line = JSON.parse(
    createExchangeFormatter({ header, t0: sampleT0, redactor })(exchange),
  ) as {
    readonly _rec: { readonly red: readonly unknown[] }
    readonly request: object
  }
  expect(line.request).toMatchObject({
    bodySize: bytes(body),
    postData: { mimeType: 'application/xml', text: bodyOf(body, 'application/xml') },
  })
  expect(line._rec.red).toContainEqual({ p: 'q.body', c: 'body' })
  expect(createExchangeFormatter({ header, t0: sampleT0 })(exchange)).toContain(
    JSON.stringify(body),
  )
})

test('an archive has it in the place of the body, in base64 too', () => {
  const entry = (text: string, encoding?: string) => ({
    request: { method: 'GET', url: 'http://x/orders', headers: [] },
    response: { status: 200, content: { mimeType: 'application/xml', text, encoding } },
  })
  const replaced = bodyOf(body, 'application/xml')
  expect(redactHarEntry(entry(body), redactor).value).toEqual(entry(replaced))
  const inBase64 = (text: string): string => Buffer.from(text).toString('base64')
  expect(redactHarEntry(entry(inBase64(body), 'base64'), redactor).value).toEqual(
    entry(inBase64(replaced), 'base64'),
  )
})
