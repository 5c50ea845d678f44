/** Requests that meet all partner requirements of their operation, or all but one, and how they are sent. */
import { type OperationId, operation } from '../../src/core/protocol/catalogue.ts'
import { Conduct } from '../../src/core/protocol/conduct.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import {
  type RequiredRequest,
  unmetRequirements,
} from '../../src/core/protocol/partner-requirements/catalogue.ts'
import type { PartnerRequirement } from '../../src/core/protocol/partner-requirements/requirement.ts'
import { isUnknownRecord } from '../../src/core/protocol/unknown-record.ts'
import type { HostAnswer } from './host-client.ts'
import { requestPlans } from './request-plans.ts'
import type { Names, Stage } from './request-stages.ts'

/** Values that a field may be broken with. */
const wrongValues: readonly unknown[] = ['NO_SUCH_WORD', -5, [], { value: 1, currency: 'BRL' }]

/** The body with one value changed, at every place. */
function* changedBodies(body: unknown): Generator {
  if (Array.isArray(body))
    for (const [index, each] of body.entries())
      for (const changed of changedBodies(each)) yield body.with(index, changed)
  if (isUnknownRecord(body))
    for (const [name, value] of Object.entries(body)) {
      const { [name]: _left, ...others } = body
      yield others
      for (const changed of changedBodies(value)) yield { ...others, [name]: changed }
    }
  yield* wrongValues
}

export interface SentRequest {
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly orderType: OrderType
}

export const meetingRequests = (id: OperationId): readonly SentRequest[] => {
  const { bodies = [], query } = requestPlans[id] ?? {}
  const given = bodies.length === 0 ? [undefined] : bodies
  return given.map((body) => ({ body, ...(query ? { query } : {}), orderType: 'DELIVERY' }))
}

const required = ({ body = {}, query = {}, orderType }: SentRequest): RequiredRequest => ({
  body,
  query: (name) => (query[name] === undefined ? [] : [query[name]]),
  order: () => ({ fulfillment: { orderType } }),
})

/** A request that meets all requirements of an operation but this one, and that its schema takes. */
export function breakingRequest(
  id: OperationId,
  { of, at: field }: PartnerRequirement,
): SentRequest | undefined {
  const conduct = Conduct.parse({})
  const candidates = meetingRequests(id).flatMap((request): readonly SentRequest[] => {
    if (of === 'order') return [{ ...request, orderType: 'TAKEOUT' }]
    if (of === 'query') return [{ ...request, query: { [field]: 'NO_SUCH_WORD' } }]
    return [...changedBodies(request.body)].map((body) => ({ ...request, body }))
  })
  const schema = operation(id).request?.()
  return candidates.find((request) => {
    const unmet = unmetRequirements(id, required(request), conduct)
    return (
      unmet.length === 1 &&
      unmet[0]?.requirement.at === field &&
      unmet[0].requirement.of === of &&
      (schema === undefined || schema.safeParse(request.body).success)
    )
  })
}

const filled = (text: string, names: Names): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole)

/** Sends a request on its stage, with what it needs made anew. */
export async function sendRequired(
  stage: Stage,
  id: OperationId,
  { body, query, orderType }: SentRequest,
): Promise<HostAnswer> {
  const plan = requestPlans[id]
  if (!plan) throw new Error(`there is no plan for ${id}`)
  const names = await stage.prepare(plan.needs ?? 'order', orderType)
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const path = `${filled(plan.path, names)}${search}`
  if (plan.method === 'GET') return stage.send('GET', path)
  const sent: unknown = JSON.parse(filled(JSON.stringify(body), names))
  return operation(id).webhook ? stage.push(sent, path) : stage.send('POST', path, { body: sent })
}
