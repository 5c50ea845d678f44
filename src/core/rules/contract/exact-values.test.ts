/** Values that look like what a contract demands and are not, and those that look odd and are. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Exchange } from '../../traffic/exchange.ts'
import { ContractJudge } from './contract-judge.ts'
import { createContract } from './contract.ts'

const document = `
openapi: 3.0.3
info: { title: t, version: '1' }
servers: [{ url: 'http://any/v2' }]
paths:
  /orders:
    get:
      parameters:
        - { name: n, in: query, schema: { type: number } }
        - { name: big, in: query, schema: { type: integer, format: int64 } }
        - { name: code, in: query, schema: { anyOf: [{ type: integer }, { type: string }] } }
        - { name: list, in: query, schema: { type: array, items: { type: integer } } }
        - { name: since, in: query, schema: { type: string, format: date-time } }
        - { name: at, in: query, schema: { type: string, format: time } }
        - { name: flag, in: query, allowEmptyValue: true, schema: { type: boolean } }
        - { name: id, in: query, schema: { type: string, format: uuid } }
        - { name: joined, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: X-N, in: header, schema: { type: integer } }
        - { name: strict, in: query, schema: { type: boolean } }
      responses: { '204': { description: none } }
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                id: { type: integer, format: int64 }
                small: { type: integer, format: int32 }
                at: { type: string, format: date-time }
                single: { type: number, format: float }
                double: { type: number, format: double }
      responses: { '204': { description: none } }
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: none } }
`

function contractOf() {
  const name = 'file:///api.yaml'
  const value: unknown = parse(document)
  const bytes = Buffer.from(document)
  const source = {
    root: name,
    files: new Map([[name, { name: 'api.yaml', bytes, value, lineOf: () => 1 }]]),
  }
  const created = createContract(source, 'ordering-application')
  if (!created.ok) throw new Error(created.error.wrong)
  return created.value
}

const contract = contractOf()

/** The findings of one request, each without who made it and where the document says it. */
function findings(
  path: string,
  body?: string,
  headers: Exchange['request']['headers'] = [],
): readonly string[] {
  const judge = new ContractJudge({
    contracts: [contract],
    onBug(error) {
      throw error
    },
  })
  const exchange: Exchange = {
    seq: 1,
    startedAt: 0,
    tookMs: 1,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'sparring' },
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `http://127.0.0.1:7101/v2${path}`,
      headers: body === undefined ? headers : [['Content-Type', 'application/json']],
      ...(body === undefined ? {} : { body }),
    },
    reply: { status: 204, headers: [] },
  }
  judge.exchange(exchange, { began: 0 })
  return judge
    .verdict()
    .findings.map(({ because }) =>
      because.replace(/^.* differs from api\.yaml: | \(api\.yaml.*$/g, ''),
    )
}

const numberIn = (name: string, value: string): string =>
  `query parameter ${name} expected a number, received "${value}"`

test.each([
  ['?n=0x10', numberIn('n', '0x10')],
  ['?n=0b1', numberIn('n', '0b1')],
  ['?n=007', numberIn('n', '007')],
  ['?n=%2B5', numberIn('n', '+5')],
  ['?n=%205', numberIn('n', ' 5')],
  ['?n=.5', numberIn('n', '.5')],
  ['?n=5.', numberIn('n', '5.')],
  ['?n=Infinity', numberIn('n', 'Infinity')],
  ['?list=1&list=0x2', 'query parameter list /1 expected a whole number, received "0x2"'],
])('%s is written as no number of JSON', (query, wrong) => {
  expect(findings(`/orders${query}`)).toEqual([wrong])
})

test.each(['?n=10', '?n=-1.5', '?n=1e3', '?n=0', '?list=1&list=2', '?code=0x10', '?code=12'])(
  '%s is right',
  (query) => {
    expect(findings(`/orders${query}`)).toEqual([])
  },
)

test('a date-time has a T and an offset with a colon (RFC 3339, 5.6), whatever its case and offset', () => {
  const wrong = (name: string, value: string, format: string): string =>
    `query parameter ${name} expected the format ${format}, received "${value}"`
  expect(findings('/orders?since=2026-11-20T12:00:00-0300')).toEqual([
    wrong('since', '2026-11-20T12:00:00-0300', 'date-time'),
  ])
  expect(findings('/orders?since=2026-11-20T12:00:00-03')).toHaveLength(1)
  expect(findings('/orders?since=2026-11-20%2012:00:00Z')).toHaveLength(1)
  expect(findings('/orders?since=2026-11-20T12:00:00')).toHaveLength(1)
  expect(findings('/orders?at=12:00:00-0300')).toEqual([wrong('at', '12:00:00-0300', 'time')])
  expect(findings('/orders', '{"at":"2026-11-20T12:00:00+0000"}')).toHaveLength(1)
  for (const right of ['12:00:00Z', '12:00:00.123456789-03:00', '12:00:00z', '23:59:60Z'])
    expect(findings(`/orders?since=2026-12-31T${right}`)).toEqual([])
  expect(findings('/orders', '{"at":"2026-11-20T12:00:00+00:00"}')).toEqual([])
})

test('int64 ends at 9223372036854775807, to the last digit, in a query and in a body', () => {
  expect(findings('/orders?big=9223372036854775807')).toEqual([])
  expect(findings('/orders?big=-9223372036854775808')).toEqual([])
  expect(findings('/orders', '{"id":9223372036854775807}')).toEqual([])
  expect(findings('/orders', '{"id":-9223372036854775808}')).toEqual([])
  for (const beyond of [
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '99999999999999999999',
  ]) {
    expect(findings(`/orders?big=${beyond}`)).toHaveLength(1)
    expect(findings('/orders', `{"id":${beyond}}`)).toHaveLength(1)
  }
  expect(findings('/orders', '{"small":2147483648}')).toHaveLength(1)
  expect(findings('/orders', '{"small":2147483647}')).toEqual([])
})

test.each([
  ['single', '3.4028235e38', '3.5e38'],
  ['single', '-3.4028235e38', '-1e39'],
  ['double', '1.7976931348623157e308', '1e309'],
])('a number of %s precision ends at %s', (name, largest, beyond) => {
  expect(findings('/orders', `{"${name}":${largest}}`)).toEqual([])
  expect(findings('/orders', `{"${name}":${beyond}}`)).toHaveLength(1)
})

test('a UUID is 36 characters without a URN around them, in either case', () => {
  const uuid = '123e4567-E89B-12d3-a456-426614174000'
  expect(findings(`/orders?id=${uuid}`)).toEqual([])
  expect(findings(`/orders?id=urn:uuid:${uuid}`)).toHaveLength(1)
  expect(findings(`/orders?id=%7B${uuid}%7D`)).toHaveLength(1)
})

test('a value that comes twice is no single one, and each of a list is judged, wherever it stands', () => {
  expect(findings('/orders?n=1&n=2')).toEqual([
    'query parameter n expected a number, received an array',
  ])
  expect(findings('/orders?joined=1,2&joined=3')).toEqual([])
  expect(findings('/orders?joined=1,2&joined=x')).toEqual([
    'query parameter joined /2 expected a whole number, received "x"',
  ])
  const header = (...lines: readonly string[]) =>
    findings(
      '/orders',
      undefined,
      lines.map((line): [string, string] => ['x-n', line]),
    )
  expect(header('5')).toEqual([])
  expect(header('5', '6')).toEqual([
    'header parameter X-N expected a whole number, received "5, 6"',
  ])
})

test('a slash at the end makes another path (RFC 3986), and the finding names the one that there is', () => {
  expect(findings('/orders/')).toEqual([
    'path /v2/orders/ is none of the contract, which has /v2/orders.',
  ])
  expect(findings('/orders/o1/')).toEqual([
    'path /v2/orders/o1/ is none of the contract, which has /v2/orders/o1.',
  ])
  expect(findings('/orders/o1')).toEqual([])
})

test('allowEmptyValue allows ?flag and ?flag=, and no other value; without it an empty one is none', () => {
  expect(findings('/orders?flag')).toEqual([])
  expect(findings('/orders?flag=')).toEqual([])
  expect(findings('/orders?flag=true')).toEqual([])
  expect(findings('/orders?flag=1x')).toEqual([
    'query parameter flag expected true or false, received "1x"',
  ])
  expect(findings('/orders?strict=')).toEqual([
    'query parameter strict expected true or false, received ""',
  ])
})
