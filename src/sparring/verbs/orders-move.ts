/** `sparring orders move`: fires a trigger of an order's lifecycle, of any role. */
import { defineSessionVerb } from './support/session-verb.ts'
import { orderArgumentSummary } from './support/resolve-order-id.ts'
import type { Move } from '../../core/session-api/entities.ts'
import { orderTriggers } from '../../core/protocol/orders/lifecycle.ts'

/** The names of all moves that an order may be offered, valid or forced. */
const orderMoveNames = [
  ...orderTriggers,
  'accept-cancellation',
  'deny-cancellation',
  // The handshake of V1.
  'ask-to-cancel',
  'accept-cancelling',
  'deny-cancelling',
] as const

export const ordersMoveVerb = defineSessionVerb({
  name: 'move',
  summary: 'apply a transition to an order, such as confirm or dispatch',
  arguments: [
    { name: 'id', summary: orderArgumentSummary, required: true },
    {
      name: 'trigger',
      summary: 'a transition that sparring orders show lists',
      required: true,
      choices: orderMoveNames,
    },
  ],
  flags: [{ name: 'force', summary: 'force the transition where the lifecycle does not allow it' }],
  async run({ id, trigger, force }, session) {
    const orderId = await session.orderId(id)
    const { order } = await (await session.connect()).look({ orderId })
    if (!order)
      return session.printRefusal({ code: 'NOT_FOUND', message: `there is no order ${id}` })
    const found = order.moves.find((each) => each.trigger === trigger)
    const refused = refusalReason(found, trigger, order.moves, force)
    if (!found || refused !== undefined)
      return session.printRefusal({ code: 'INVALID_TRANSITION', message: refused ?? trigger })
    return session.submit(found.command, `${orderId}: ${trigger}, which leads to ${found.to}`)
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
    const valid = moves.filter(({ invalid }) => invalid === undefined).map((each) => each.trigger)
    return `the order knows no ${trigger}; it could ${valid.join(', ') || 'none'}`
  }
  if (found.invalid === undefined || force) return undefined
  return `${found.invalid}; use --force to force it`
}
