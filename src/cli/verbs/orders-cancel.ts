/** `sparring orders cancel` and `cancel-item`: cancel an order, or a line of it. */
import { compact } from '../../compact.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { roleAliases } from '../../protocol/role.ts'
import { connectToSession, printOutcome, printRefusal, submitCommand } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { resolveOrderId, orderArgumentSummary } from '../resolve-order-id.ts'

const reasonFlags = [
  { name: 'reason', value: '<text>', summary: 'reason as text' },
  { name: 'code', value: '<code>', summary: 'reason as a code, such as UNAVAILABLE_ITEM' },
] as const

const sharedFlags = [jsonFlag, noColorFlag, ...controlFlags] as const

export const ordersCancelVerb = defineVerb({
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
    ...sharedFlags,
  ],
  async run({ id, by, reason, code, ...options }, io) {
    const face = await connectToSession(options)
    const orderId = await resolveOrderId(face, id)
    const reasonFields = compact({ reason, code })
    if (by === 'software-service')
      return printOutcome(
        await face.submit({ kind: 'ticket.cancel', orderId, request: reasonFields }),
        `${orderId}: cancellation requested`,
        options,
        io,
      )
    // In V1 an originator asks the merchant first, unless `conduct.v1.originatorCancel` says otherwise.
    const moves = (await face.look({ orderId })).order?.moves.map(({ trigger }) => trigger)
    if (moves?.includes('accept-cancelling'))
      return printRefusal(
        {
          code: 'CONFLICT',
          message: `the merchant has not yet answered the request to cancel order ${orderId}; to cancel it anyway: sparring orders move ${orderId} cancel`,
        },
        io,
      )
    if (moves?.includes('ask-to-cancel'))
      return printOutcome(
        await face.submit({ kind: 'handshake.offer', orderId, ...reasonFields }),
        `${orderId}: asked the merchant for permission to cancel`,
        options,
        io,
      )
    const metadata = Object.keys(reasonFields).length > 0 ? { metadata: reasonFields } : {}
    return printOutcome(
      await face.submit({ kind: 'order.apply', orderId, trigger: 'cancel', ...metadata }),
      `${orderId}: cancelled by the customer`,
      options,
      io,
    )
  },
})

export const ordersCancelItemVerb = defineVerb({
  name: 'cancel-item',
  summary: 'cancel an item of an order, or part of its quantity',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    { name: 'item', summary: 'id of the item', required: true },
  ],
  flags: [
    {
      name: 'quantity',
      value: '<n>',
      summary: 'quantity to cancel (default: all of it)',
      number: { min: 1, max: 1_000_000 },
    },
    ...reasonFlags,
    ...sharedFlags,
  ],
  async run({ id, item, quantity, reason, code, ...options }, io) {
    const face = await connectToSession(options)
    const orderId = await resolveOrderId(face, id)
    const { info } = await face.look({})
    // The merchant cancels lines: where we play the Software Service, it makes the call.
    const playsSoftwareService = info.counterparts.some(({ role }) => role === 'software-service')
    const kind = playsSoftwareService ? 'ticket.cancel-item' : 'item.cancel'
    const cancellation = compact({ quantity, reason, code })
    return submitCommand(
      { kind, orderId, itemId: item, cancellation },
      `${orderId}: item ${item} cancelled`,
      options,
      io,
    )
  },
})
