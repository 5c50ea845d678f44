/** Judging single exchanges against small documents of OpenAPI 3.0 and 3.1. */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Exchange } from '../../traffic/exchange.ts'
import { createContract } from './contract.ts'
import { ContractJudge } from './contract-judge.ts'
import { type ContractSource, documentReferences, resolveReference } from './source.ts'

const url = 'file:///contract/openapi.yaml'

const sourceOf = (text: string, others: Readonly<Record<string, string>> = {}): ContractSource => ({
  root: url,
  files: new Map(
    Object.entries({ 'openapi.yaml': text, ...others }).map(([name, content]) => [
      `file:///contract/${name}`,
      { name, bytes: Buffer.from(content), value: parse(content) as unknown, lineOf: () => 7 },
    ]),
  ),
})

function contractOf(text: string, others?: Readonly<Record<string, string>>) {
  const contract = createContract(sourceOf(text, others), 'ordering-application')
  if (!contract.ok) throw new Error(contract.error.wrong)
  return contract.value
}

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status?: number
  readonly reply?: unknown
  readonly replyHeaders?: Readonly<Record<string, string>>
  readonly more?: Partial<Exchange>
}

const textOf = (body: unknown): { readonly body?: string } =>
  body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }

const json = { 'Content-Type': 'application/json' }

/** A call of the subject to our Ordering Application. */
function exchangeOf(sent: Sent): Exchange {
  const { method = 'GET', path, headers, body, status = 200, reply, replyHeaders, more } = sent
  return {
    seq: 1,
    startedAt: 0,
    tookMs: 1,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'sparring' },
    request: {
      method,
      url: `http://127.0.0.1:7101${path}`,
      headers: Object.entries({ ...(body === undefined ? {} : json), ...headers }),
      ...textOf(body),
    },
    reply: {
      status,
      headers: Object.entries({ ...(reply === undefined ? {} : json), ...replyHeaders }),
      ...textOf(reply),
    },
    ...more,
  }
}

function judge(document: string, ...sent: readonly Sent[]) {
  const contractJudge = new ContractJudge({
    contracts: [contractOf(document)],
    onBug(error) {
      throw error
    },
  })
  for (const each of sent) contractJudge.exchange(exchangeOf(each), { began: 0 })
  return contractJudge.verdict()
}

/** What is said about the exchanges, without who sent them and where the document says it. */
const findings = (document: string, ...sent: readonly Sent[]): readonly string[] =>
  judge(document, ...sent).findings.map(({ because }) =>
    because
      .replace(/^.*? differs from (your contract )?openapi\.yaml( \([^)]*\))?: /, '')
      .replace(/ \(openapi\.yaml:7 .*$/, ''),
  )

const head = (version: string): string =>
  `openapi: ${version}\ninfo: { title: Orders, version: '1' }\n`

/** A document with one operation, `GET /things/{id}`, that has these members. */
const withParameters = (parameters: string): string =>
  `${head('3.1.0')}paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: ${parameters}
      responses: { '200': { description: found } }
`

/** A document with `POST /things` whose request and answer have this schema. */
const withSchema = (schema: string, version = '3.1.0', more = ''): string =>
  `${head(version)}paths:
  /things:
    post:
      operationId: createThing
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses:
        '201': { description: made, content: { application/json: { schema: ${schema} } } }
        4XX: { description: refused }
${more}`

const sends = (body: unknown): Sent => ({ method: 'POST', path: '/things', body, status: 400 })
const gets = (reply: unknown): Sent => ({
  method: 'POST',
  path: '/things',
  body: {},
  status: 201,
  reply,
})

/** A row in each line, and its cells between bars; a line that begins with a bar continues the one before. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .replaceAll(/\n\s*\|/g, ' |')
    .split('\n')
    .map((line) => line.trim().split(' | '))

describe('paths', () => {
  const document = `${head('3.0.3')}servers:
  - url: https://api.example.com/{version}
    variables: { version: { default: v2 } }
paths:
  /orders/mine: { get: { responses: { '200': { description: mine } } } }
  /orders/{orderId}: { get: { responses: { '200': { description: one } } } }
  /orders/{orderId}:confirm: { post: { responses: { '202': { description: taken } } } }
`
  test.each(['/v2/orders/mine', '/orders/mine', '/v2/orders/o%201', '/orders/o1'])(
    '%s is in the document',
    (path) => {
      expect(judge(document, { path })).toMatchObject({ outcome: 'passed', premises: 1 })
    },
  )
  test('a parameter may be a part of a segment', () => {
    const sent = { method: 'POST', path: '/v2/orders/o1%3Aconfirm', status: 202 }
    expect(judge(document, sent).outcome).toBe('passed')
  })
  test('another method is reported with those that there are, and another path as no part of it', () => {
    expect(
      findings(document, { method: 'DELETE', path: '/v2/orders/o1' }, { path: '/v3/orders/o1/x' }),
    ).toEqual([
      'method DELETE is none of /orders/{orderId}, which has GET.',
      'path /v3/orders/o1/x is none of the contract.',
    ])
  })
  test('a path of the protocol that is missing is a violation, any other is advice', () => {
    const own = judge(document, {
      path: '/events:polling',
      more: { operation: 'pollingEvents' },
    })
    const foreign = judge(document, { path: '/favicon.ico' })
    expect(own.findings[0]).not.toHaveProperty('advice')
    expect(foreign.findings[0]).toMatchObject({ advice: true })
  })
})

describe('parameters', () => {
  test.each(
    rowsOf(`
    [{ name: id, in: path, required: true, schema: { type: integer } }] | /things/12
    [{ name: id, in: path, required: true, schema: { type: integer } }] | /things/twelve | path parameter id expected a whole number, received "twelve"
    [{ name: limit, in: query, required: true, schema: { type: integer, maximum: 50 } }] | /things/1?limit=51
      | query parameter limit expected at most 50, received 51
    [{ name: limit, in: query, required: true, schema: { type: integer } }] | /things/1 | query parameter limit is missing, and the contract requires it
    [{ name: tags, in: query, schema: { type: array, items: { type: integer }, maxItems: 2 } }] | /things/1?tags=1&tags=2
    [{ name: tags, in: query, explode: false, schema: { type: array, items: { type: integer }, maxItems: 2 } }] | /things/1?tags=1,2,x
      | query parameter tags expected at most 2 entries, received an array | query parameter tags /2 expected a whole number, received "x"
    [{ name: filter, in: query, style: deepObject, schema: { type: object, properties: { open: { type: boolean } } } }] | /things/1?filter[open]=maybe
      | query parameter filter /open expected true or false, received "maybe"
    [{ name: filter, in: query, schema: { type: object, properties: { from: { type: string, format: date } } } }] | /things/1?from=2026-13-01
      | query parameter filter /from expected the format date, received "2026-13-01"
    [{ name: ids, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer } } }] | /things/1?ids=1|2
    [{ name: body, in: query, content: { application/json: { schema: { type: object, required: [a] } } } }] | /things/1?body=%7B%7D
      | query parameter body /a is missing, and the contract requires it
    [] | /things/1?page=2 | query parameter page is no parameter that the contract has
  `),
  )('%s with %s', (parameters = '', path = '', ...expected) => {
    expect(findings(withParameters(parameters), { path })).toEqual(expected)
  })

  test('headers and cookies', () => {
    const document = withParameters(
      '[{ name: X-Count, in: header, required: true, schema: { type: integer } }, { name: mode, in: cookie, schema: { enum: [a, b] } }]',
    )
    const path = '/things/1'
    expect(findings(document, { path, headers: { 'x-count': '3', cookie: 'mode=a' } })).toEqual([])
    expect(findings(document, { path, headers: { cookie: 'x=1; mode=c' } })).toEqual([
      'header parameter X-Count is missing, and the contract requires it',
      'cookie parameter mode expected "a" or "b", received "c"',
    ])
  })

  test('parameters of a path are overridden by those of its operation', () => {
    const document = `${head('3.1.0')}paths:
  /things:
    parameters: [{ name: limit, in: query, required: true, schema: { type: integer } }]
    get:
      parameters: [{ name: limit, in: query, schema: { type: string } }]
      responses: { default: { description: any } }
`
    expect(findings(document, { path: '/things' }, { path: '/things?limit=many' })).toEqual([])
  })
})

describe('bodies', () => {
  const thing =
    '{ type: object, required: [id], properties: { id: { type: string, format: uuid } } }'

  test('the place, what was expected and the value are said, with the place in the document', () => {
    const [finding] = judge(withSchema(thing), sends({ id: 'one' })).findings
    expect(finding?.because).toBe(
      'Your request createThing differs from openapi.yaml: body /id expected the format uuid, received "one" ' +
        '(openapi.yaml:7 #/paths/~1things/post/requestBody/content/application~1json/schema/properties/id/format).',
    )
  })
  test.each([
    [undefined, 'body is missing, and the contract requires it'],
    ['{', 'body is no JSON'],
    [[], 'body expected an object, received an array'],
  ])('a request with %j', (body, expected) => {
    expect(findings(withSchema(thing), sends(body))).toEqual([expected])
  })
  test('an answer of ours is advice, and says so', () => {
    const verdict = judge(withSchema('{ type: object, required: [id] }'), gets({}), {
      ...gets({ id: 1 }),
      body: { id: 1 },
    })
    expect(verdict.findings.map(({ because, advice }) => [because.split(':')[0], advice])).toEqual([
      ['Your request createThing differs from openapi.yaml', undefined],
      [
        'Our counterpart differs from your contract openapi.yaml (Ordering Application, answer 201 of createThing)',
        true,
      ],
    ])
  })
  test('media types: a family, another one, and a form', () => {
    const document = `${head('3.1.0')}paths:
  /things:
    post:
      requestBody:
        content:
          text/*: { schema: { type: string, maxLength: 3 } }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { n: { type: integer } } } }
          application/*+json: { schema: { type: object } }
      responses: { '204': { description: done } }
`
    const send = (type: string, body: string): readonly string[] =>
      findings(document, {
        method: 'POST',
        path: '/things',
        headers: { 'Content-Type': type },
        body,
        status: 204,
      })
    expect(send('text/plain; charset=utf-8', 'abcd')).toEqual([
      'body expected at most 3 characters, received "abcd"',
    ])
    expect(send('application/x-www-form-urlencoded', 'n=1')).toEqual([])
    expect(send('application/x-www-form-urlencoded', 'n=x')).toEqual([
      'body /n expected a whole number, received "x"',
    ])
    expect(send('image/png', 'x')).toEqual([
      'header Content-Type is image/png, and the contract has text/*, application/x-www-form-urlencoded, application/*+json',
    ])
  })
  test('a distorted answer of ours is not judged, and an incomplete one not by its body', () => {
    const document = withSchema('{ type: object, required: [id] }')
    const distorted = { ...gets({}), body: { id: 1 }, more: { fault: 'truncate on res()' } }
    const failure = { code: 'ECONNRESET', message: 'reset' }
    const torn = { ...gets('{"i'), body: { id: 1 }, more: { failure } }
    expect(findings(document, distorted, torn)).toEqual([])
  })
})

describe('answers', () => {
  const document = `${head('3.1.0')}paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200':
          description: all
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array } } }
        '204': { description: none }
        4XX: { description: refused, content: { application/json: { schema: { type: object, required: [code] } } } }
`
  const answers = (status: number, reply?: unknown, replyHeaders = {}): readonly string[] =>
    findings(document, { path: '/things', status, reply, replyHeaders })
  test('by status, by class, and none', () => {
    expect(answers(200, [], { 'X-Total': '3' })).toEqual([])
    expect(answers(204)).toEqual([])
    expect(answers(404, { code: 'x' })).toEqual([])
    expect(answers(404, {})).toEqual(['body /code is missing, and the contract requires it'])
    expect(answers(500, {})).toEqual(['status is 500, and the contract has 200, 204, 4XX'])
  })
  test('headers, and bodies that are missing or not described', () => {
    expect(answers(200, [], { 'x-total': 'all' })).toEqual([
      'header X-Total expected a whole number, received "all"',
    ])
    expect(answers(200, undefined, { 'x-total': '1' })).toEqual([
      'body of the answer 200 is missing, and the contract has one',
    ])
    expect(answers(204, {})).toEqual(['body of the answer 204 is there, and the contract has none'])
  })
})

describe('schemas', () => {
  const differs = (schema: string, body: unknown, version = '3.1.0', more = '') =>
    findings(withSchema(schema, version, more), sends(body))
  const property = (schema: string): string => `{ type: object, properties: { a: ${schema} } }`

  test.each(
    rowsOf(`
    3.0.3 | { type: string, nullable: true } | null
    3.0.3 | { type: string } | null | body /a expected a string, received null
    3.0.3 | { nullable: true, enum: [x, null] } | null
    3.0.3 | { type: number, minimum: 1, exclusiveMinimum: true } | 1 | body /a expected more than 1, received 1
    3.0.3 | { type: number, maximum: 1, exclusiveMaximum: false } | 1
    3.0.3 | { type: integer, format: int32 } | 1099511627776 | body /a expected the format int32, received 1099511627776
    3.1.0 | { type: [string, "null"] } | 5 | body /a expected a string or null, received 5
    3.1.0 | { type: number, exclusiveMinimum: 1 } | 1 | body /a expected more than 1, received 1
    3.1.0 | { const: x } | "y" | body /a expected "x", received "y"
    3.1.0 | { type: string, format: date-time } | "2026-01-01" | body /a expected the format date-time, received "2026-01-01"
    3.1.0 | { type: string, pattern: "^[a-z]+$" } | "A" | body /a expected a text like /^[a-z]+$/, received "A"
    3.1.0 | { type: string, pattern: "^[\\\\w\\\\-\\\\_]+$" } | "a-b"
    3.1.0 | { type: number, multipleOf: 0.01 } | 0.07
    3.1.0 | { anyOf: [{ type: string }, { type: "null" }] } | 5 | body /a expected a string or null, received 5
    3.1.0 | { anyOf: [{ type: object, required: [b] }, { type: "null" }] } | {}
      | body /a/b is missing, and the contract requires it (in the closest alternative)
    3.1.0 | { oneOf: [{ type: object, properties: { b: { type: string } } }, { type: "null" }] } | {"b":1}
      | body /a/b expected a string, received 1 (in the closest alternative)
    3.1.0 | { oneOf: [{ type: string }, { minLength: 1 }] } | "x" | body /a expected exactly one alternative, and it fits 2
    3.1.0 | { type: object, additionalProperties: false } | {"b":1} | body /a/b is no member that the contract has
    3.1.0 | { allOf: [{ properties: { b: true } }], unevaluatedProperties: false } | {"b":1,"c":1} | body /a/c is no member that the contract has
    3.1.0 | { type: array, uniqueItems: true } | [1,1] | body /a expected entries that differ from each other, received an array
  `),
  )('%s %s with %s', (version = '', schema = '', a = '', ...expected) => {
    expect(differs(property(schema), { a: JSON.parse(a) as unknown }, version)).toEqual(expected)
  })

  const components = (schemas: string): string => `components:\n  schemas:\n${schemas}`

  test('what is read-only is not required in a request, and what is write-only not in an answer', () => {
    const more =
      components(`    Base: { type: object, properties: { id: { type: string, readOnly: true } } }
    Thing:
      allOf:
        - $ref: '#/components/schemas/Base'
        - { type: object, required: [id, secret, name], properties: { secret: { type: string, writeOnly: true } } }
`)
    const document = withSchema("{ $ref: '#/components/schemas/Thing' }", '3.0.3', more)
    expect(findings(document, sends({}))).toEqual([
      'body /secret is missing, and the contract requires it',
      'body /name is missing, and the contract requires it',
    ])
    expect(findings(document, { ...gets({}), body: { secret: 's', name: 'n' } })).toEqual([
      'body /id is missing, and the contract requires it',
      'body /name is missing, and the contract requires it',
    ])
  })
  test('a reference to itself, and a keyword beside a reference', () => {
    const node = components(`    Node:
      type: object
      required: [name]
      properties: { next: { $ref: '#/components/schemas/Node', description: the next, maxProperties: 2 } }
`)
    const nested = { name: 'a', next: { name: 'b', x: 1, next: {} } }
    const reference = "{ $ref: '#/components/schemas/Node' }"
    expect(differs(reference, nested, '3.1.0', node)).toEqual([
      'body /next/next/name is missing, and the contract requires it',
      'body /next expected at most 2 members, received an object',
    ])
    // In 3.0 what stands beside a reference is ignored.
    expect(differs(reference, nested, '3.0.3', node)).toEqual([
      'body /next/next/name is missing, and the contract requires it',
    ])
  })
  test('a discriminator chooses among alternatives', () => {
    const pets =
      components(`    Cat: { type: object, required: [lives], properties: { kind: {}, lives: { type: integer } } }
    Dog: { type: object, required: [bark], properties: { kind: {}, bark: { type: string } } }
`)
    const schema = `{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { tom: '#/components/schemas/Cat' } } }`
    const check = (body: unknown) => differs(schema, body, '3.1.0', pets)
    expect(check({ kind: 'tom', lives: 9 })).toEqual([])
    expect(check({ kind: 'tom' })).toEqual(['body /lives is missing, and the contract requires it'])
    expect(check({ kind: 'Dog', bark: 1 })).toEqual(['body /bark expected a string, received 1'])
    expect(check({ kind: 'cow' })).toEqual(['body /kind expected "tom" or "Dog", received "cow"'])
    expect(check({})).toEqual(['body /kind is missing, and the contract requires it'])
  })
  test('a discriminator chooses among the schemas that extend its own', () => {
    const pets =
      components(`    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: [lives] }] }
`)
    const check = (body: unknown) =>
      differs("{ $ref: '#/components/schemas/Pet' }", body, '3.0.3', pets)
    expect(check({ kind: 'Cat' })).toEqual(['body /lives is missing, and the contract requires it'])
    expect(check({ kind: 'Fish' })).toEqual([])
  })
})

describe('documents of several files', () => {
  const text = withSchema("{ $ref: './parts/thing.yaml#/Thing' }")
  const parts = {
    'parts/thing.yaml':
      "Thing: { type: object, required: [id], properties: { id: { $ref: '../ids.yaml' } } }",
    'ids.yaml': '{ type: string, maxLength: 2 }',
  }
  test('references lead on from file to file', () => {
    const contractJudge = new ContractJudge({
      contracts: [contractOf(text, parts)],
      onBug(error) {
        throw error
      },
    })
    contractJudge.exchange(exchangeOf(sends({ id: 'long' })), { began: 0 })
    expect(contractJudge.verdict().findings[0]?.because).toContain(
      'body /id expected at most 2 characters, received "long" (ids.yaml:7 #/maxLength)',
    )
  })
  test('names of members are no references, and examples refer to nothing', () => {
    const value = parse(`
properties: { $ref: { type: string }, example: { $ref: '#/a' } }
example: { $ref: '#/b' }
responses: { default: { $ref: '#/c' } }
`) as unknown
    expect(
      documentReferences(value)
        .map(({ reference }) => reference)
        .toSorted(),
    ).toEqual(['#/a', '#/c'])
  })
  test.each([
    ['#/paths/~1things/post', undefined],
    ['#/nothing', 'there is no #/nothing in openapi.yaml'],
    [
      'https://example.com/x.yaml',
      '"https://example.com/x.yaml" is at another host, and nothing is fetched for a contract',
    ],
    ['missing.yaml#/x', '"missing.yaml#/x" names a file that was not read'],
  ])('%s', (reference, error) => {
    const found = resolveReference(sourceOf(text, parts), reference, url)
    expect(found.ok ? undefined : found.error).toBe(error)
  })
})

describe('the role of a document', () => {
  const roleOf = (paths: string) =>
    createContract(sourceOf(`${head('3.1.0')}paths: ${paths}`), undefined)
  const get = '{ get: { responses: { default: { description: x } } } }'
  test('is found by its paths', () => {
    expect(roleOf(`\n  /v2/orders/{id}: ${get}\n  /oauth/token: ${get}\n`)).toMatchObject({
      value: { role: 'ordering-application' },
    })
    expect(roleOf(`\n  /accounts: ${get}\n`)).toMatchObject({ value: { role: 'software-service' } })
  })
  test('is asked for where they do not say it', () => {
    expect(roleOf(`\n  /foo: ${get}\n`)).toMatchObject({
      error: {
        wrong:
          'none of its paths is one of the protocol, so it does not say whose host it describes',
        remedy: 'Say whose host it describes: --contract openapi.yaml=<role>.',
      },
    })
  })
})

test('what is said twice is counted, and examples are few', () => {
  const sent = Array.from({ length: 1000 }, (_, index) => sends({ a: [`x${index}`] }))
  const schema = '{ type: object, properties: { a: { type: array, items: { type: integer } } } }'
  const verdict = judge(withSchema(schema), ...sent)
  expect(verdict).toMatchObject({ outcome: 'failed', premises: 1000, violations: 1000 })
  expect(verdict.findings).toHaveLength(1)
  expect(verdict.findings[0]?.because).toMatch(/received "x0" .* Seen 1000 times\.$/)
  expect(verdict.findings[0]?.evidence).toHaveLength(8)
  expect(verdict.latest).toHaveLength(40)
})

describe('contract and clauses', () => {
  const confirm = (schema: string): string => `${head('3.1.0')}paths:
  /events/acknowledgment:
    post:
      operationId: ack
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { default: { description: any } }
`
  const acknowledges = (body: unknown): Sent => ({
    method: 'POST',
    path: '/events/acknowledgment',
    body,
    status: 202,
    more: { operation: 'acknowledgeEvents' },
  })
  test('both are said where the clauses allow what the contract refuses', () => {
    const [finding] = judge(
      confirm('{ type: object, required: [ids] }'),
      acknowledges({ eventIds: ['e1'] }),
    ).findings
    expect(finding?.because).toMatch(
      /body \/ids is missing, and the contract requires it \(.*\)\. Contract and protocol disagree: the clauses of acknowledgeEvents \([A-Z]+-.*\) allow this body\.$/,
    )
    expect(finding).not.toHaveProperty('advice')
  })
  test('both are said where the contract allows what the clauses refuse, as advice', () => {
    const refused = { ...acknowledges({ eventIds: 5 }), status: 400 }
    const [finding] = judge(confirm('{ type: object }'), refused).findings
    expect(finding?.because).toMatch(
      /^Contract and protocol disagree about your request ack: openapi\.yaml allows its body .* do not: eventIds: expected an array, received 5\.$/,
    )
    expect(finding).toMatchObject({ advice: true })
  })
  test('where both refuse it, both say why', () => {
    const [finding] = judge(
      confirm('{ type: object, required: [ids] }'),
      acknowledges({ eventIds: 5 }),
    ).findings
    expect(finding?.because).toMatch(/do not allow this body either: eventIds: expected an array/)
  })
})
