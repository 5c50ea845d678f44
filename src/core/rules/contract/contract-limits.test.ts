/** Judging ends, whatever a contract compares and whatever comes from the wire; what was not judged is said. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Exchange } from '../../traffic/exchange.ts'
import { createContract } from './contract.ts'
import { ContractJudge } from './contract-judge.ts'

const url = 'file:///contract/openapi.yaml'

/** A judge of `POST /things` and `POST /things/{more}` with this schema of its body. */
function judgeOf(schema: string, path = '/things') {
  const text = `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  ${path}:
    post:
      operationId: createThing
      parameters:
        - { in: query, name: q, schema: { type: string, pattern: '^(x|x)*$' } }
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '201': { description: made } }
`
  const value: unknown = parse(text)
  const file = { name: 'openapi.yaml', bytes: Buffer.from(text), value, lineOf: () => 7 }
  const contract = createContract(
    { root: url, files: new Map([[url, file]]) },
    'ordering-application',
  )
  if (!contract.ok) throw new Error(contract.error.wrong)
  const judge = new ContractJudge({
    contracts: [contract.value],
    onBug(error) {
      throw error
    },
  })
  let seq = 0
  return {
    send(body: unknown, at = '/things') {
      const exchange: Exchange = {
        seq: ++seq,
        startedAt: 0,
        tookMs: 1,
        from: { role: 'software-service', party: 'subject' },
        to: { role: 'ordering-application', party: 'sparring' },
        request: {
          method: 'POST',
          url: `http://127.0.0.1:7101${at}`,
          headers: [['Content-Type', 'application/json']],
          body: JSON.stringify(body),
        },
        reply: { status: 201, headers: [] },
      }
      judge.exchange(exchange, { began: 0 })
    },
    findings: () =>
      judge
        .verdict()
        .findings.map(({ because, advice }) => `${advice ? 'advice: ' : ''}${because}`),
  }
}

const hostile = `${'a'.repeat(35)}!`
const note = (pattern: string): string =>
  `{ type: object, properties: { note: { type: string, pattern: '${pattern}' }, count: { type: integer } } }`

test.each(['^(a+)+$', '^(a|a)*$', '^(?=(a+)+$)', '^(a*)*b', '^(.*a){20}$'])(
  'a text on which /%s/ would take years is not judged, as advice; others are judged as ever',
  (pattern) => {
    const judged = judgeOf(note(pattern))
    for (let times = 0; times < 30; times++) judged.send({ note: hostile })
    judged.send({ count: 'many' })
    expect(judged.findings()).toEqual([
      'Your request createThing differs from openapi.yaml: body /count expected a whole number, received "many" (openapi.yaml:7 #/paths/~1things/post/requestBody/content/application~1json/schema/properties/count/type).',
      `advice: The request createThing (Software Service) was not compared with openapi.yaml as a whole: body takes longer than 100 ms to judge by its pattern /${pattern}/u. Write it without a repetition in a repetition. Seen 30 times.`,
    ])
  },
)

test('what fits or does not fit such a pattern quickly is judged', () => {
  const judged = judgeOf(note('^(a+)+$'))
  judged.send({ note: 'a'.repeat(40) })
  expect(judged.findings()).toEqual([])
  judged.send({ note: '!' })
  expect(judged.findings()).toEqual([
    expect.stringContaining('body /note expected a text like /^(a+)+$/, received "!"'),
  ])
})

test('names of members, parameters, alternatives and negations are bounded as well', () => {
  for (const schema of [
    `{ type: object, patternProperties: { '^(a+)+$': { type: integer } } }`,
    `{ type: object, propertyNames: { pattern: '^(a+)+$' } }`,
    `{ type: object, additionalProperties: { not: { type: string, pattern: '^(a+)+$' } } }`,
  ]) {
    const judged = judgeOf(schema)
    judged.send({ [hostile]: hostile })
    expect(judged.findings()).toEqual([expect.stringMatching(/^advice: .* was not compared/)])
  }
  const judged = judgeOf('{ type: object }')
  judged.send({}, `/things?q=${'x'.repeat(40)}y`)
  expect(judged.findings()).toEqual([
    expect.stringMatching(/^advice: .*: query parameter q takes longer .* \/\^\(x\|x\)\*\$\/u/),
  ])
})

test('entries of which all are compared with one another are not compared for ever', () => {
  const judged = judgeOf('{ type: array, uniqueItems: true, items: { type: object } }')
  judged.send(Array.from({ length: 100_000 }, (_, id) => ({ id, name: { first: 'a', last: 'b' } })))
  judged.send(Array.from({ length: 100 }, () => ({ id: 1 })))
  expect(judged.findings()).toEqual([
    expect.stringContaining('body expected entries that differ from each other'),
    expect.stringMatching(/^advice: .* takes longer than 1000 ms to judge by its schema/),
  ])
})

test('a long segment of several parameters is taken apart at once, an earlier one as long as it can be', () => {
  const judged = judgeOf('{ type: object }', '/things/{a}-{b}-{c}-{d}.json')
  judged.send({}, `/things/${'1-'.repeat(4000)}x`)
  judged.send({}, `/things/${'1-'.repeat(4000)}x.json`)
  expect(judged.findings()).toEqual([expect.stringContaining('is none of the contract')])
})
