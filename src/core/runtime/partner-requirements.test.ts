// @module-tag slow
/**
 * Every partner requirement through the wire, both ways: a request that does not meet it is taken with advice by default,
 * and refused with its field named where `conduct.bodies` is strict; one that meets all is neither.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operation, type OperationId } from '../protocol/catalogue.ts'
import { partnerRequirements } from '../protocol/partner-requirements/catalogue.ts'
import type { PartnerRequirement } from '../protocol/partner-requirements/requirement.ts'
import type { TrafficRow } from '../session-api/session-api.ts'
import { openSession } from '../session/open-session.ts'
import type { SessionOptions } from '../session/options.ts'
import { requestPlans } from '../../../test/support/request-plans.ts'
import {
  type BodiesConduct,
  openStage,
  type Stage,
  stageNames,
} from '../../../test/support/request-stages.ts'
import {
  breakingRequest,
  meetingRequests,
  type SentRequest,
  sendRequired,
} from '../../../test/support/required-requests.ts'

interface Row {
  readonly id: OperationId
  readonly name: string
  readonly requirement: PartnerRequirement
}

const rows: readonly Row[] = partnerRequirements.flatMap((requirement) =>
  requirement.operations.map((id) => ({
    id,
    name: `${id} ${requirement.of ?? 'body'} ${requirement.at}`,
    requirement,
  })),
)

test('every operation with requirements has a request that meets them', () => {
  const planned = Object.keys(requestPlans)
  expect([...new Set(rows.map(({ id }) => id))].toSorted()).toEqual(planned.toSorted())
})

test('names of fields are unique within an operation, so that a refusal names one', () => {
  const names = rows.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  expect(twice).toEqual([])
})

describe.each(stageNames)('%s', (name) => {
  const stages = new Map<BodiesConduct, Stage>()
  const here = rows.filter(({ id }) => requestPlans[id]?.stage === name)
  const ids = [...new Set(here.map(({ id }) => id))]

  beforeAll(async () => {
    for (const bodies of ['lenient', 'strict'] as const)
      stages.set(bodies, await openStage(name, bodies))
  })
  afterAll(async () => {
    for (const stage of stages.values()) await stage[Symbol.asyncDispose]()
  })

  async function made(bodies: BodiesConduct, id: OperationId, request: SentRequest) {
    const stage = stages.get(bodies)!
    const { status, json, message } = await sendRequired(stage, id, request)
    const { title = '' } = (json ?? {}) as { readonly title?: string }
    const { traffic } = await stage.session.look({ traffic: { limit: 1000 } })
    const last = traffic.findLast((each: TrafficRow) => each.operation === id)
    return { status, message: message ?? title, reason: last?.reason ?? '', advice: last?.advice }
  }

  test.each(ids)('%s that meets all is taken, without advice', async (id) => {
    for (const request of meetingRequests(id))
      for (const bodies of ['lenient', 'strict'] as const) {
        const { status, message, advice } = await made(bodies, id, request)
        expect({ request, status, message }).toMatchObject({ status: operation(id).success })
        expect(advice).toBeUndefined()
      }
  })

  test.each(here)('$name', async ({ id, requirement }) => {
    const request = breakingRequest(id, requirement)!
    expect(request).toBeDefined()
    const { says } = requirement.expects
    const field = requirement.at.replaceAll('*', '0')

    const taken = await made('lenient', id, request)
    expect(taken).toMatchObject({ status: operation(id).success })
    expect(taken.advice).toContain('every partner refuses this: ')
    expect(taken.advice).toContain(`${field}: expected ${says}, received `)
    for (const clause of requirement.clauses) expect(taken.advice).toContain(clause)

    const refused = await made('strict', id, request)
    expect(refused).toMatchObject({ status: requirement.of === 'order' ? 422 : 400 })
    expect(refused.message).toContain(`${field}: expected ${says}, received `)
    expect(refused.reason).toContain('every partner refuses this: ')
    expect(refused.reason).toContain('conduct.bodies: lenient takes it')
    expect(refused.advice).toBeUndefined()
  })
})

/** Operations that our own roles call of their own accord. */
const oursInV1: readonly OperationId[] = [
  'issueToken',
  'acknowledgeEventsV1',
  'dispatchOrderV1',
  'receiveOrderEventV1',
]
const ours: readonly OperationId[] = [
  'issueToken',
  'acknowledgeEvents',
  'confirmOrder',
  'requestCancellation',
  'receiveOrderEvent',
  'createPayment',
  'receiveAccountEvent',
  'checkDeliveryAvailability',
  'createDelivery',
  'receiveDeliveryEvent',
  'receiveCustomerEvent',
  'receiveLoyaltyEvent',
]

/** The requests between our own roles that were refused, with the answer. */
async function refusedOfOurs(options: SessionOptions): Promise<readonly string[]> {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    counterparts: {
      'ordering-application': {
        channel: 'both',
        behaviour: 'hostile',
        orders: { every: 4000, limit: 15 },
      },
      'software-service': { behaviour: 'hostile' },
      'delivery-platform': { behaviour: 'hostile' },
      crm: { behaviour: 'hostile', mode: 'hybrid' },
    },
    ...options,
    conduct: { bodies: 'strict', ...options.conduct },
  })
  await session.advance(90_000)
  const { traffic } = await session.look({ traffic: { limit: 5000 } })
  const made = new Set(traffic.map(({ operation: id }) => id))
  expect([...made]).toEqual(
    expect.arrayContaining([...(options.dialect === 'v1' ? oursInV1 : ours)]),
  )
  return traffic.flatMap(({ operation: id, status, reason = '' }) =>
    status >= 400 && reason.includes(': expected ') ? [`${id} ${status} ${reason}`] : [],
  )
}

describe('what our own roles send meets all requirements', () => {
  test.each<[string, SessionOptions]>([
    ['with the defaults', {}],
    // Where a step may be left out, a hostile service leaves out the dispatch.
    ['in V1', { dialect: 'v1', conduct: { v1: { lifecycle: 'strict' } } }],
    ['in the public dialect', { dialect: 'opendelivery-v2' }],
    ['in chaos', { faults: ['flaky-network'] }],
    [
      'in the names of the documents',
      {
        conduct: {
          logistics: { names: 'documents', eventNames: 'status', eventPayload: 'plain' },
          customer: { customerShape: 'binding', notation: 'flow', batch: 'array', wrapper: 'bare' },
          loyalty: { redemptionBody: 'customer', eventBody: 'flat' },
          indoor: { accountNaming: 'body', paymentBody: 'price', eventDetails: 'data' },
        },
      },
    ],
    [
      'in the names of the public standard',
      {
        conduct: {
          logistics: { names: 'standard', eventNames: 'manifest' },
          customer: { customerShape: 'lists', orderShape: 'reduced', eventEnvelope: 'flat' },
          indoor: { accountPaths: 'scoped' },
          tokenRequest: 'json',
        },
      },
    ],
  ])('%s', { tags: ['slow'] }, async (_name, options) => {
    expect(await refusedOfOurs(options)).toEqual([])
  })
})
