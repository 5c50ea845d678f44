// @module-tag slow
/**
 * The documents that hosts serve, against traffic: in a long run of all four counterparts every exchange matches the
 * document of its host: path, query, headers, status and both bodies.
 */
import { expect, test } from 'vitest'
import type { SessionOptions } from '../../session/options.ts'
import { openSession } from '../../session/open-session.ts'
import type { Session } from '../../session-api/session.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { operation, operationsHostedBy } from '../../protocol/catalogue.ts'
import { type Role, roles } from '../../protocol/role.ts'
import {
  createDocumentValidator,
  type DescribedBody,
  type DocumentValidator,
  type OpenApiDocument,
} from '../../../../test/support/openapi-validator.ts'
import { runsFor } from '../../../../test/support/soak.ts'

const parsed = (body: string | undefined): unknown =>
  body === undefined || body === '' ? undefined : JSON.parse(body)

type Described = DocumentValidator['operations'][number]

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const text = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  const pattern = new RegExp(`^${text}$`)
  patterns.set(path, pattern)
  return pattern
}

/** The operation of a call; of several the one with the fewest parameters, as OpenAPI says. */
function operationAt(all: readonly Described[], method: string, path: string) {
  const parameters = (each: Described): number => each.path.split('{').length
  const [found] = all
    .filter((each) => each.method === method.toLowerCase() && patternOf(each.path).test(path))
    .toSorted((a, b) => parameters(a) - parameters(b))
  return found
}

const schemaIn = (body: DescribedBody | undefined, headers: Exchange['request']['headers']) => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return body?.content?.[type.split(';')[0] ?? '']?.schema
}

/** What a description does not say of an exchange, as a sentence; undefined when it says all. */
function misfit({ request, reply }: Exchange, validator: DocumentValidator): string | undefined {
  if (!reply) return undefined
  const { pathname, searchParams } = new URL(request.url)
  const described = operationAt(validator.operations, request.method, decodeURI(pathname))
  const name = `${request.method} ${pathname} ${reply.status}`
  if (!described) return `${name} is not described`
  const { parameters, requestBody, responses } = described
  for (const query of searchParams.keys())
    if (!parameters.some((each) => each.in === 'query' && each.name === query))
      return `${name}: the query parameter ${query} is not described`
  const body = parsedForm(request.body)
  const requestSchema = schemaIn(requestBody, request.headers)
  if (request.body !== undefined && !requestSchema) return `${name}: its body is not described`
  if (requestSchema && reply.status < 400) {
    const problem = validator.bodyProblem(requestSchema, body)
    if (problem !== undefined) return `${name}: the request: ${problem}`
  }
  const response = responses[reply.status]
  if (!response) return `${name}: the status is not described`
  const schema = schemaIn(response, reply.headers)
  if (!schema) return reply.body ? `${name}: the body of the reply is not described` : undefined
  const problem = validator.bodyProblem(schema, parsed(reply.body))
  return problem === undefined ? undefined : `${name}: the reply: ${problem}`
}

/** A body as JSON, or as a form. */
function parsedForm(text: string | undefined): unknown {
  if (text === undefined || text.startsWith('{') || text.startsWith('[')) return parsed(text)
  return Object.fromEntries(new URLSearchParams(text))
}

async function documentsOf(session: Session): Promise<ReadonlyMap<Role, DocumentValidator>> {
  const documents = new Map<Role, DocumentValidator>()
  for (const [role, url] of session.urls) {
    const answer = await session.fetch(new Request(`${url}/openapi.json`))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    documents.set(role, createDocumentValidator((await answer.json()) as OpenApiDocument))
  }
  return documents
}

const open = (options: SessionOptions): Promise<Session> =>
  openSession({ listen: false, clock: 'virtual', automatic: false, ...options })

/** Runs for ten minutes; the operations that were called, and what did not match. */
async function run(session: Session) {
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.advance(600_000)
  const validators = await documentsOf(session)
  const ofProtocol = exchanges.filter(({ operation: id }) => id !== undefined)
  const wrong = ofProtocol.flatMap((exchange) => {
    const validator = validators.get(exchange.to.role)
    const problem = validator ? misfit(exchange, validator) : 'there is no document'
    return problem === undefined ? [] : [problem]
  })
  const seen = new Set(ofProtocol.flatMap(({ operation: id }) => id ?? []))
  return { seen, wrong: wrong.slice(0, 10) }
}

test('over a long run of all four every exchange matches the document of its host', async () => {
  await using session = await open({
    counterparts: {
      'ordering-application': { channel: 'both', orders: { every: 4000, limit: runsFor(12, 120) } },
      crm: { mode: 'hybrid' },
    },
  })
  const { seen, wrong } = await run(session)
  expect(wrong).toEqual([])
  const capabilities = new Set([...seen].map((id) => operation(id).capability))
  expect([...capabilities].toSorted()).toEqual(
    [...new Set(roles.flatMap(operationsHostedBy).map(({ capability }) => capability))].toSorted(),
  )
})

test.each([
  ['V1', { dialect: 'v1' }],
  ['a partner with other paths and errors', { dialect: 'loocal' }],
  ['the public standard, with other bodies', { dialect: 'opendelivery-v2' }],
  [
    'other choices of the conduct',
    {
      conduct: {
        emptyPoll: 200,
        errorBody: 'problem+json',
        customer: { list: 'named', customerShape: 'lists', receipt: 'accepted', notation: 'flow' },
        indoor: { eventAnswer: 202, accountShape: 'summary', paymentBody: 'price' },
        logistics: { receipts: 'delivery', names: 'standard', eventNames: 'status' },
        loyalty: { eventBody: 'flat' },
        merchantList: 'array',
      },
    },
  ],
] as const satisfies readonly (readonly [string, SessionOptions])[])(
  'the documents follow the conduct: %s',
  async (_, options) => {
    await using session = await open({
      ...options,
      counterparts: {
        'ordering-application': { channel: 'both', orders: { every: 4000, limit: 12 } },
        crm: { mode: 'hybrid' },
      },
    })
    const { seen, wrong } = await run(session)
    expect(wrong).toEqual([])
    expect(seen.size).toBeGreaterThan(8)
  },
)

test('a refused call matches its document too, and an unknown path is 404 as before', async () => {
  await using session = await open({})
  const [validator] = [...(await documentsOf(session)).values()]
  const wrong: (string | undefined)[] = []
  const statuses: number[] = []
  session.onExchange((exchange) => {
    statuses.push(exchange.reply?.status ?? 0)
    if (exchange.reply?.status !== 404 && validator) wrong.push(misfit(exchange, validator))
  })
  const base = session.urls.get('ordering-application') ?? ''
  for (const [method, path] of [
    ['GET', '/events:polling'],
    ['POST', '/orders/x/confirm'],
    ['GET', '/oauth/token/openapi.json'],
    ['POST', '/openapi.json'],
  ] as const)
    await session.fetch(new Request(`${base}${path}`, { method }))
  expect(statuses).toEqual([401, 401, 404, 404])
  expect(wrong).toEqual([undefined, undefined])
})
