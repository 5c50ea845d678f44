/** `sparring orders move`: fires a trigger of an order's lifecycle, of any role. */
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { orderMoveNames } from '../../views/order-move-names.ts'
import { connectToSession, printOutcome, printRefusal } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { resolveOrderId, orderArgumentSummary } from '../resolve-order-id.ts'
import type { Move } from '../../session-api/entities.ts'

export const ordersMoveVerb = defineVerb({
  name: 'move',
  summary: 'move an order by a trigger of its lifecycle, such as confirm or dispatch',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    {
      name: 'trigger',
      summary: 'what sparring orders show lists for it',
      required: true,
      choices: orderMoveNames,
    },
  ],
  flags: [
    { name: 'force', summary: 'even where the lifecycle has no such step' },
    jsonFlag,
    noColorFlag,
    ...controlFlags,
  ],
  async run({ id, trigger, force, ...options }, io) {
    const face = await connectToSession(options)
    const orderId = await resolveOrderId(face, id)
    const { order } = await face.look({ orderId })
    if (!order) return printRefusal({ code: 'NOT_FOUND', message: `there is no order ${id}` }, io)
    const found = order.moves.find((each) => each.trigger === trigger)
    const refused = refusalReason(found, trigger, order.moves, force)
    if (!found || refused !== undefined)
      return printRefusal({ code: 'INVALID_TRANSITION', message: refused ?? trigger }, io)
    const outcome = await face.submit(found.command)
    return printOutcome(outcome, `${orderId}: ${trigger}, which leads to ${found.to}`, options, io)
  },
})

/** Why the move is refused; undefined when it is allowed. */
function refusalReason(
  found: Move | undefined,
  trigger: string,
  moves: readonly Move[],
  force: true | undefined,
): string | undefined {
  if (!found) {
    const lawful = moves.filter(({ illegal }) => illegal === undefined).map((each) => each.trigger)
    return `the order knows no ${trigger}; it could ${lawful.join(', ') || 'do nothing any more'}`
  }
  if (found.illegal === undefined || force) return undefined
  return `${found.illegal}; --force does it all the same`
}
