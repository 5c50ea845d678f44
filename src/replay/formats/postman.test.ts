import { compact } from '../../core/base/compact.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import { postmanFormat } from './postman.ts'
import { importText } from '../../../test/support/round-trip.ts'

const now = 1000
const read = (collection: unknown, mapping?: unknown) =>
  importInPieces(
    postmanFormat,
    typeof collection === 'string' ? collection : JSON.stringify(collection),
    {
      now,
      ...compact({ mapping }),
    },
  )

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const collection = {
  info: { name: 'Partner', schema },
  variable: [
    { key: 'baseUrl', value: 'https://{{host}}/v2' },
    { key: 'host', value: 'partner.example' },
    { key: 'loop', value: '{{loop}}!' },
  ],
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
  item: [
    {
      name: 'Orders',
      item: [
        {
          name: 'Confirm',
          request: {
            method: 'POST',
            url: {
              raw: '{{baseUrl}}/orders/:orderId/confirm',
              variable: [{ key: 'orderId', value: 'o-1' }],
            },
            header: [
              { key: 'X-A', value: '1' },
              { key: 'X-Off', value: '2', disabled: true },
            ],
            body: {
              mode: 'raw',
              raw: '{"reason":"{{why}}"}',
              options: { raw: { language: 'json' } },
            },
          },
          response: [
            {
              name: 'accepted',
              originalRequest: {
                method: 'POST',
                url: 'https://partner.example/v2/orders/o-9/confirm',
                header: [],
              },
              status: 'Accepted',
              code: 202,
              header: [{ key: 'content-type', value: 'application/json' }],
              body: '{}',
              responseTime: 41,
            },
            { name: 'gone', code: 404, header: 'A: 1\nB: 2', body: null },
          ],
        },
      ],
    },
    {
      name: 'Form',
      request: {
        auth: { type: 'noauth' },
        method: 'POST',
        url: 'h.example/form',
        body: { mode: 'urlencoded', urlencoded: [{ key: 'a b', value: 'ç&' }] },
      },
    },
    { name: 'Plain', request: 'https://h.example/plain?{{loop}}' },
  ],
}

test('every saved example is an exchange; a request without examples has no response', () => {
  const { imported, problems } = read(collection)
  expect(problems).toEqual([])
  expect(
    imported.map(({ exchange: { request, reply, tookMs } }) => [
      request.method,
      request.url,
      reply?.status,
      tookMs,
    ]),
  ).toEqual([
    ['POST', 'https://partner.example/v2/orders/o-9/confirm', 202, 41],
    ['POST', 'https://partner.example/v2/orders/o-1/confirm', 404, 0],
    ['POST', 'http://h.example/form', undefined, 0],
    ['GET', expect.stringContaining('https://h.example/plain?'), undefined, 0],
  ])
  expect(imported[1]?.exchange).toMatchObject({
    request: {
      headers: [
        ['X-A', '1'],
        ['Authorization', 'Bearer {{token}}'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"reason":"{{why}}"}',
    },
    reply: {
      headers: [
        ['A', '1'],
        ['B', '2'],
      ],
    },
  })
  expect(imported[1]?.warn).toEqual(['clock inferred', 'variables left open: token, why'])
  expect(imported[2]?.exchange.request).toMatchObject({
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: 'a%20b=%C3%A7%26',
  })
  expect(imported[2]?.warn).toContain('no response')
})

test('an environment resolves variables that the collection leaves open; collection variables take precedence', () => {
  const environment = {
    values: [
      { key: 'token', value: 't-1' },
      { key: 'why', value: 'busy' },
      { key: 'off', value: 'x', enabled: false },
      { key: 'host', value: 'other' },
    ],
  }
  const [, confirm] = read(collection, environment).imported
  expect(confirm?.exchange.request).toMatchObject({
    url: 'https://partner.example/v2/orders/o-1/confirm',
    body: '{"reason":"busy"}',
  })
  expect(confirm?.warn).toEqual(['clock inferred'])
})

test.each([
  [
    'basic',
    {
      type: 'basic',
      basic: [
        { key: 'username', value: 'me' },
        { key: 'password', value: 'pw' },
      ],
    },
    ['Authorization', 'Basic bWU6cHc='],
  ],
  [
    'basic of version 2.0',
    { type: 'basic', basic: { username: 'me', password: 'pw' } },
    ['Authorization', 'Basic bWU6cHc='],
  ],
  [
    'a key',
    {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-K' },
        { key: 'value', value: 'v' },
      ],
    },
    ['X-K', 'v'],
  ],
  [
    'OAuth 2',
    { type: 'oauth2', oauth2: [{ key: 'accessToken', value: 'tt' }] },
    ['Authorization', 'Bearer tt'],
  ],
])('credentials: %s', (_, auth, header) => {
  const { imported } = read({
    info: { schema },
    auth,
    item: [{ request: { url: 'https://h.example' } }],
  })
  expect(imported[0]?.exchange.request.headers).toEqual([header])
})

test('structured URL, form data and GraphQL bodies', () => {
  const { imported } = read({
    info: { schema },
    item: [
      {
        request: {
          url: {
            protocol: 'https',
            host: ['a', 'example'],
            port: '8443',
            path: ['x', 'y'],
            query: [
              { key: 'q', value: '1' },
              { key: 'z', value: null },
            ],
          },
        },
      },
      {
        request: {
          method: 'POST',
          url: 'https://h',
          body: {
            mode: 'formdata',
            formdata: [
              { key: 'n', value: 'v' },
              { key: 'f', type: 'file', src: '/a.png' },
            ],
          },
        },
      },
      {
        request: {
          method: 'POST',
          url: 'https://h',
          body: { mode: 'graphql', graphql: { query: '{ a }', variables: '{"b":1}' } },
        },
      },
    ],
  })
  const [parts, form, graphql] = imported.map(({ exchange }) => exchange.request)
  expect(parts?.url).toBe('https://a.example:8443/x/y?q=1&z')
  expect(form?.body).toContain('name="f"; filename="/a.png"')
  expect(graphql?.body).toBe('{"query":"{ a }","variables":{"b":1}}')
})

test.each([
  [
    'a path variable is encoded, and only in the path',
    {
      raw: 'http://h.example/orders/:id?f=:id',
      query: [{ key: 'f', value: ':id' }],
      variable: [{ key: 'id', value: 'João da Silva?#"' }],
    },
    'http://h.example/orders/Jo%C3%A3o%20da%20Silva%3F%23%22?f=:id',
  ],
  [
    'what is encoded already stays',
    { raw: 'http://h.example/:a/b%20c', variable: [{ key: 'a', value: 'x%2Fy' }] },
    'http://h.example/x%2Fy/b%20c',
  ],
  [
    'a value of the query is one value; a disabled one is not sent',
    {
      raw: 'http://h.example/x?q={{q}}',
      query: [
        { key: 'q', value: '{{q}}' },
        { key: 'n m', value: null },
        { key: 'off', value: '1', disabled: true },
      ],
    },
    'http://h.example/x?q=caf%C3%A9%20%26%20a=b%23&n%20m',
  ],
  [
    'a URL as text',
    'http://h.example/caf é/{{open}}?a=b c#d',
    'http://h.example/caf%20%C3%A9/{{open}}?a=b%20c#d',
  ],
])('a URL is encoded as Postman sends it: %s', (_, url, expected) => {
  const { imported } = read({
    info: { schema },
    variable: [{ key: 'q', value: 'café & a=b#' }],
    item: [{ request: { url } }],
  })
  expect(imported[0]?.exchange.request.url).toBe(expected)
})

test('a key in the query comes before the fragment', () => {
  const apikey = { key: 'key', value: 'v', in: 'query' }
  const auth = {
    type: 'apikey',
    apikey: Object.entries(apikey).map(([key, value]) => ({ key, value })),
  }
  const { imported } = read({
    info: { schema },
    auth,
    item: [{ request: 'http://h.example/x?a=1#top' }, { request: 'http://h.example/y#top' }],
  })
  expect(imported.map(({ exchange }) => exchange.request.url)).toEqual([
    'http://h.example/x?a=1&key=v#top',
    'http://h.example/y?key=v#top',
  ])
})

test('a truncated collection yields the requests before the break', () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    name: `r${index}`,
    request: { url: `https://h.example/${index}`, method: 'GET' },
  }))
  const text = JSON.stringify({ info: { schema }, item: [{ name: 'folder', item: items }] })
  fc.assert(
    fc.property(fc.integer({ min: text.indexOf('"r1"'), max: text.length - 1 }), (cut) => {
      const { imported, problems } = read(text.slice(0, cut))
      const whole = items.filter((item) => text.slice(0, cut).includes(JSON.stringify(item)))
      expect(imported).toHaveLength(whole.length)
      expect(problems).toMatchObject([{ where: expect.stringMatching(/^byte \d+$/), fatal: true }])
    }),
  )
  const rotten = read(text.replace('"r7"', '"r7'))
  expect(rotten.imported).toHaveLength(7)
})

test('excessively nested folders and files of another format are reported', () => {
  let item: unknown = { request: 'https://h' }
  for (let depth = 0; depth < 1000; depth++) item = { name: 'f', item: [item] }
  const deep = read({ info: { schema }, item: [item] })
  expect(deep.imported).toEqual([])
  expect(deep.problems[0]?.message).toBe('folders deeper than 60 were left out')
  expect(read('{"log":{}}').problems[0]?.message).toContain('it is no collection of version 2')
  expect(read('hello').problems).toEqual([
    { where: 'byte 0', message: 'it is no JSON document', fatal: true },
  ])
  expect(read('[]').problems).toMatchObject([{ fatal: true }])
})

test('variables whose expansion exceeds the size limit stay unresolved', () => {
  const variable = [{ key: 'a', value: 'x'.repeat(900_000) }]
  const item = [{ request: { method: 'GET', url: `http://a.example/${'{{a}}'.repeat(2000)}` } }]
  const { recording } = importText(postmanFormat, JSON.stringify({ item, variable }))
  expect(recording).toContain('{{a}}{{a}}')
})
