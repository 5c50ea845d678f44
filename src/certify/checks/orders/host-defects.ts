/** Mistakes of an Ordering Application, as changes of its messages: proofs of the checks of Orders. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { recogniseOperation } from '../../../core/traffic/recognise-operation.ts'
import { type Defect, removeMember, setMember, wrongReply } from '../../judge/defect.ts'

const operationOf = ({ method, url }: Request): OperationId | undefined =>
  recogniseOperation(method, url)?.row.id

/** Its events are changed, in webhooks and polls; an event that becomes undefined is not handed over. */
export const wrongEvents = (about: string, change: (event: UnknownRecord) => unknown): Defect => {
  const changed = (event: unknown): unknown => (isUnknownRecord(event) ? change(event) : event)
  return {
    ...wrongReply(about, 'pollingEvents', (reply) => {
      if (Array.isArray(reply.body))
        reply.body = reply.body.map(changed).filter((event) => event !== undefined)
    }),
    call: async (request, forward) => {
      if (operationOf(request) !== 'receiveOrderEvent') return forward(request)
      const event: unknown = await request.clone().json()
      const other = changed(event)
      if (other === undefined) return new Response(null, { status: 204 })
      return forward(other === event ? request : withBody(request, other))
    },
  }
}

const withBody = (request: Request, body: unknown): Request => {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const { url, method, signal } = request
  return new Request(url, { method, signal, headers, body: JSON.stringify(body) })
}

const textAt = (event: UnknownRecord, key: string): string => {
  const value = event[key]
  return typeof value === 'string' ? value : ''
}

/** It does not emit these events. */
export const missingEvents = (...types: readonly string[]): Defect =>
  wrongEvents(`emits no ${types.join(' and no ')}`, (event) =>
    types.includes(textAt(event, 'eventType')) ? undefined : event,
  )

/** It emits an event under another type. */
export const renamedEvent = (from: string, to: string): Defect =>
  wrongEvents(`emits ${to} in place of ${from}`, (event) =>
    event['eventType'] === from ? { ...event, eventType: to } : event,
  )

/** Before an event of this type it sends another one by webhook. */
export const additionalWebhook = (
  about: string,
  eventType: string,
  make: (request: Request, event: UnknownRecord) => Request,
): Defect => ({
  about,
  call: async (request, forward) => {
    if (operationOf(request) === 'receiveOrderEvent') {
      const event: unknown = await request.clone().json()
      if (isUnknownRecord(event) && event['eventType'] === eventType)
        await forward(make(request, event))
    }
    return forward(request)
  },
})

/** The webhook of another event of the same order. */
export const sameOrderEvent =
  (eventType: string) =>
  (request: Request, event: UnknownRecord): Request =>
    withBody(request, { ...event, eventType, eventId: `${textAt(event, 'eventId')}-${eventType}` })

/** A call to the Software Service about the order of a webhook. */
export const callBesides =
  (method: string, path: (orderId: string) => string) =>
  (request: Request, event: UnknownRecord): Request =>
    new Request(new URL(path(textAt(event, 'orderId')), request.url), {
      method,
      headers: request.headers,
      body: method === 'GET' ? null : '{}',
    })

type OrderChange = (order: UnknownRecord) => void

/** Its orders are changed on GET, where a condition holds. */
export const wrongOrder = (about: string, change: OrderChange): Defect =>
  wrongReply(about, 'getOrder', ({ status, body }) => {
    if (status === 200 && isUnknownRecord(body)) change(body)
  })

/** GET shows a wrong status after an event of this type. */
export const wrongStatusAfter = (eventType: string, status: string): Defect =>
  wrongOrder(`shows ${status} after ${eventType}`, (order) => {
    if (order['lastEvent'] === eventType) setMember(order, ['status'], status)
  })

/** GET shows one status in place of another. */
export const wrongStatus = (from: string, to: string): Defect =>
  wrongOrder(`shows ${to} in place of ${from}`, (order) => {
    if (order['status'] === from) setMember(order, ['status'], to)
  })

/** GET shows another value of a member. */
export const wrongMember = (about: string, path: readonly string[], value: unknown): Defect =>
  wrongOrder(about, (order) => {
    setMember(order, path, value)
  })

export const missingMember = (about: string, ...path: readonly string[]): Defect =>
  wrongOrder(about, (order) => {
    removeMember(order, ...path)
  })

/** The entries of a list of an object that are objects. */
export const entriesOf = (owner: unknown, key: string): readonly UnknownRecord[] => {
  const entries = isUnknownRecord(owner) ? owner[key] : undefined
  return Array.isArray(entries) ? entries.filter(isUnknownRecord) : []
}

/** Answers a call about an order in one of these statuses itself, without acting on it. */
export const wrongAnswerIn = (
  about: string,
  operation: OperationId,
  statuses: readonly string[],
  status: number,
): Defect => ({
  about,
  answer: async (request, forward) => {
    const found = recogniseOperation(request.method, request.url)
    if (found?.row.id !== operation) return forward(request)
    const url = new URL(`${found.prefix}/orders/${found.params['orderId']}`, request.url)
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const read = await forward(new Request(url, { headers }))
    const order: unknown = read.status === 200 ? await read.json() : undefined
    return isUnknownRecord(order) && statuses.includes(textAt(order, 'status'))
      ? new Response(null, { status })
      : forward(request)
  },
})

/** A change of every item of an order. */
export const changeItems =
  (change: (item: UnknownRecord) => void) =>
  (order: UnknownRecord): void =>
    entriesOf(order, 'items').forEach(change)
