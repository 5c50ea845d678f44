/** Rows of the agenda: command, due time, effect on the order. */
import { compact } from '../base/compact.ts'
import { firstItems } from '../engine/agenda/agenda.ts'
import { type Command, commandText, orderIdOfCommand } from '../engine/command.ts'
import type { AgendaItem } from '../engine/agenda/item.ts'
import { shipmentKey } from '../engine/logistics/shipment.ts'
import type { Settings } from '../engine/settings.ts'
import type { World } from '../engine/world.ts'
import { countLaterHandovers } from '../engine/faults/wait.ts'
import { slotOf } from '../engine/faults/world.ts'
import { assertNever } from '../protocol/result.ts'
import { orderLifecycle, orderLifecycleIn } from '../protocol/orders/lifecycle.ts'
import type { Role } from '../protocol/role.ts'
import type { AgendaRow, TakenRow, View } from '../session-api/session-api.ts'
import { isRelevant } from './relevance.ts'
import { eventById } from '../engine/command-row.ts'
import { rowTest } from './row-text.ts'
import { pluralise } from '../protocol/count-text.ts'

/** Predicted status change of a due trigger. */
function effectOf(command: Command, world: World, { conduct }: Settings): string | undefined {
  if (command.kind !== 'order.apply') return undefined
  const record = world.ordering.orders.get(command.orderId)
  if (!record) return undefined
  const profile = record.order.fulfillment.orderType
  const next = orderLifecycleIn(conduct).step(record.status, command.trigger, profile)
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
      return `${pluralise(left, 'more handover')} of ${whose}`
    }
    case 'acknowledged':
      return `the acknowledgment of ${eventById(wait.eventId, world)?.eventType ?? wait.eventId}`
    case 'order-ended':
      return `the end of ${slot(wait.orderId)}`
    case 'polled':
      return `${pluralise(Math.max(0, wait.polls - faults.polls), 'more poll')} with news`
    case 'gathered':
      return `${pluralise(wait.items, 'item')} that wait like it`
    default:
      return assertNever(wait)
  }
}

const faultOf = ({ fault }: AgendaItem, { faults }: World) =>
  fault === undefined ? undefined : (faults.live.get(fault) ?? faults.over.get(fault))

/** How far an item is from the operator; items that were changed, by hand or by a fault, are always shown. */
function rankOf(
  item: AgendaItem,
  world: World,
  role: Role | undefined,
): 'shown' | 'aside' | 'background' {
  if (isIdle(item, world)) return 'background'
  const { held, edited, copyOf, fault } = item
  const isTouched = held || edited || copyOf !== undefined || fault !== undefined
  return isTouched || isRelevant(item.command, role, world) ? 'shown' : 'aside'
}

/** How the agenda shows a command, whatever became of its item. */
export const takenRow = (command: Command, world: World): TakenRow =>
  compact({
    kind: command.kind,
    text: commandText(command, world),
    orderId: orderIdOfCommand(command, world),
    attempt: attemptOf(command),
  })

export function agendaRow(item: AgendaItem, world: World, settings: Settings): AgendaRow {
  const { id, due, held, command, copyOf, edited } = item
  const rank = rankOf(item, world, settings.subject)
  return compact({
    id,
    due,
    held,
    background: rank === 'background',
    aside: rank === 'aside' ? true : undefined,
    kind: command.kind,
    text: commandText(command, world),
    orderId: orderIdOfCommand(command, world),
    effect: effectOf(command, world, settings),
    attempt: attemptOf(command),
    copyOf,
    edited: edited ? true : undefined,
    waits: waitsOf(item, world),
    fault: faultOf(item, world)?.name,
  })
}

export interface AgendaRows {
  readonly rows: readonly AgendaRow[]
  /** Number of items with the words that are searched for. */
  readonly found?: number
}

export function agendaRows(
  world: World,
  view: NonNullable<View['agenda']>,
  settings: Settings,
): AgendaRows {
  const { limit, orderId, background = true, aside = true, held, contains } = view
  const wanted = (item: AgendaItem): boolean => {
    if (held !== undefined && !item.held) return false
    const rank = background && aside ? 'shown' : rankOf(item, world, settings.subject)
    return (
      (background || rank !== 'background') &&
      (aside || rank !== 'aside') &&
      (orderId === undefined || orderIdOfCommand(item.command, world) === orderId)
    )
  }
  const test = rowTest('agenda', contains, world)
  const rows = firstItems(world.agenda, test ? Number.MAX_SAFE_INTEGER : limit, wanted).map(
    (item) => agendaRow(item, world, settings),
  )
  if (!test) return { rows }
  const found = rows.filter(test)
  return { rows: found.slice(0, limit), found: found.length }
}
