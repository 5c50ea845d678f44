/**
 * The document of a host that takes bodies strictly: it allows the requests that meet all partner requirements, and none
 * that misses one which a schema can say. The one of a lenient host allows both.
 */
import { expect, test } from 'vitest'
import {
  createDocumentValidator,
  type OpenApiDocument,
} from '../../../../test/support/openapi-validator.ts'
import { breakingRequest, meetingRequests } from '../../../../test/support/required-requests.ts'
import { type OperationId, operation } from '../../protocol/catalogue.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { dialect } from '../../protocol/dialects/catalogue.ts'
import { partnerRequirements } from '../../protocol/partner-requirements/catalogue.ts'
import type { Operation } from '../../protocol/operation.ts'
import { composeOpenApi } from './document.ts'

const protocol = { name: 'open-orders', scopePrefix: 'oo', version: 'v2' }
type Bodies = Conduct['bodies']

const known = new Map<string, ReturnType<typeof createDocumentValidator>>()

/** The document of the role that has the operation, in the version that has it. */
function documentWith(id: OperationId, bodies: Bodies) {
  const row: Operation = operation(id)
  const [role = 'crm'] = row.hosts
  const isV1 = id.endsWith('V1')
  const key = `${role} ${isV1} ${bodies}`
  const before = known.get(key)
  if (before) return before
  const conduct = Conduct.parse({ ...(isV1 ? dialect('v1').conduct : {}), bodies })
  const document = composeOpenApi(role, { protocol, conduct }) as unknown as OpenApiDocument
  const made = createDocumentValidator(document)
  known.set(key, made)
  return made
}

function describedIn(id: OperationId, bodies: Bodies) {
  const found = documentWith(id, bodies).operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}

function problemOf(id: OperationId, bodies: Bodies, body: unknown): string | undefined {
  const { requestBody } = describedIn(id, bodies)
  const schema = requestBody?.content?.['application/json']?.schema
  return schema && documentWith(id, bodies).bodyProblem(schema, body)
}

const rows = partnerRequirements.flatMap((requirement) =>
  requirement.operations.map((id) => ({
    id,
    requirement,
    name: `${id} ${requirement.of ?? 'body'} ${requirement.at} ${requirement.when?.says ?? ''}`,
  })),
)
const ids = [...new Set(rows.map(({ id }) => id))]

test.each(ids)('a request of %s that meets all requirements is allowed', (id) => {
  for (const { body } of meetingRequests(id))
    for (const bodies of ['lenient', 'strict'] as const)
      expect(body === undefined ? undefined : problemOf(id, bodies, body)).toBeUndefined()
})

const said = rows.filter(({ requirement: { of, when } }) => !of && (!when || when.isOfConduct))

test.each(said)('what misses $name is not allowed where it is refused', ({ id, requirement }) => {
  const { body: sent } = breakingRequest(id, requirement) ?? {}
  expect(sent).toBeDefined()
  // A record that stands alone: in wrappers it may be a record of unknown fields as well.
  const isRecord = requirement.within?.members.includes('items')
  const body = isRecord ? requirement.within?.of(sent)[0]?.value : sent
  // A type that every document says is no question of strictness.
  if (!requirement.optional) expect(problemOf(id, 'lenient', body)).toBeUndefined()
  expect(problemOf(id, 'strict', body)).toMatch(/must|required/)
})

const told = rows.filter(
  ({ requirement: { of, when } }) => of === 'order' || (!of && when && !when.isOfConduct),
)

test.each(told)('$name is told in the text of the operation', ({ id, requirement }) => {
  const texts = (['lenient', 'strict'] as const).map(
    (bodies) => describedIn(id, bodies).description,
  )
  expect(texts[0]).not.toContain(requirement.expects.says)
  expect(texts[1]).toContain(`${requirement.at}${requirement.of ? ' of the order' : ''} is `)
  expect(texts[1]).toContain(requirement.expects.says)
  if (requirement.when) expect(texts[1]).toContain(requirement.when.says)
})

test('words of a query are a list where others are refused', () => {
  const channel = (bodies: Bodies): unknown =>
    describedIn('listOrders', bodies).parameters.find(({ name }) => name === 'originChannel')
      ?.schema
  expect(channel('lenient')).not.toHaveProperty('enum')
  expect(channel('strict')).toMatchObject({ enum: expect.arrayContaining(['own_app']) as unknown })
})

test('a body that may be empty otherwise is required, and orders that are not delivered have their refusal', () => {
  const isRequired = (bodies: Bodies): unknown =>
    describedIn('requestCancellation', bodies).requestBody?.required
  expect([isRequired('lenient'), isRequired('strict')]).toEqual([false, true])
  const statuses = (bodies: Bodies): readonly string[] =>
    Object.keys(describedIn('sendOrderTracking', bodies).responses)
  expect(statuses('lenient')).not.toContain('422')
  expect(statuses('strict')).toContain('422')
})
