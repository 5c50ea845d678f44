/** OpenAPI 3.1 document of the operations that one role serves, generated from the operation catalogue and the conduct. */
import { type CatalogueRow, operationsHostedInDialect } from '../../protocol/catalogue.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { pathsInDialect } from '../../protocol/dialects/paths.ts'
import type { Capability } from '../../protocol/operation.ts'
import { fullRoleName, type Role } from '../../protocol/role.ts'
import { bodySchema, isRefusedAsStrict, strictRequirements } from './body-schema.ts'
import { createSchemaComponents, type SchemaComponents } from './components.ts'
import { exampleOf } from './examples.ts'
import { capitalised, type Json, referencesIn } from './json.ts'
import { namedSchemas } from './named-schemas.ts'
import { operationParameters, sharedParameters } from './parameters.ts'
import {
  createErrorResponses,
  type ErrorResponses,
  sharedHeaders,
  successResponses,
} from './responses.ts'
import { securityOf, securitySchemes } from './security.ts'
import { strictTexts } from './strict-schema.ts'

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
  /** The operations to describe, webhooks with their configured path; all that the role has in the dialect by default. */
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
  const { components, errors, conduct, prefix } = context
  const example = exampleOf(row, conduct)
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
  const errors = createErrorResponses(conduct, components)
  const context: Context = { components, errors, conduct, prefix: protocol.scopePrefix }
  const paths: Record<string, Record<string, Json>> = {}
  for (const row of served) {
    const all = pathsInDialect(row, role, conduct)
    for (const each of all) {
      const path = each.replace('{protocol}', protocol.name)
      const written = conduct.colon === 'encoded' ? path.replaceAll(':', '%3A') : path
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
    return `${base}${(row && pathsInDialect(row, role, conduct)[0]) ?? usual}`
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
      parameters: used('parameters', sharedParameters, paths),
      headers: used('headers', sharedHeaders, parts),
      securitySchemes: securitySchemes(protocol.scopePrefix, conduct, {
        tokenUrl: pathOf('issueToken', '/oauth/token'),
        authorizationUrl: pathOf('authorize', '/oauth/authorize'),
      }),
    },
  }
}
