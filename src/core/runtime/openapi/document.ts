/**
 * OpenAPI 3.1 document of the operations that one role serves, generated from the operation catalogue and the conduct.
 */
import { type CatalogueRow, operationsHostedInDialect } from '../../protocol/catalogue.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { pathsInDialect, urlInDialect, writtenPath } from '../../protocol/dialects/paths.ts'
import type { Capability, Operation } from '../../protocol/operation.ts'
import { fullRoleName, type Role } from '../../protocol/role.ts'
import { signatureFormOf, signatureMaking, webhookAccessOf } from '../../protocol/signature.ts'
import { bodySchema, isRefusedAsStrict, strictRequirements } from './body-schema.ts'
import { createSchemaComponents, type SchemaComponents } from './components.ts'
import { exampleOf } from './examples.ts'
import { capitalised, type Json, pascalCase, referencesIn, referenceTo } from './json.ts'
import { namedSchemas } from './named-schemas.ts'
import { operationParameters, sharedParametersIn } from './parameters.ts'
import { strictTexts } from './strict-schema.ts'
import { allScopeNames, scopeName } from '../../protocol/auth/scopes.ts'
import { compact } from '../../base/compact.ts'
import { refusalsOf, successAnswersOf } from '../../protocol/answers.ts'
import {
  errorBodySchemas,
  errorShapeOf,
  type ErrorShape,
  type ErrorCode,
  errorMediaType,
  formatErrorBody,
  protocolErrors,
} from '../../protocol/errors.ts'

/**
 * Responses of an operation in an OpenAPI document: its successes, and its refusals with the error body of the dialect.
 */
const string = { type: 'string' } as const
const integer = { type: 'integer' } as const

/** Headers of many answers, by the name of the component. */
const sharedHeaders = {
  RequestId: { description: 'The X-Request-Id of the request, where it has one.', schema: string },
  Challenge: { description: '`Bearer`, where a token is missing.', schema: string },
  RetryAfter: { description: 'Seconds until the next request is taken.', schema: integer },
  RateLimit: { description: 'Requests that are taken in the period.', schema: integer },
  RateRemaining: { description: 'Requests that are left of it.', schema: integer },
  RateReset: { description: 'Seconds until the period ends.', schema: integer },
} as const satisfies Readonly<Record<string, Json>>

const header = (name: keyof typeof sharedHeaders): Json => referenceTo('headers', name)

/** The headers of every answer. */
const everyAnswer = ({ requestIds }: Conduct): Json =>
  requestIds ? { 'X-Request-Id': header('RequestId') } : {}

const headersOfStatus: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('Challenge') },
  429: {
    'Retry-After': header('RetryAfter'),
    'X-RateLimit-Limit': header('RateLimit'),
    'X-RateLimit-Remaining': header('RateRemaining'),
    'X-RateLimit-Reset': header('RateReset'),
  },
}

/** The media type of error bodies, without its parameters. */
const mediaTypeOf = (shape: ErrorShape): string =>
  errorMediaType(shape).split(';')[0] ?? 'application/json'

/** The name of a code in the dialect. */
const nameOf = (code: ErrorCode, { errorCodes }: Conduct): string => errorCodes[code] ?? code

const meaningOf = (code: ErrorCode): string => `${capitalised(protocolErrors[code].means)}.`

/** The shape of a host’s errors. */
interface ErrorForm {
  readonly schema: Json
  readonly shape: ErrorShape
  readonly conduct: Conduct
}

/** An error response: what its codes mean, and the body that each of them has. */
function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  { schema, shape, conduct }: ErrorForm,
): Json {
  const examples = codes.map((code) => {
    const { means, retryable } = protocolErrors[code]
    const named = nameOf(code, conduct)
    const parts = { code: named, message: means, retryable, status }
    return [code, { summary: named, value: formatErrorBody(shape, parts) }] as const
  })
  return {
    description: codes.map(meaningOf).join(' '),
    headers: { ...everyAnswer(conduct), ...headersOfStatus[status] },
    content: {
      [mediaTypeOf(shape)]: {
        schema,
        examples: Object.fromEntries(examples),
      },
    },
  }
}

interface ErrorResponses {
  /** The responses of an operation, by status. */
  readonly of: (row: Operation) => Json
  /** The responses that several operations share, by the name of the component. */
  readonly shared: () => Json
}

/** Error responses; one with a single code is a component. */
function createErrorResponses(
  conduct: Conduct,
  role: Role,
  { refer }: SchemaComponents,
): ErrorResponses {
  const shape = errorShapeOf(conduct, role)
  const known = Object.keys(protocolErrors) as ErrorCode[]
  const names = [...new Set(known.map((code) => nameOf(code, conduct)))]
  const schema = refer(errorBodySchemas[shape](names), 'Error')
  const form = { schema, shape, conduct }
  const shared: Record<string, Json> = {}
  function responseFor(status: number, codes: readonly ErrorCode[]): Json {
    const [only] = codes
    if (only === undefined || codes.length > 1) return errorResponse(status, codes, form)
    // A code may have several statuses.
    const isUsual = protocolErrors[only].status === status
    const name = `${pascalCase(only)}${isUsual ? '' : status}`
    shared[name] ??= errorResponse(status, codes, form)
    return referenceTo('responses', name)
  }
  return {
    of: (row) =>
      Object.fromEntries(
        [...refusalsOf(row, conduct)].map(([status, refusals]) => [
          String(status),
          responseFor(status, refusals),
        ]),
      ),
    shared: () => shared,
  }
}

const successTexts = {
  200: 'Success, with the result.',
  201: 'Created.',
  202: 'Accepted: the effect may come later.',
  204: 'Success, without a body.',
  302: 'A redirect.',
} as const

/** The success responses of an operation, by status. */
function successResponses(
  row: Operation,
  conduct: Conduct,
  components: SchemaComponents,
  example: unknown,
): Json {
  const headers = {
    ...everyAnswer(conduct),
    ...Object.fromEntries(
      Object.entries(row.replyHeaders ?? {}).map(([name, says]) => [
        name,
        { description: `${capitalised(says)}.`, schema: string },
      ]),
    ),
  }
  return Object.fromEntries(
    successAnswersOf(row, conduct).map(({ status, response }) => {
      const schema =
        response &&
        bodySchema({ schema: response(), operation: row.id, part: 'reply' }, conduct, components)
      const content = schema && {
        'application/json': { schema, ...compact({ example }) },
      }
      return [
        String(status),
        { description: successTexts[status], headers, ...compact({ content }) },
      ]
    }),
  )
}

// Security schemes of an OpenAPI document, and which of them an operation takes.

/**
 * The alternatives of an operation: of the scopes one suffices; a bearer token is one that was issued with such a
 * scope.
 */
function securityOf(
  { access, webhook }: Operation,
  prefix: string,
  conduct: Pick<Conduct, 'strict' | 'webhookAccess' | 'signature'>,
): readonly Json[] {
  if (access === 'open') return []
  const { strict } = conduct
  if (webhook && webhookAccessOf(conduct) === 'signature') return [{ signature: [] }]
  if (access === 'token') return [{ oauth: [] }, { bearer: [] }]
  const { scope, fine } = access
  const scopes = [
    ...(fine === undefined ? [] : [fine]),
    ...(fine !== undefined && strict ? [] : [scopeName(prefix, scope), scopeName(prefix, 'all')]),
  ]
  return [...scopes.map((name) => ({ oauth: [name] })), { bearer: [] }]
}

const scopeText = (name: string, prefix: string): string =>
  name === scopeName(prefix, 'all')
    ? 'Everything.'
    : name.startsWith(`${prefix}.`)
      ? `Everything of ${name.slice(prefix.length + 1)}.`
      : `The operations of ${name}.`

/** The schemes; `tokenUrl` and `authorizationUrl` are whole URLs. */
function securitySchemes(
  prefix: string,
  conduct: Pick<Conduct, 'grantTypes' | 'webhookAccess' | 'signature'>,
  urls: { readonly tokenUrl: string; readonly authorizationUrl: string },
): Json {
  const { grantTypes } = conduct
  const form = signatureFormOf(conduct)
  const scopes = Object.fromEntries(
    allScopeNames(prefix).map((name) => [name, scopeText(name, prefix)]),
  )
  const { tokenUrl, authorizationUrl } = urls
  return {
    oauth: {
      type: 'oauth2',
      description: 'Access tokens of the token endpoint, by client credentials.',
      flows: {
        clientCredentials: { tokenUrl, scopes },
        ...(grantTypes.includes('authorization_code')
          ? { authorizationCode: { authorizationUrl, tokenUrl, scopes } }
          : {}),
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token in the Authorization header: `Bearer <token>`.',
    },
    ...(form && webhookAccessOf(conduct) === 'signature'
      ? {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: form.header,
            description: `${signatureMaking(form, 'the client secret of the receiver')}.`,
          },
        }
      : {}),
  }
}

export interface OpenApiOptions {
  readonly protocol: {
    readonly name: string
    readonly scopePrefix: string
    readonly version: string
  }
  /** Base URL of the role, if known. */
  readonly url?: string
  /** Where the role usually is, if its URL is not known. */
  readonly defaultUrl?: string
  /** Dialect options; those of the protocol documents by default. */
  readonly conduct?: Conduct
  /**
   * The operations to describe, webhooks with their configured path; all that the role has in the dialect by default.
   */
  readonly served?: readonly CatalogueRow[]
}

const capabilityTexts: Readonly<Record<Capability, string>> = {
  orders: 'Orders: events, and the way from confirmation to delivery.',
  indoor: 'Indoor: accounts of tables, their payments and fiscal documents.',
  logistics: 'Logistics: availability, deliveries and their tracking.',
  customer: 'Customer: customers, leads, orders in their context, reviews and loyalty.',
  discovery: 'Discovery: the manifest of a participant.',
  auth: 'Authentication: tokens, and the merchants that they stand for.',
}

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The words of a path, as a part of a name. */
const pathWords = (path: string): string =>
  path
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('')

/**
 * The id of an operation at a further path: by the parameter that only this path has, or by its whole path. The first path
 * has the id of the operation.
 */
function operationIdAt(id: string, path: string, first: string): string {
  if (path === first) return id
  const own = parameterNames(path).filter((name) => !parameterNames(first).includes(name))
  return `${id}${own.length > 0 ? `By${own.map(capitalised).join('And')}` : `At${pathWords(path)}`}`
}

interface Context {
  readonly components: SchemaComponents
  readonly errors: ErrorResponses
  readonly conduct: Conduct
  readonly prefix: string
  readonly role: Role
}

function requestBodyOf(
  { request, shown, form, id }: CatalogueRow,
  conduct: Conduct,
  components: SchemaComponents,
  example: unknown,
): Json {
  const asked = shown ?? request
  if (!request || !asked) return {}
  const content = {
    schema: bodySchema({ schema: asked(), operation: id, part: 'request' }, conduct, components),
    ...(example === undefined ? {} : { example }),
  }
  const isRefused = (body: unknown): boolean =>
    !request().safeParse(body).success || isRefusedAsStrict(id, body, conduct)
  return {
    requestBody: {
      // A missing body is read as an empty object.
      required: isRefused({}),
      content: {
        ...(form ? { 'application/x-www-form-urlencoded': content } : {}),
        'application/json': content,
      },
    },
  }
}

function operationOf(row: CatalogueRow, path: string, operationId: string, context: Context): Json {
  const { components, errors, conduct, prefix, role } = context
  const example = exampleOf(row, role, conduct)
  return {
    operationId,
    tags: [row.capability],
    summary: row.summary,
    description: [
      `Clauses: ${row.clauses.join(', ')}.`,
      ...strictTexts(strictRequirements(row.id, conduct)),
    ].join(' '),
    parameters: operationParameters(row, path, components, conduct),
    ...requestBodyOf(row, conduct, components, example.request),
    responses: {
      ...successResponses(row, conduct, components, example.response),
      ...errors.of(row),
    },
    security: securityOf(row, prefix, conduct),
  }
}

/** The known address, or one that the reader fills in. */
const serversOf = (url: string | undefined, defaultUrl: string): readonly Json[] =>
  url === undefined
    ? [
        {
          url: '{baseUrl}',
          variables: { baseUrl: { default: defaultUrl, description: 'Base URL of the role.' } },
        },
      ]
    : [{ url: withoutSlash(url) }]

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Of the components those that a document refers to. */
const used = (section: string, all: Json, parts: unknown): Json => {
  const references = new Set(referencesIn(parts))
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => references.has(`#/components/${section}/${name}`)),
  )
}

/** The OpenAPI document of a role. */
export function composeOpenApi(role: Role, options: OpenApiOptions): Json {
  const {
    protocol,
    url,
    defaultUrl = 'http://127.0.0.1:7101',
    conduct = Conduct.parse({}),
  } = options
  const { served = operationsHostedInDialect(role, conduct) } = options
  const components = createSchemaComponents(namedSchemas)
  const errors = createErrorResponses(conduct, role, components)
  const context: Context = { components, errors, conduct, prefix: protocol.scopePrefix, role }
  const paths: Record<string, Record<string, Json>> = {}
  for (const row of served) {
    const all = pathsInDialect(row, role, conduct)
    for (const each of all) {
      const path = each.replace('{protocol}', protocol.name)
      const written = writtenPath(path, conduct)
      // As in the routes, of two operations with one path the first counts.
      const operationId = operationIdAt(row.id, each, all[0] ?? each)
      const methods = (paths[written] ??= {})
      methods[row.method.toLowerCase()] ??= operationOf(row, path, operationId, context)
    }
  }
  const responses = errors.shared()
  const parts = [paths, responses]
  const base = withoutSlash(url ?? defaultUrl)
  const pathOf = (id: 'issueToken' | 'authorize', usual: string): string => {
    const row = served.find((each) => each.id === id)
    return row ? urlInDialect(row, { role, base }, conduct) : `${base}${usual}`
  }
  const tags = [...new Set(served.map(({ capability }) => capability))]
  return {
    openapi: '3.1.0',
    info: {
      title: fullRoleName[role],
      version: protocol.version,
      description: `The operations that the ${fullRoleName[role]} of this session serves. Each names the clauses of the protocol that it follows.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(url, defaultUrl),
    tags: tags.map((name) => ({ name, description: capabilityTexts[name] })),
    paths,
    components: {
      schemas: components.usedBy(parts),
      responses: used('responses', responses, paths),
      parameters: used('parameters', sharedParametersIn(conduct), paths),
      headers: used('headers', sharedHeaders, parts),
      securitySchemes: securitySchemes(protocol.scopePrefix, conduct, {
        tokenUrl: pathOf('issueToken', '/oauth/token'),
        authorizationUrl: pathOf('authorize', '/oauth/authorize'),
      }),
    },
  }
}
