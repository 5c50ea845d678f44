/**
 * OpenAPI documents against traffic: in a long run of all four counterparts, every answer and every request body of
 * ours matches the OpenAPI document of its host.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { operationsHostedBy, operation } from '../protocol/catalogue.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { composeOpenApi } from './openapi.ts'
import { runsFor } from '../../test/support/soak.ts'
import { openSession } from '../session/open-session.ts'

interface Content {
  readonly 'application/json': { readonly schema: { readonly $ref: string } }
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}
interface DescribedOperation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const protocol = { name: 'protocol', scopePrefix: 'proto', version: 'v2' }

/** The schemas of one role's document, as validators that are compiled once. */
function validatorsOf(role: Role) {
  const described = composeOpenApi(role, { protocol }) as unknown as Described
  const made = new Map<string, z.ZodType>()
  const operations = new Map(
    Object.values(described.paths)
      .flatMap((methods) => Object.values(methods))
      .map((each) => [each.operationId, each]),
  )
  function schema(content: Content | undefined): z.ZodType | undefined {
    const reference = content?.['application/json'].schema.$ref
    if (reference === undefined) return undefined
    const known = made.get(reference)
    if (known) return known
    const name = reference.split('/').at(-1) ?? ''
    const local = JSON.stringify(described.components.schemas[name])
      .replaceAll(`"#/components/schemas/${name}/`, '"#/')
      .replaceAll(`"#/components/schemas/${name}"`, '"#"')
    const validator = z.fromJSONSchema(JSON.parse(local) as z.core.JSONSchema.JSONSchema)
    made.set(reference, validator)
    return validator
  }
  return {
    request: (id: string) => schema(operations.get(id)?.requestBody?.content),
    reply: (id: string, status: number) => {
      const { responses = {} } = operations.get(id) ?? {}
      const found = responses[String(status)] ?? (status >= 400 ? responses['default'] : undefined)
      return found ? (schema(found.content) ?? 'nothing') : undefined
    },
  }
}

const parsed = (body: string | undefined): unknown =>
  body === undefined || body === '' ? undefined : JSON.parse(body)

/** The violation of an exchange, as a sentence; undefined when it matches. */
function misfit(
  { operation: named, request, reply, to }: Exchange,
  validators: ReadonlyMap<Role, ReturnType<typeof validatorsOf>>,
): string | undefined {
  const id: string = named ?? ''
  const validator = validators.get(to.role)
  if (!reply || !validator) return undefined
  const name = `${to.role} ${id} ${reply.status}`
  const asked = validator.request(id)
  const isJson = request.headers.some(
    ([key, value]) => key.toLowerCase() === 'content-type' && value.includes('json'),
  )
  if (asked && isJson && reply.status < 400) {
    const fits = asked.safeParse(parsed(request.body))
    if (!fits.success) return `${name}: the request: ${z.prettifyError(fits.error)}`
  }
  const answered = validator.reply(id, reply.status)
  if (answered === undefined)
    return [200, 202, 204].includes(reply.status) ? undefined : `${name} is not described`
  if (answered === 'nothing')
    return reply.body === undefined ? undefined : `${name} has a body that is not described`
  if (reply.body === undefined && reply.status === 204) return undefined
  const fits = answered.safeParse(parsed(reply.body))
  return fits.success ? undefined : `${name}: ${z.prettifyError(fits.error)}`
}

test('over a long run of all four every answer matches the OpenAPI document of its host', async () => {
  await using session = await openSession({
    listen: false,
    clock: 'virtual',
    automatic: false,
    counterparts: {
      'ordering-application': { channel: 'both', orders: { every: 4000, limit: runsFor(24, 120) } },
      crm: { mode: 'hybrid' },
    },
  })
  const validators = new Map(roles.map((role) => [role, validatorsOf(role)]))
  const seen = new Set<string>()
  const wrong: string[] = []
  session.onExchange((exchange) => {
    if (exchange.operation !== undefined) seen.add(exchange.operation)
    const problem = misfit(exchange, validators)
    if (problem !== undefined && wrong.length < 10) wrong.push(problem)
  })
  await session.advance(1_800_000)
  expect(wrong).toEqual([])
  const capabilities = new Set([...seen].map((id) => operation(id as never).capability))
  expect([...capabilities].sort()).toEqual(
    [...new Set(roles.flatMap(operationsHostedBy).map(({ capability }) => capability))].sort(),
  )
})
