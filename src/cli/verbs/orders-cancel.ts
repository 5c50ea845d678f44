/** `sparring orders cancel` and `cancel-item`: the whole of an order, or a line of it. */
import { compact } from '../../compact.ts'
import { jsonFlag, noColorFlag, talkFlags } from '../flags.ts'
import { roleNames } from '../name-lists.ts'
import { ask, sessionOf } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { orderIdOf, orderSummary } from '../find-order.ts'

const why = [
  { name: 'reason', value: '<text>', summary: 'why, for a person' },
  { name: 'code', value: '<code>', summary: 'why, for a machine, such as UNAVAILABLE_ITEM' },
] as const

const shared = [jsonFlag, noColorFlag, ...talkFlags] as const

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
    ...why,
    ...shared,
  ],
  async run({ id, by, reason, code, ...options }, io) {
    const orderId = await orderIdOf(await sessionOf(options), id)
    const words = compact({ reason, code })
    return by === 'software-service'
      ? ask(
          { kind: 'ticket.cancel', orderId, request: words },
          `${orderId}: asks to be cancelled`,
          options,
          io,
        )
      : ask(
          {
            kind: 'order.apply',
            orderId,
            trigger: 'cancel',
            ...(Object.keys(words).length > 0 ? { metadata: words } : {}),
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
    ...why,
    ...shared,
  ],
  async run({ id, item, quantity, reason, code, ...options }, io) {
    const face = await sessionOf(options)
    const orderId = await orderIdOf(face, id)
    const { info } = await face.look({})
    // The line is the merchant's to cancel: our Software Service calls, where we play it.
    const calls = info.counterparts.some(({ role }) => role === 'software-service')
    const kind = calls ? 'ticket.cancel-item' : 'item.cancel'
    const cancellation = compact({ quantity, reason, code })
    return ask(
      { kind, orderId, itemId: item, cancellation },
      `${orderId}: item ${item} cancelled`,
      options,
      io,
    )
  },
})
