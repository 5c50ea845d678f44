/** Generates the OpenAPI document of the control API from its routes and their schemas. */
import { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { type ErrorCode, protocolErrors } from '../../protocol/errors.ts'
import { withKnownValues } from '../../protocol/known-values.ts'
import type { OperationExample } from '../openapi/examples.ts'
import { createSchemaComponents, type SchemaComponents } from '../openapi/components.ts'
import { capitalised, type Json, pascalCase, referencesIn, referenceTo } from '../openapi/json.ts'
import { namedSchemas } from '../openapi/named-schemas.ts'
import { parametersOf } from '../openapi/parameters.ts'
import recorded from './examples.json' with { type: 'json' }
import type { ControlRoute } from './route.ts'
import { controlSchemas } from './schemas.ts'

/** By the id of the route: bodies of a session with a fixed seed, which `npm run openapi-examples` writes. */
const examples: Readonly<Record<string, OperationExample>> = recorded

/** The codes that a route may be refused with, by status. */
function refusalsOf({
  open,
  params,
  body,
  refuses = [],
}: ControlRoute): ReadonlyMap<number, ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>()
  for (const code of new Set<ErrorCode>([
    // A query with an unknown parameter is refused on every route but the open one.
    ...(open ? [] : ['INVALID_PAYLOAD' as const, 'UNAUTHORIZED' as const]),
    'FORBIDDEN',
    ...(params ? ['NOT_FOUND' as const] : []),
    ...(body ? ['PAYLOAD_TOO_LARGE' as const] : []),
    'INTERNAL_ERROR',
    ...refuses,
  ])) {
    const { status } = protocolErrors[code]
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  // A request that names another host (RFC 9110, 7.4).
  return new Map([...codes, [421, ['FORBIDDEN'] satisfies ErrorCode[]] as const])
}

const ErrorAnswer = z.object({
  error: z.object({
    code: withKnownValues(z.string(), Object.keys(protocolErrors)),
    message: z.string(),
  }),
})

/** An error response, shared by all routes; its codes are shown by examples. */
const errorResponse = (codes: readonly ErrorCode[], schema: Json): Json => ({
  description: codes.map((code) => `${capitalised(protocolErrors[code].means)}.`).join(' '),
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          { value: { error: { code, message: protocolErrors[code].means } } },
        ]),
      ),
    },
  },
})

function successOf({ id, success }: ControlRoute, { refer }: SchemaComponents): Json {
  const { status, what, type = 'application/json', response, empty } = success
  const schema = response && refer(response, `${capitalised(id)}Response`)
  const content = {
    [type]: {
      schema: schema ?? { type: 'string' },
      ...compact({ example: examples[id]?.response }),
    },
  }
  return {
    [status]: {
      description: `${capitalised(what)}.`,
      ...(status === 204 ? {} : { content }),
    },
    ...(empty === undefined ? {} : { 204: { description: `${capitalised(empty)}.` } }),
  }
}

function operationOf(
  route: ControlRoute,
  components: SchemaComponents,
  errorName: (status: number, codes: readonly ErrorCode[]) => string,
): Json {
  const { id, summary, params, query, body, open } = route
  const errors = [...refusalsOf(route)].map(
    ([status, codes]) =>
      [String(status), referenceTo('responses', errorName(status, codes))] as const,
  )
  return {
    operationId: id,
    summary,
    parameters: [
      ...parametersOf(params, 'path', components),
      ...parametersOf(query, 'query', components),
    ],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse({}).success,
            content: {
              'application/json': {
                schema: components.refer(body, `${capitalised(id)}Request`),
                ...compact({ example: examples[id]?.request }),
              },
            },
          },
        }
      : {}),
    responses: { ...successOf(route, components), ...Object.fromEntries(errors) },
    ...(open ? { security: [] } : {}),
  }
}

interface ControlDescription {
  readonly version: string
  /** The URL of the control API, if known. */
  readonly url?: string
}

const serversOf = (url: string | undefined): readonly Json[] =>
  url === undefined
    ? [
        {
          url: '{control}',
          variables: {
            control: { default: 'http://127.0.0.1:7100', description: 'URL of the control API.' },
          },
        },
      ]
    : [{ url }]

/** OpenAPI 3.1 of these routes. */
export function describeRoutes(
  routes: readonly ControlRoute[],
  { version, url }: ControlDescription,
): Json {
  const components = createSchemaComponents({ ...namedSchemas, ...controlSchemas })
  const schema = components.refer(ErrorAnswer, 'Error')
  const responses: Record<string, Json> = {}
  const errorName = (status: number, codes: readonly ErrorCode[]): string => {
    const name = `${codes.map(pascalCase).join('Or')}${status === 421 ? 'Elsewhere' : ''}`
    responses[name] ??= errorResponse(codes, schema)
    return name
  }
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(
      route,
      components,
      errorName,
    )
  const used = new Set(referencesIn(paths))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sparring control API',
      version,
      description: 'Watches and steers a running session.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(url),
    paths,
    components: {
      schemas: components.usedBy([paths, responses]),
      responses: Object.fromEntries(
        Object.entries(responses).filter(([name]) => used.has(`#/components/responses/${name}`)),
      ),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that the session prints; on the loopback address none is needed.',
        },
      },
    },
    security: [{}, { token: [] }],
  }
}
