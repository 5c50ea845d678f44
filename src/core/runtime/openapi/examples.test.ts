// @module-tag slow
/** The examples of the documents: recorded, of every operation with a body, and valid in every dialect. */
import { expect, test } from 'vitest'
import { operations } from '../../protocol/catalogue.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { dialects } from '../../protocol/dialects/catalogue.ts'
import { roles } from '../../protocol/role.ts'
import { recordControlExamples } from '../../../../test/support/control-examples.ts'
import {
  operationsWithoutExample,
  recordExamples,
} from '../../../../test/support/openapi-examples.ts'
import {
  createDocumentValidator,
  type OpenApiDocument,
} from '../../../../test/support/openapi-validator.ts'
import controlExamples from '../control/examples.json' with { type: 'json' }
import { composeOpenApi } from './document.ts'
import { exampleOf } from './examples.ts'
import examples from './examples.json' with { type: 'json' }

const protocol = { name: 'protocol', scopePrefix: 'proto', version: 'v2' }

test('the examples are what sessions with a fixed seed say today, as npm run openapi-examples writes them', async () => {
  expect(await recordExamples()).toEqual(examples)
  expect(await recordControlExamples()).toEqual(controlExamples)
})

test('every operation with a body has an example', () => {
  expect(operationsWithoutExample(examples)).toEqual([])
})

test.each(['the protocol', ...dialects.map(({ name }) => name)])(
  'every example fits its schema in every document: %s',
  (name) => {
    const settings = dialects.find((each) => each.name === name)?.conduct ?? {}
    const conduct = Conduct.parse(settings)
    for (const role of roles) {
      const document = composeOpenApi(role, { protocol, conduct }) as unknown as OpenApiDocument
      const { exampleProblems } = createDocumentValidator(document)
      expect(exampleProblems()).toEqual([])
      // Every role issues tokens, in whatever dialect.
      expect(JSON.stringify(document.paths)).toContain('"example":{"access_token"')
    }
  },
)

test.each(roles)('[DIS-GEN-01] the manifest of the example is that of the %s', (role) => {
  const text = JSON.stringify(composeOpenApi(role, { protocol, conduct: Conduct.parse({}) }))
  const others = roles.filter((each) => each !== role)
  expect(text).toContain(`"participantId":"sparring-${role}"`)
  for (const other of others) expect(text).not.toContain(`"participantId":"sparring-${other}"`)
})

test('an example that the dialect would refuse is left out', () => {
  const row = operations.find(({ id }) => id === 'getOrder')
  if (!row) throw new Error('there is no such operation')
  const conduct = Conduct.parse({})
  expect(exampleOf(row, 'ordering-application', conduct).response).toMatchObject({
    items: expect.anything() as unknown,
  })
  const { response: _, ...withoutBody } = row
  expect(exampleOf(withoutBody, 'ordering-application', conduct).response).toBeUndefined()
})
