import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactorWith } from '../../../../test/support/redactor.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { createUrlWriter } from './url-writer.ts'
import type { Redactor } from '../redaction/redactor.ts'

const redactor = redactorWith('key')

/** A redactor that counts its calls. */
function counting() {
  let asked = 0
  const counted: Redactor = {
    ...redactor,
    url: (url, params) => {
      asked++
      return redactor.url(url, params)
    },
  }
  return { urlOf: createUrlWriter(counted), asked: () => asked }
}

const at = (url: string, params: Readonly<Record<string, string>>) => {
  const exchange = sampleExchange(1)
  return { ...exchange, params, request: { ...exchange.request, url } }
}

const idOf = (number: number): string =>
  `7c9e6679-7425-40de-944b-${number.toString(16).padStart(12, '0')}`

const order = (id: string) => at(`http://127.0.0.1:7101/v2/orders/${id}/confirm`, { orderId: id })

test('a path is redacted once for any number of ids', () => {
  const { urlOf, asked } = counting()
  for (let made = 0; made < 50; made++) {
    const id = idOf(made)
    expect(urlOf(order(id))).toMatchObject({
      json: `"http://127.0.0.1:7101/v2/orders/${id}/confirm"`,
      params: { orderId: id },
      red: [],
    })
  }
  expect(asked()).toBe(1)
})

test('a UUID after a personal segment, in a query, or under the key of a secret is redacted each time', () => {
  for (const [path, name] of [
    ['/customers/ID/orders', 'customerId'],
    ['/orders?session=ID', 'orderId'],
    ['/orders/ID?email=ana%40provedor.com.br', 'orderId'],
    ['/orders/xID', 'orderId'],
    ['/orders/ID', 'token'],
    ['/orders/ID/ID', 'orderId'],
  ] as const) {
    const { urlOf, asked } = counting()
    for (let made = 0; made < 5; made++) {
      const id = idOf(made)
      const params = { [name]: id }
      const exchange = at(`http://x${path.replaceAll('ID', id)}`, params)
      const { value } = redactor.url(exchange.request.url, params)
      expect(urlOf(exchange)).toMatchObject({
        json: JSON.stringify(value.url),
        params: value.params,
      })
    }
    expect([path, asked()]).toEqual([path, 5])
  }
})

test('a URL is written the same with and without a filled cache', () => {
  const { urlOf } = counting()
  const segment = fc.oneof(
    fc.constantFrom('orders', 'customers', 'items', 'drivers', 'oauth', '', 'merchants:x'),
    fc.constantFrom('ID', 'ID', 'xID', '11987651234', 'ana%40provedor.com.br', 'a.b'),
  )
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const tail = fc.constantFrom('', '', '', '?id=ID', '#token=ID', '?name=Ana&email=a%40b.co')
  const start = fc.constantFrom('http://127.0.0.1:1/', 'http://ana:secret@host/', '/')
  const name = fc.constantFrom('orderId', 'orderId', 'customerId', 'email', 'token', 'document')
  const place = fc.record({ start, path, tail, name, id: fc.uuid(), isAlone: fc.boolean() })
  fc.assert(
    fc.property(place, (drawn) => {
      const url = `${drawn.start}${drawn.path}${drawn.tail}`.replaceAll('ID', drawn.id)
      const more = drawn.isAlone ? {} : { itemId: 'i-1' }
      const exchange = at(url, { [drawn.name]: drawn.id, ...more })
      const { json, params, red } = createUrlWriter(redactor)(exchange)
      expect(urlOf(exchange)).toMatchObject({ json, params, red })
    }),
    { numRuns: 3000 },
  )
})

test('a raw recording keeps every URL', () => {
  const urlOf = createUrlWriter(undefined)
  for (const id of [idOf(1), idOf(2)])
    expect(urlOf(at(`http://x/customers/${id}`, { customerId: id }))).toMatchObject({
      json: `"http://x/customers/${id}"`,
      params: { customerId: id },
    })
})
