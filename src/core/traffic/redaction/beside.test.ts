/** Values redacted in the traffic must not survive in the other members of a line. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { harFormat } from '../../../replay/formats/har.ts'
import { recordingFormat } from '../../../replay/formats/recording.ts'
import { importText, testRedactor } from '../../../../test/support/round-trip.ts'
import { createExchangeFormatter } from '../recording/recording-lines.ts'
import { redactHarEntry } from './har-entry.ts'
import { redactExchange } from './exchange.ts'

const address = 'maria@silva.example.org'
const cpf = '52998224725'

const archive = (url: string, more: object = {}): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        {
          startedDateTime: '2026-01-05T12:00:00.000Z',
          time: 1,
          request: { method: 'GET', url, headers: [] },
          response: { status: 200, headers: [], content: {} },
          ...more,
        },
      ],
    },
  })

const redacted = (text: string): string => importText(harFormat, text, { redact: true }).recording

test('an order id that is an e-mail address is redacted alike in the URL, its parameter and `corr`', () => {
  const text = redacted(archive(`http://a.example/v2/orders/${address}`))
  expect(text).not.toContain(address)
  const { _rec: rec } = JSON.parse(text.split('\n')[1]!) as {
    _rec: { params: { orderId: string }; corr: { order: string } }
  }
  expect(rec.corr.order).toBe(rec.params.orderId)
})

test('a recorded line redacts order, event and merchant ids as it does their source', () => {
  const header = sampleHeader(
    { name: 'n', redaction: { policy: 'default-1', keyId: 'k', mode: 'pseudonym' } },
    '000000000',
  )
  const exchange = sampleExchange(1, {
    orderId: address,
    params: { orderId: address, merchantId: address },
    eventIds: ['e-1', address],
    request: { method: 'GET', url: `http://a.example/v2/orders/${address}`, headers: [] },
  })
  const redactor = testRedactor()
  const line = createExchangeFormatter({ header, t0: sampleT0, redactor })(exchange)
  expect(line).not.toContain(address)
  expect(line).toContain('"events":["e-1",')
  expect(JSON.stringify(redactExchange(exchange, redactor).value)).not.toContain(address)
})

test('a raw recording that is redacted later keeps no parameter that is redacted in the path', () => {
  const raw = importText(harFormat, archive(`http://a.example/v1/customers/${cpf}`)).recording
  expect(raw).toContain(`"params":{"id":"${cpf}"}`)
  expect(importText(recordingFormat, raw, { redact: true }).recording).not.toContain(cpf)
})

test('a redacted body keeps no hash, which would confirm a guess at the original', () => {
  const body = JSON.stringify({ email: address })
  const sha256 = createHash('sha256').update(body).digest('hex')
  const entry = {
    _rec: { v: 1, type: 'http', wire: { q: { bytes: 40, sha256 }, p: { bytes: 2, sha256 } } },
    request: { method: 'POST', url: 'http://a.example/x', postData: { text: body } },
    response: { status: 200, content: { text: 'ok' } },
  }
  const { value } = redactHarEntry(entry, testRedactor())
  expect(value['_rec']).toMatchObject({ wire: { q: { bytes: 40 }, p: { bytes: 2, sha256 } } })
  expect(JSON.stringify((value['_rec'] as typeof entry._rec).wire.q)).not.toContain(sha256)
})

test('the code of a failure is not taken from a secret in its message', () => {
  const failed = { response: { status: 0, statusText: 'token=QWERTYUIOPLKJHG was refused' } }
  expect(redacted(archive('http://a.example/v2/orders', failed))).not.toContain('QWERTYUIOP')
  const reset = { response: { status: 0, statusText: 'net::ERR_CONNECTION_RESET' } }
  expect(redacted(archive('http://a.example/v2/orders', reset))).toContain(
    '"code":"ERR_CONNECTION_RESET"',
  )
})

test.each([
  ['an escape of another alphabet', `Jos%E9%20${encodeURIComponent(address)}`],
  ['a broken escape', `100%25%20%zz%20${encodeURIComponent(address)}`],
])('%s does not hide personal data next to it', (_, value) => {
  expect(redacted(archive(`http://a.example/v2/orders?q=${value}`))).not.toContain('silva')
})

test('a form of thousands of fields is redacted in linear time', () => {
  const params = Array.from({ length: 60_000 }, (_, index) => ({
    name: `p${index}`,
    value: `v${index}`,
  }))
  const person = [
    { name: 'name', value: 'Maria Silva' },
    ...params,
    { name: 'email', value: address },
  ]
  const request = { method: 'POST', url: 'http://a.example/x', queryString: person }
  // With work for each pair of fields it would take longer than a test may.
  const text = JSON.stringify(redactHarEntry({ request }, testRedactor()).value)
  // Next to the address the name is a person's, at any distance.
  expect(text).not.toContain('Maria')
})
