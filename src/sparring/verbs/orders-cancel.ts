/**
 * `sparring orders cancel`, `cancel-item` and `answer-cancellation`: cancel an order or a line of it, or answer who
 * asks to.
 */
import { compact } from '../../core/base/compact.ts'
import { roleAliases } from '../../core/protocol/role.ts'
import { itemIdsOf } from '../../core/session-api/order-lines.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { orderArgumentSummary } from './support/resolve-order-id.ts'

const reasonFlags = [
  { name: 'reason', value: '<text>', summary: 'reason as text' },
  { name: 'code', value: '<code>', summary: 'reason as a code, such as UNAVAILABLE_ITEM' },
] as const

interface ReasonFields {
  readonly reason?: string
  readonly code?: string
}

/** What our Software Service sends: every partner requires all three fields (fields.md, O22). */
const merchantRequest = ({
  reason = 'cancelled by hand',
  code = 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
}: ReasonFields) => ({ reason, code, mode: 'MANUAL' }) as const

export const ordersCancelVerb = defineSessionVerb({
  name: 'cancel',
  summary:
    'cancel an order as the customer does (in V1 by asking the merchant first), or request its cancellation as the merchant',
  arguments: [{ name: 'id', summary: orderArgumentSummary, required: true }],
  flags: [
    {
      name: 'by',
      value: '<role>',
      summary:
        'who cancels: ordering-application for the customer (default), or software-service for the merchant, who requests it where Sparring plays that role',
      choices: ['ordering-application', 'software-service'],
      aliases: { ...roleAliases, customer: 'ordering-application', merchant: 'software-service' },
    },
    ...reasonFlags,
  ],
  async run({ id, by, reason, code }, session) {
    const orderId = await session.orderId(id)
    const reasonFields = compact({ reason, code })
    if (by === 'software-service')
      return session.submit(
        { kind: 'ticket.cancel', orderId, request: merchantRequest(reasonFields) },
        `${orderId}: cancellation requested`,
      )
    // In V1 an originator asks the merchant first, unless `conduct.v1.originatorCancel` says otherwise.
    const { order } = await (await session.connect()).look({ orderId })
    const moves = order?.moves.map(({ trigger }) => trigger)
    if (moves?.includes('accept-cancelling'))
      return session.printRefusal({
        code: 'CONFLICT',
        message: `the merchant has not yet answered the request to cancel order ${orderId}; to cancel it anyway: sparring orders move ${orderId} cancel`,
      })
    if (moves?.includes('ask-to-cancel'))
      return session.submit(
        { kind: 'handshake.offer', orderId, ...reasonFields },
        `${orderId}: asked the merchant for permission to cancel`,
      )
    const metadata = Object.keys(reasonFields).length > 0 ? { metadata: reasonFields } : {}
    return session.submit(
      { kind: 'order.apply', orderId, trigger: 'cancel', ...metadata },
      `${orderId}: cancelled by the customer`,
    )
  },
})

export const ordersCancelItemVerb = defineSessionVerb({
  name: 'cancel-item',
  summary: 'cancel an item of an order, or part of its quantity',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    { name: 'item', summary: 'the number of its line, or the id of the item', required: true },
  ],
  flags: [
    {
      name: 'quantity',
      value: '<n>',
      summary: 'quantity to cancel (default: all of it)',
      number: { min: 1, max: 1_000_000 },
    },
    ...reasonFlags,
  ],
  async run({ id, item, quantity, reason, code }, session) {
    const orderId = await session.orderId(id)
    const api = await session.connect()
    const { info } = await api.look({})
    const itemIds = await itemIdsOf(api, orderId)
    // A document may number its items otherwise than their lines.
    const itemId = (/^[1-9]\d*$/.test(item) ? itemIds[Number(item) - 1] : undefined) ?? item
    // The merchant cancels lines: where we play the Software Service, it makes the call.
    const playsSoftwareService = info.counterparts.some(({ role }) => role === 'software-service')
    const kind = playsSoftwareService ? 'ticket.cancel-item' : 'item.cancel'
    const reasons = compact({ reason, code })
    const reasonFields = playsSoftwareService ? merchantRequest(reasons) : reasons
    const cancellation = { ...reasonFields, ...compact({ quantity }) }
    return session.submit(
      { kind, orderId, itemId, cancellation },
      `${orderId}: item ${item} cancelled`,
    )
  },
})

/** Our Ordering Application accepts or denies a requested cancellation. */
export const ordersAnswerCancellationVerb = defineSessionVerb({
  name: 'answer-cancellation',
  summary: 'accept or deny a requested cancellation',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    { name: 'answer', summary: 'the answer', required: true, choices: ['accept', 'deny'] },
  ],
  async run({ id, answer }, session) {
    const orderId = await session.orderId(id)
    const done = answer === 'accept' ? 'cancellation accepted' : 'cancellation denied'
    return session.submit({ kind: 'cancellation.answer', orderId, answer }, `${orderId}: ${done}`)
  },
})
