/** Rows of the agenda: command, due time, effect on the order. */
import { compact } from '../compact.ts'
import { firstItems } from '../engine/agenda/agenda.ts'
import type { Command } from '../engine/command.ts'
import type { AgendaItem } from '../engine/agenda/item.ts'
import { shipmentKey } from '../engine/logistics/shipment.ts'
import type { World } from '../engine/world.ts'
import { countLaterHandovers } from '../engine/faults/wait.ts'
import { slotOf } from '../engine/faults/world.ts'
import { assertNever } from '../protocol/result.ts'
import { orderLifecycle, orderStep } from '../protocol/orders/lifecycle.ts'
import type { Role } from '../protocol/role.ts'
import type { AgendaRow, View } from '../session-api/session-api.ts'
import { isRelevant } from './agenda-relevance.ts'
import { commandText, eventById, orderIdOfCommand } from './command-text.ts'
import { rowTest } from './row-text.ts'

/** Predicted status change of a due trigger. */
function effectOf(command: Command, world: World): string | undefined {
  if (command.kind !== 'order.apply') return undefined
  const record = world.ordering.orders.get(command.orderId)
  if (!record) return undefined
  const next = orderStep(record.status, command.trigger, record.order.fulfillment.orderType)
  if (next.kind === 'moves') return `${record.status} > ${next.row.to}`
  if (!command.force) return `${record.status}: nothing`
  const forced = orderLifecycle.find(({ trigger }) => trigger === command.trigger)
  return `${record.status} > ${forced?.to ?? command.trigger}`
}

function attemptOf(command: Command): number | undefined {
  if (command.kind === 'call.place') return command.call.attempt
  return command.kind === 'event.push' ? command.attempt : undefined
}

/** Whether an item belongs to a loop or is outdated, so that it has no effect when due. */
function isIdle({ command, background }: AgendaItem, world: World): boolean {
  if (command.kind === 'shipment.read') {
    const key = shipmentKey(command.role, command.orderId)
    return world.logistics.shipments.get(key)?.round !== command.round
  }
  if (background) return true
  switch (command.kind) {
    case 'ticket.reconcile':
      return world.store.tickets.get(command.orderId)?.round !== command.round
    case 'table.look':
    case 'table.list':
      return (
        command.round !== undefined &&
        world.indoor.guest.tables.get(command.tableId)?.round !== command.round
      )
    default:
      return false
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** The condition that an item waits for, if any. */
function waitsOf({ wait }: AgendaItem, world: World): string | undefined {
  const { faults } = world
  const slot = (orderId: string): string => slotOf(faults, orderId) ?? orderId
  switch (wait?.kind) {
    case undefined:
      return undefined
    case 'later-events': {
      const { orderId, handovers } = wait
      const left = Math.max(0, handovers - countLaterHandovers(world, wait))
      const whose = orderId === undefined ? 'events' : `later events of ${slot(orderId)}`
      return `${counted(left, 'more handover')} of ${whose}`
    }
    case 'acknowledged':
      return `the acknowledgment of ${eventById(wait.eventId, world)?.eventType ?? wait.eventId}`
    case 'order-ended':
      return `the end of ${slot(wait.orderId)}`
    case 'polled':
      return `${counted(Math.max(0, wait.polls - faults.polls), 'more poll')} with news`
    case 'gathered':
      return `${counted(wait.items, 'item')} that wait like it`
    default:
      return assertNever(wait)
  }
}

const faultOf = ({ fault }: AgendaItem, { faults }: World) =>
  fault === undefined ? undefined : (faults.live.get(fault) ?? faults.over.get(fault))

/** Loops are told apart by `isIdle`; items that were changed, by hand or by a fault, are always shown. */
const isAside = (item: AgendaItem, world: World, role: Role | undefined): boolean =>
  !isIdle(item, world) &&
  !item.held &&
  !item.edited &&
  item.copyOf === undefined &&
  item.fault === undefined &&
  !isRelevant(item.command, role, world)

/** `role` is that of the user's service. */
export function agendaRow(item: AgendaItem, world: World, role: Role | undefined): AgendaRow {
  const orderId = orderIdOfCommand(item.command, world)
  const effect = effectOf(item.command, world)
  const attempt = attemptOf(item.command)
  const waits = waitsOf(item, world)
  const fault = faultOf(item, world)
  return {
    id: item.id,
    due: item.due,
    held: item.held,
    background: isIdle(item, world),
    ...(isAside(item, world, role) ? { aside: true as const } : {}),
    kind: item.command.kind,
    text: commandText(item.command, world),
    ...compact({ orderId, effect, attempt, copyOf: item.copyOf }),
    ...(item.edited ? { edited: true as const } : {}),
    ...compact({ waits }),
    ...(fault === undefined ? {} : { fault: fault.name }),
  }
}

export interface AgendaRows {
  readonly rows: readonly AgendaRow[]
  /** Number of items with the words that are searched for. */
  readonly found?: number
}

export function agendaRows(
  world: World,
  view: NonNullable<View['agenda']>,
  role: Role | undefined,
): AgendaRows {
  const { limit, orderId, background = true, aside = true, held, contains } = view
  const wanted = (item: AgendaItem): boolean =>
    (held === undefined || item.held) &&
    (background || !isIdle(item, world)) &&
    (aside || !isAside(item, world, role)) &&
    (orderId === undefined || orderIdOfCommand(item.command, world) === orderId)
  const test = rowTest('agenda', contains, world)
  const rows = firstItems(world.agenda, test ? Number.MAX_SAFE_INTEGER : limit, wanted).map(
    (item) => agendaRow(item, world, role),
  )
  if (!test) return { rows }
  const found = rows.filter(test)
  return { rows: found.slice(0, limit), found: found.length }
}
