/** `sparring orders cancel` and `cancel-item`: cancel an order, or a line of it. */
import { compact } from '../../compact.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { roleNames } from '../name-lists.ts'
import { connectToSession, printOutcome, printRefusal, submitCommand } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { resolveOrderId, orderArgumentSummary } from '../resolve-order-id.ts'

const reasonFlags = [
  { name: 'reason', value: '<text>', summary: 'why, for a person' },
  { name: 'code', value: '<code>', summary: 'why, for a machine, such as UNAVAILABLE_ITEM' },
] as const

const sharedFlags = [jsonFlag, noColorFlag, ...controlFlags] as const

export const ordersCancelVerb = defineVerb({
  name: 'cancel',
  summary:
    'cancel an order, in V1 by asking the merchant, or have the Software Service that we play ask for it',
  arguments: [{ name: 'id', summary: orderArgumentSummary, required: true }],
  flags: [
    {
      name: 'by',
      value: '<role>',
      summary: 'ordering-application cancels (default), software-service asks',
      choices: roleNames,
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
        `${orderId}: asks to be cancelled`,
        options,
        io,
      )
    // In V1 an originator asks the merchant first, unless `conduct.v1.originatorCancel` says otherwise.
    const moves = (await face.look({ orderId })).order?.moves.map(({ trigger }) => trigger)
    if (moves?.includes('accept-cancelling'))
      return printRefusal(
        {
          code: 'CONFLICT',
          message: `the merchant was asked whether the order ${orderId} may be cancelled, and has not answered; sparring orders move ${orderId} cancel cancels it all the same`,
        },
        io,
      )
    if (moves?.includes('ask-to-cancel'))
      return printOutcome(
        await face.submit({ kind: 'handshake.offer', orderId, ...reasonFields }),
        `${orderId}: the merchant is asked whether it may be cancelled`,
        options,
        io,
      )
    const metadata = Object.keys(reasonFields).length > 0 ? { metadata: reasonFields } : {}
    return printOutcome(
      await face.submit({ kind: 'order.apply', orderId, trigger: 'cancel', ...metadata }),
      `${orderId}: cancelled`,
      options,
      io,
    )
  },
})

export const ordersCancelItemVerb = defineVerb({
  name: 'cancel-item',
  summary: 'cancel a line of an order, or a part of it',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    { name: 'item', summary: 'the id of the line', required: true },
  ],
  flags: [
    {
      name: 'quantity',
      value: '<n>',
      summary: 'how much of it; all of it when absent',
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
