/** Mistakes in Indoor that several checks must find: events that are missing, wrong or of another type. */
import type { AccountEventType } from '../../../core/protocol/indoor/events.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { type Defect, missingCall, wrongCall, wrongReply, setMember } from '../../judge/defect.ts'

const typeIn = (body: unknown): unknown => (isUnknownRecord(body) ? body['eventType'] : undefined)

/** Requests that hand over an account event of these types. */
export const accountEvent =
  (...types: readonly AccountEventType[]) =>
  async (request: Request): Promise<boolean> => {
    const body: unknown = request.method === 'POST' ? await request.json().catch(() => null) : null
    return types.some((type) => type === typeIn(body))
  }

export const missingEvent = (...types: readonly AccountEventType[]): Defect =>
  missingCall(`sends no ${types.join(' and no ')}`, accountEvent(...types), 204)

export const otherEvent = (type: AccountEventType, other: string): Defect =>
  wrongCall(`sends ${other} in place of ${type}`, accountEvent(type), ({ body }) =>
    setMember(body, ['eventType'], other),
  )

/** It sends a further event, with an id of its own, beside each of a type. */
export const furtherEvent = (type: AccountEventType, further: AccountEventType): Defect => ({
  about: `sends a further ${further} with each ${type}`,
  async call(request, forward) {
    if (await accountEvent(type)(request.clone())) {
      const body: unknown = await request.clone().json()
      const other = isUnknownRecord(body)
        ? { ...body, eventType: further, eventId: `further-${String(body['eventId'])}` }
        : body
      const { method, headers } = request
      const copied = new Headers(headers)
      copied.delete('content-length')
      await forward(
        new Request(request.url, { method, headers: copied, body: JSON.stringify(other) }),
      )
    }
    return forward(request)
  },
})

/** A refusal is answered as a success, and nothing is done. */
export const acceptsRefused = (
  operation: OperationId | readonly OperationId[],
  status: 200 | 202,
): Defect =>
  wrongReply('answers a call that it must refuse with success', operation, (reply) => {
    if (reply.status < 400) return
    reply.status = status
    reply.body = {}
  })

/** The account is shown with another value at a place. */
export const wrongAccount = (about: string, change: (account: UnknownRecord) => void): Defect =>
  wrongReply(about, ['getAccount', 'getAccountById'], ({ status, body }) => {
    if (status === 200 && isUnknownRecord(body)) change(body)
  })
