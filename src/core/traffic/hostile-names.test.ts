/** Foreign data may use the names of Object.prototype members for headers, fields and modes. */
import { expect, test } from 'vitest'
import { redactorWith } from '../../../test/support/redactor.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../test/support/sample-exchange.ts'
import { forEachMention } from './entities/mentions.ts'
import { compareExchanges } from '../../replay/difference/compare-exchanges.ts'
import { createRuleBook } from '../../replay/difference/protocol-rules.ts'
import type { Exchange } from './exchange.ts'
import { postmanFormat } from '../../replay/formats/postman.ts'
import { importText } from '../../../test/support/round-trip.ts'
import { createExchangeFormatter } from './recording/recording-lines.ts'

const names = ['constructor', '__proto__', 'toString'] as const
const sample = sampleExchange(1)
const withHeader = (name: string): Exchange => ({
  ...sample,
  request: { ...sample.request, headers: [[name, 'a value of some length']] },
})

test.each(names)('a recorded and redacted exchange keeps a header named %s', (name) => {
  const redactor = redactorWith('k')
  const header = sampleHeader(
    { name: 'n', redaction: { policy: 'default-1', keyId: 'k', mode: 'pseudonym' } },
    '000000000',
  )
  const line = createExchangeFormatter({ header, t0: sampleT0, redactor })(withHeader(name))
  expect(line).toContain(`{"name":"${name}","value":"a value of some length"}`)
})

test.each(names)('a header named %s has no identifier kind from Object.prototype', (name) => {
  const kinds = new Set<unknown>()
  forEachMention(withHeader(name), ({ kind }) => void kinds.add(typeof kind))
  expect([...kinds].every((kind) => kind === 'string' || kind === 'undefined')).toBe(true)
})

test.each(names)('a query field named %s is compared', (name) => {
  const asking = (value: string): Exchange => ({
    ...sample,
    request: { ...sample.request, url: `http://127.0.0.1/v2/orders/order-1?${name}=${value}` },
  })
  const found = compareExchanges(asking('a'), asking('b'), createRuleBook())
  expect(found.map(({ where, recorded, live }) => [where, recorded, live])).toEqual([
    [`/query/${name}`, 'a', 'b'],
  ])
})

test.each(names)('a Postman body in the language %s has no media type', (language) => {
  const body = { mode: 'raw', raw: 'hello', options: { raw: { language } } }
  const item = [{ request: { method: 'POST', url: 'http://a.example/x', body } }]
  const { recording } = importText(postmanFormat, JSON.stringify({ item }))
  expect(recording).toContain('"postData":{"mimeType":"","text":"hello"}')
})
