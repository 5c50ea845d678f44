/**
 * What people write for an order: its id, its slot (`o1`), its number, or the beginning of its id. The only place that
 * knows these; verbs, control API and library give the text to a session, which resolves it here.
 */
import type { Command } from '../engine/command.ts'
import type { World } from '../engine/world.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { View } from '../session-api/session-api.ts'

/** In characters; a shorter beginning fits too many orders. */
const minPrefixLength = 4

/** How many of the fitting ids an error names. */
const maxNamed = 3

/**
 * The id of the order that a text refers to; the text itself when it fits none. The error says that it fits several.
 */
export function resolveOrder(
  { ordering: { orders }, store: { tickets }, faults }: World,
  text: string,
): Result<string, string> {
  if (orders.has(text) || tickets.has(text) || faults.slotByOrder.has(text)) return ok(text)
  const ofSlot = faults.orderBySlot.get(text)
  if (ofSlot !== undefined) return ok(ofSlot)
  const found = new Set<string>()
  for (const [id, { order }] of orders) if (order.displayId === text) found.add(id)
  if (text.length >= minPrefixLength)
    for (const ids of [orders.keys(), tickets.keys()])
      for (const id of ids) if (id.startsWith(text)) found.add(id)
  const ids = [...found]
  if (ids.length < 2) return ok(ids[0] ?? text)
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : ''
  return err(
    `"${text}" fits several orders: ${ids.slice(0, maxNamed).join(', ')}${more}. Write more of the id`,
  )
}

type OrderPart = 'agenda' | 'journal' | 'traffic'

/** A view with the ids of the orders that it refers to, and the problem of a reference that fits several. */
export function resolveViewOrders(
  view: View,
  world: World,
): { readonly view: View; readonly problem?: string } {
  let problem: string | undefined
  const idOf = (text: string): string => {
    const order = resolveOrder(world, text)
    if (order.ok) return order.value
    problem = order.error
    return text
  }
  const part = (name: OrderPart) => {
    const { [name]: asked } = view
    return asked?.orderId === undefined
      ? {}
      : { [name]: { ...asked, orderId: idOf(asked.orderId) } }
  }
  const resolved: View = {
    ...view,
    ...part('agenda'),
    ...part('journal'),
    ...part('traffic'),
    ...(view.orderId === undefined ? {} : { orderId: idOf(view.orderId) }),
  }
  return problem === undefined ? { view: resolved } : { view: resolved, problem }
}

/** A command about the order that its `orderId` refers to, and so for one that is planned. */
export function resolveCommandOrder(command: Command, world: World): Result<Command, string> {
  if (command.kind === 'agenda.plan') {
    const planned = resolveCommandOrder(command.command, world)
    return planned.ok ? ok({ ...command, command: planned.value }) : planned
  }
  if (!('orderId' in command) || command.orderId === undefined) return ok(command)
  const order = resolveOrder(world, command.orderId)
  return order.ok ? ok({ ...command, orderId: order.value }) : order
}
