/**
 * Judging recorded exchanges: what redaction has replaced makes no difference, and what differs whatever stood there is
 * told.
 */
import { expect, test } from 'vitest'
import { learningRedactor } from '../../../../test/support/redactor.ts'
import { parse } from 'yaml'
import type { Exchange } from '../../traffic/exchange.ts'
import { HttpLine } from '../../traffic/recording/format.ts'
import { createSalt } from '../../traffic/recording/line-ids.ts'
import {
  createExchangeFormatter,
  createHeaderLine,
} from '../../traffic/recording/recording-lines.ts'
import {
  type RecordedExchange,
  recordedExchangeFromLine,
} from '../../traffic/recording/recorded-exchange.ts'
import { createContract } from './contract.ts'
import { ContractJudge } from './contract-judge.ts'

const url = 'file:///contract/openapi.yaml'
const document = `openapi: 3.1.0
info: { title: Customers, version: '1' }
paths:
  /customers/{email}:
    post:
      operationId: saveCustomer
      parameters:
        - { in: path, name: email, required: true, schema: { type: string, pattern: '@restaurant\\.com\\.br$' } }
        - { in: query, name: search, schema: { type: string, pattern: '^ana@' } }
        - { in: header, name: X-Api-Key, required: true, schema: { type: string, pattern: '^key-[0-9]+$' } }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Customer' } }
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { client_secret: { type: string, maxLength: 8 }, limit: { type: integer } } }
      responses:
        '200':
          description: saved
          headers: { Set-Cookie: { schema: { type: string, pattern: '^session=[0-9]+$' } } }
          content:
            application/json: { schema: { $ref: '#/components/schemas/Customer' } }
components:
  schemas:
    Customer:
      type: object
      required: [name, kind]
      properties:
        kind: { type: string }
        name: { type: string, enum: [Ana Souza, Bia Lima] }
        email: { type: string, format: email, pattern: '^[a-z]+@restaurant' }
        phones:
          type: array
          uniqueItems: true
          items: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Phone' }] }
        pickupCode: { type: string, pattern: '^[0-9]{4}$' }
        notes: { not: { pattern: '^~' } }
        observations: { type: string, minLength: 30 }
        latitude: { type: number, multipleOf: 0.0001, exclusiveMinimum: -23.5505 }
        payment:
          oneOf:
            - { type: object, required: [cardNumber, brand], properties: { brand: { const: visa }, cardNumber: { pattern: '^4' } } }
            - { type: object, required: [pixKey], properties: { pixKey: { type: string, maxLength: 11 } } }
        contact:
          oneOf:
            - { type: object, properties: { email: { pattern: 'com\\.br$' } } }
            - { type: object, properties: { email: { pattern: 'com$' } } }
        document:
          if: { properties: { documentNumber: { pattern: '^529' } } }
          then: { required: [state] }
        byEmail: { type: object, patternProperties: { 'restaurant': {} }, additionalProperties: false }
    Phone:
      type: object
      required: [number, type]
      properties: { number: { type: string, pattern: '^\\+55119[0-9]*77$' }, type: { type: string } }
`

const contract = createContract(
  {
    root: url,
    files: new Map([
      [
        url,
        {
          name: 'openapi.yaml',
          bytes: Buffer.from(document),
          value: parse(document) as unknown,
          lineOf: () => undefined,
        },
      ],
    ]),
  },
  'crm',
)

function differencesOf(exchange: Exchange): readonly string[] {
  if (!contract.ok) throw new Error(contract.error.wrong)
  const judge = new ContractJudge({
    contracts: [contract.value],
    onBug(error) {
      throw error
    },
  })
  judge.exchange(exchange, { began: 0 })
  return judge
    .differences()
    .filter(({ isAdvice }) => !isAdvice)
    .map(({ text }) =>
      text.replace(/^Your (\w+) .*? differs from openapi\.yaml: (.*?) \(.*$/s, '$1 $2'),
    )
}

const header = createHeaderLine({
  info: {
    name: 'x',
    tool: 'sparring/0',
    protocol: { name: 'protocol', version: 'v2' },
    parties: [],
    redaction: { policy: 'default-1', keyId: 'k', mode: 'pseudonym' },
  },
  t0: 0,
  salt: createSalt([1, 2, 3, 4, 5, 6, 7, 8, 9]),
})

/** As it is read from a redacted recording. */
function recorded(exchange: Exchange): RecordedExchange {
  const redactor = learningRedactor('key')
  const format = createExchangeFormatter({ header, t0: 0, redactor })
  return recordedExchangeFromLine(HttpLine.parse(JSON.parse(format(exchange))), 0)
}

const customer = {
  kind: 'person',
  name: 'Ana Souza',
  email: 'ana@restaurant.com.br',
  phones: [{ number: '+5511987654377', type: 'phone' }, null],
  pickupCode: '4821',
  notes: 'rings twice',
  observations: 'the third door on the left, behind the tree',
  latitude: -23.5504,
  payment: { pixKey: '52998224725' },
  contact: { email: 'ana@restaurant.com.br' },
  document: { documentNumber: '52998224725', state: 'SP' },
  byEmail: { 'ana@restaurant.com.br': 1 },
}

const json = [['Content-Type', 'application/json']] as const

function saving(body: unknown, more: Partial<Exchange['request']> = {}): Exchange {
  return {
    seq: 1,
    startedAt: 0,
    tookMs: 1,
    from: { role: 'ordering-application', party: 'subject' },
    to: { role: 'crm', party: 'subject' },
    request: {
      method: 'POST',
      url: 'http://127.0.0.1/customers/ana@restaurant.com.br?search=ana@restaurant.com.br',
      headers: [...json, ['X-Api-Key', 'key-12345678901']],
      body: JSON.stringify(body),
      ...more,
    },
    reply: {
      status: 200,
      headers: [...json, ['Set-Cookie', 'session=1234567890123']],
      body: JSON.stringify(body),
    },
  }
}

test('what keeps to the contract still does after it was redacted', () => {
  const exchange = saving(customer)
  expect(differencesOf(exchange)).toEqual([])
  const after = recorded(exchange)
  // It was redacted in every place that has a rule.
  for (const gone of [
    'Ana Souza',
    'restaurant.com.br',
    '4821',
    'rings',
    '54377',
    'key-1',
    '1234567890123',
  ])
    expect(JSON.stringify({ ...after, recordId: '' })).not.toContain(gone)
  const { redactions, ...plain } = after
  expect(redactions?.length).toBeGreaterThan(20)
  expect(differencesOf(plain).length).toBeGreaterThan(15)
  expect(differencesOf(after)).toEqual([])
})

test('a form, a body that is no text, and a value that stands elsewhere keep to it as well', () => {
  const form = saving(undefined, {
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['X-Api-Key', 'key-12345678901'],
    ],
    body: 'client_secret=s3cret8&limit=5',
  })
  const binary = saving(undefined, { wire: { base64: 'AAECgP8=' } })
  const { body: _body, ...bodiless } = binary.request
  const elsewhere = saving({ ...customer, name: 'Ana Souza', kind: 'key-12345678901' })
  for (const exchange of [form, { ...binary, request: bodiless }, elsewhere]) {
    const before = {
      ...exchange,
      reply: { status: 200, headers: json, body: JSON.stringify(customer) },
    }
    expect(differencesOf(before)).toEqual([])
    expect(differencesOf(recorded(before))).toEqual([])
  }
})

test.each([
  [
    'a missing field',
    { ...customer, kind: undefined },
    'body /kind is missing, and the contract requires it',
  ],
  [
    'a wrong type of a redacted value',
    { ...customer, email: 5 },
    // The number that stands for it, which tells it from others.
    /^body \/email expected a string, received \d{15}$/,
  ],
  [
    'a missing field beside a redacted one, in every alternative',
    { ...customer, payment: { cardNumber: '5111111111111118', brand: 5 } },
    /^body \/payment\/(?:brand|pixKey) /,
  ],
  [
    'a missing field beside a redacted one, behind a reference',
    { ...customer, phones: [{ number: '+5511987654377' }] },
    /^body \/phones\/0\/type is missing/,
  ],
  [
    'a value that was not redacted',
    { ...customer, document: { documentNumber: '1', state: 5 }, kind: 7 },
    'body /kind expected a string, received 7',
  ],
])('%s is told of a recorded exchange', (_, body, text) => {
  const told = differencesOf(recorded(saving(body)))
  const expected: unknown = typeof text === 'string' ? text : expect.stringMatching(text)
  expect(told.map((each) => each.replace(/^(?:request|answer) /, ''))).toEqual([expected, expected])
})
