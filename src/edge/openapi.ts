/**
 * The protocol as OpenAPI 3.1, for what one role serves: made from the operation catalogue, so that it says what the
 * server does and nothing else.
 */
import { z } from 'zod'
import { domainScopes, scopeName } from '../protocol/auth/scopes.ts'
import { type CatalogueRow, hostedBy } from '../protocol/catalogue.ts'
import { ErrorBody } from '../protocol/errors.ts'
import { fullName, type Role } from '../protocol/role.ts'

export interface OpenApiOptions {
  readonly protocol: {
    readonly name: string
    readonly scopePrefix: string
    readonly version: string
  }
  /** Where the role answers, when it is known. */
  readonly url?: string
}

type Json = Readonly<Record<string, unknown>>

/** JSON Schema as it stands under `components`: without the marks that belong to a document of its own. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', name: string): Json {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // A schema that contains itself points at its own parts from the root of its document, which is elsewhere now.
  const moved = JSON.stringify(whole).replaceAll('"#/', `"#/components/schemas/${name}/`)
  return JSON.parse(moved.replaceAll('"#"', `"#/components/schemas/${name}"`)) as Json
}

const upper = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const json = (name: string): Json => ({
  content: { 'application/json': { schema: reference(name) } },
})

const requestName = ({ id }: CatalogueRow): string => `${upper(id)}Request`
const answerName = ({ id }: CatalogueRow): string => `${upper(id)}Answer`

function schemasOf(rows: readonly CatalogueRow[]): Json {
  const schemas: Record<string, Json> = { Error: schemaOf(ErrorBody, 'output', 'Error') }
  for (const row of rows) {
    if (row.request) schemas[requestName(row)] = schemaOf(row.request, 'input', requestName(row))
    if (row.response) schemas[answerName(row)] = schemaOf(row.response, 'output', answerName(row))
  }
  return schemas
}

function securityOf({ access }: CatalogueRow, prefix: string): readonly Json[] {
  if (access === 'open') return []
  return [{ oauth: access === 'token' ? [] : [scopeName(prefix, access.scope)] }]
}

function operationOf(row: CatalogueRow, prefix: string): Json {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  return {
    operationId: row.id,
    tags: [row.capability],
    description: row.clauses.join(', '),
    parameters: names
      .filter((name) => name !== 'protocol')
      .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(row.request ? { requestBody: json(requestName(row)) } : {}),
    responses: {
      [row.success]: { description: 'done', ...(row.response ? json(answerName(row)) : {}) },
      default: { description: 'an error', ...json('Error') },
    },
    security: securityOf(row, prefix),
  }
}

/** What a role serves. */
export function openApiOf(role: Role, { protocol, url }: OpenApiOptions): Json {
  const rows = hostedBy(role)
  const paths: Record<string, Record<string, Json>> = {}
  for (const row of rows) {
    const path = row.path.replace('{protocol}', protocol.name)
    ;(paths[path] ??= {})[row.method.toLowerCase()] = operationOf(row, protocol.scopePrefix)
  }
  const scopes = domainScopes.map((scope) => [scopeName(protocol.scopePrefix, scope), scope])
  return {
    openapi: '3.1.0',
    info: { title: fullName[role], version: protocol.version },
    ...(url === undefined ? {} : { servers: [{ url }] }),
    paths,
    components: {
      schemas: schemasOf(rows),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: '/oauth/token',
              scopes: Object.fromEntries(scopes) as Json,
            },
          },
        },
      },
    },
  }
}
