/** `sparring orders cancel` and `cancel-item`: cancel an order, or a line of it. */
import { compact } from '../../compact.ts'
import { jsonFlag, noColorFlag, talkFlags } from '../flags.ts'
import { roleNames } from '../name-lists.ts'
import { ask, sessionOf } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { orderIdOf, orderSummary } from '../find-order.ts'

const reasonFlags = [
  { name: 'reason', value: '<text>', summary: 'why, for a person' },
  { name: 'code', value: '<code>', summary: 'why, for a machine, such as UNAVAILABLE_ITEM' },
] as const

const sharedFlags = [jsonFlag, noColorFlag, ...talkFlags] as const

export const cancel = defineVerb({
  name: 'cancel',
  summary: 'cancel an order, or have the Software Service that we play ask for it',
  arguments: [{ name: 'id', summary: orderSummary, required: true }],
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
    const orderId = await orderIdOf(await sessionOf(options), id)
    const reasonFields = compact({ reason, code })
    return by === 'software-service'
      ? ask(
          { kind: 'ticket.cancel', orderId, request: reasonFields },
          `${orderId}: asks to be cancelled`,
          options,
          io,
        )
      : ask(
          {
            kind: 'order.apply',
            orderId,
            trigger: 'cancel',
            ...(Object.keys(reasonFields).length > 0 ? { metadata: reasonFields } : {}),
          },
          `${orderId}: cancelled`,
          options,
          io,
        )
  },
})

export const cancelItem = defineVerb({
  name: 'cancel-item',
  summary: 'cancel a line of an order, or a part of it',
  arguments: [
    { name: 'id', summary: orderSummary, required: true },
    { name: 'item', summary: 'the id of the line', required: true },
  ],
  flags: [
    {
      name: 'quantity',
      value: '<n>',
      summary: 'how much of it; all of it when absent',
      number: { least: 1, most: 1_000_000 },
    },
    ...reasonFlags,
    ...sharedFlags,
  ],
  async run({ id, item, quantity, reason, code, ...options }, io) {
    const face = await sessionOf(options)
    const orderId = await orderIdOf(face, id)
    const { info } = await face.look({})
    // The merchant cancels lines: where we play the Software Service, it makes the call.
    const playsSoftwareService = info.counterparts.some(({ role }) => role === 'software-service')
    const kind = playsSoftwareService ? 'ticket.cancel-item' : 'item.cancel'
    const cancellation = compact({ quantity, reason, code })
    return ask(
      { kind, orderId, itemId: item, cancellation },
      `${orderId}: item ${item} cancelled`,
      options,
      io,
    )
  },
})
