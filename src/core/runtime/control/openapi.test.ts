/** The document of the control API against its answers. */
import { expect, test } from 'vitest'
import { answeredRoutes } from '../../../../test/support/control-examples.ts'
import {
  createDocumentValidator,
  type OpenApiDocument,
} from '../../../../test/support/openapi-validator.ts'
import { describeRoutes } from './openapi.ts'
import { controlRoutes } from './routes.ts'

const document = describeRoutes(controlRoutes, {
  version: '1.0.0',
  url: 'http://127.0.0.1:7100',
}) as unknown as OpenApiDocument & { readonly servers: unknown }

test('answers of a session and examples have the fields that the document names, and no others', async () => {
  const validator = createDocumentValidator(document, { isClosed: true })
  const answered = await answeredRoutes()
  const wrong = answered.flatMap(({ route, status, request, response }) => {
    const described = validator.operations.find(({ operationId }) => operationId === route.id)
    const name = `${route.id} ${status}`
    const { requestBody, responses = {} } = described ?? {}
    const asked = requestBody?.content?.['application/json']?.schema
    const answer = responses[status]
    const schema = answer?.content?.['application/json']?.schema
    if (!answer) return [`${name} is not described`]
    if (response !== undefined && !schema) return [`the body of ${name} is not described`]
    return [
      asked && validator.bodyProblem(asked, request),
      schema && validator.bodyProblem(schema, response),
    ].flatMap((problem) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  })
  expect(wrong).toEqual([])
  expect(validator.exampleProblems()).toEqual([])
  const untold = controlRoutes.filter(({ id }) => !answered.some(({ route }) => route.id === id))
  expect(untold.map(({ id }) => id)).toEqual([
    'streamChanges',
    'followPosition',
    'stopSession',
    'getMetrics',
    'getOpenApi',
  ])
})

test('ids are unique, refusals are listed by status, the open route needs no token', () => {
  const ids = controlRoutes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:7100' }])
  const statuses = (path: string, method: string): readonly string[] =>
    Object.keys(document.paths[path]?.[method]?.responses ?? {})
  expect(statuses('/orders', 'post')).toEqual('201 400 401 403 404 409 413 421 422 500'.split(' '))
  expect(statuses('/agenda/step', 'post').slice(0, 2)).toEqual(['200', '204'])
  expect(statuses('/stream', 'get')).toContain('503')
  expect(document.paths['/health']?.['get']).toMatchObject({ security: [] })
})
