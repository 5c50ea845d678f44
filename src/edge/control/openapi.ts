/** Generates the OpenAPI document of the control API from its routes and their schemas. */
import { z } from 'zod'
import type { ControlRoute } from './route.ts'

type Json = Readonly<Record<string, unknown>>

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): readonly Json[] {
  if (!schema) return []
  const { properties, required } = schemaOf(schema) as {
    properties?: Json
    required?: readonly string[]
  }
  return Object.entries(properties ?? {}).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || (required?.includes(name) ?? false),
    schema: each,
  }))
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
}

function operationOf(route: ControlRoute): Json {
  const { status, what, type = 'application/json' } = route.success
  return {
    summary: route.summary,
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body ? { requestBody: json(schemaOf(route.body)) } : {}),
    responses: {
      [status]:
        status === 204
          ? { description: what }
          : { description: what, content: { [type]: { schema: {} } } },
      default: { description: 'what went wrong', ...json(errorSchema) },
    },
    ...(route.open ? { security: [] } : {}),
  }
}

/** OpenAPI 3.1 of these routes. */
export function describeRoutes(routes: readonly ControlRoute[], version: string): Json {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  return {
    openapi: '3.1.0',
    info: { title: 'Sparring control API', version },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{}, { token: [] }],
  }
}
