/** OpenAPI 3.1 document of the operations that one role serves, generated from the operation catalogue. */
import { z } from 'zod'
import { domainScopes, scopeName } from '../protocol/auth/scopes.ts'
import { type CatalogueRow, operationsHostedInDialect } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import { pathsInDialect } from '../protocol/dialects/paths.ts'
import { ErrorBody } from '../protocol/errors.ts'
import { fullRoleName, type Role } from '../protocol/role.ts'

export interface OpenApiOptions {
  readonly protocol: {
    readonly name: string
    readonly scopePrefix: string
    readonly version: string
  }
  /** Base URL of the role, if known. */
  readonly url?: string
  /** Dialect options; those of the protocol documents by default. */
  readonly conduct?: Conduct
}

type Json = Readonly<Record<string, unknown>>

/** JSON Schema for `components/schemas`: without `$schema`, references rebased. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', name: string): Json {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  // References of a recursive schema start at its own root, which is now inside the OpenAPI document.
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
    const asked = row.shown ?? row.request
    if (asked) schemas[requestName(row)] = schemaOf(asked(), 'input', requestName(row))
    if (row.response) schemas[answerName(row)] = schemaOf(row.response(), 'output', answerName(row))
  }
  return schemas
}

function securityOf({ access }: CatalogueRow, prefix: string): readonly Json[] {
  if (access === 'open') return []
  return [{ oauth: access === 'token' ? [] : [scopeName(prefix, access.scope)] }]
}

function operationOf(row: CatalogueRow, prefix: string, path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  return {
    operationId: path.endsWith(row.path) ? row.id : `${row.id}:${path}`,
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

/** The OpenAPI document of a role. */
export function composeOpenApi(role: Role, options: OpenApiOptions): Json {
  const { protocol, url, conduct = Conduct.parse({}) } = options
  const rows = operationsHostedInDialect(role, conduct)
  const paths: Record<string, Record<string, Json>> = {}
  for (const row of rows)
    for (const each of pathsInDialect(row, role, conduct)) {
      const path = each.replace('{protocol}', protocol.name)
      ;(paths[path] ??= {})[row.method.toLowerCase()] = operationOf(row, protocol.scopePrefix, each)
    }
  const scopes = domainScopes.map((scope) => [scopeName(protocol.scopePrefix, scope), scope])
  return {
    openapi: '3.1.0',
    info: { title: fullRoleName[role], version: protocol.version },
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
