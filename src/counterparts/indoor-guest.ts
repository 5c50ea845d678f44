/**
 * How the Ordering Application uses Indoor: a table's evening, from the first order to the fiscal document. It hears of
 * an account by webhook, reads it before each step (IND-EVR-04), takes the step that the evening asks for, and comes to
 * an end with every account that it knows. It reacts to facts of its own slice only.
 */
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import { declaredIndoor, isWaiting, orderNames } from '../engine/indoor/tables.ts'
import type { Table } from '../engine/indoor/world.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { unreachable } from '../protocol/result.ts'
import { type Evening, eveningOf, nextStep, type Setting } from './evening.ts'
import { draw, plan } from './habit.ts'
import { type GuestTemperament, guestTemperaments } from './indoor-temperament.ts'
import type { TemperamentName } from './temperament.ts'

const stream = 'indoor-guest'

const look = ({ tableId, round }: Table, afterMs: number): Planned =>
  plan({ kind: 'table.look', tableId, round }, afterMs)

/** Whether and when a fiscal document is to be asked for: where the house issues, at the moment it declares. */
function documentFor(
  { account }: Table,
  { asksForDocument }: Evening,
  { world }: Context,
): Setting['document'] {
  const { invoiceIssuer = 'pos', invoiceIssueMoment = 'account_closing' } =
    declaredIndoor(world) ?? {}
  if (invoiceIssuer !== 'pos') return 'none'
  const isWanted = (account?.orders ?? []).some(
    (orderId) => orderNames(orderId, world)?.block.fiscal?.shouldIssueDocument,
  )
  if (!isWanted && !asksForDocument) return 'none'
  return invoiceIssueMoment === 'account_closing' ? 'after' : 'before'
}

/** Tables that are looked through for a neighbour at most. */
const mostNeighbours = 50

/** Another table of the same house where an evening is under way. */
function neighbourOf({ tableId, merchantId }: Table, { world }: Context): Table | undefined {
  let seen = 0
  for (const other of world.indoor.guest.tables.values()) {
    if (other.over !== undefined) continue
    if (++seen > mostNeighbours) return undefined
    if (
      other.tableId !== tableId &&
      other.status === 'IN_USE' &&
      other.asked === undefined &&
      merchantId !== undefined &&
      other.merchantId === merchantId
    )
      return other
  }
  return undefined
}

/** The step that follows from what was read; some guests forget it until they look again. */
function afterReading(table: Table, guest: GuestTemperament, context: Context): readonly Planned[] {
  const chance = context.chance(stream)
  const later = (): number => draw(guest.lookAgain, chance)
  if (table.over !== undefined) return []
  if (isWaiting(table)) return [look(table, later())]
  const evening = eveningOf(table.tableId, guest, chance)
  const step = nextStep({
    table,
    evening,
    now: context.now,
    document: documentFor(table, evening, context),
    ...(evening.transfers ? { neighbour: neighbourOf(table, context) } : {}),
  })
  const { tableId, round } = table
  switch (step.kind) {
    case 'act':
      return chance.oneIn(guest.forgetsStepOneIn)
        ? [look(table, later())]
        : [plan(step.command, 0), look(table, later())]
    case 'wait':
      return [look(table, step.ms)]
    case 'watch': {
      // An issuer may take its time: the pauses grow, so that few looks last long.
      const after = later() * Math.min(2 ** table.quiet, 32)
      return step.what === 'account'
        ? [look(table, after)]
        : [plan({ kind: 'table.list', tableId, what: 'documents', round }, after)]
    }
    case 'leave':
      return [plan({ kind: 'table.leave', tableId }, 0)]
    default:
      return unreachable(step)
  }
}

/** A look that failed, or a call that was refused: again, after a pause that grows. */
const readAgain = (table: Table): Planned =>
  look(table, Math.min(60_000, 1000 * 2 ** Math.min(table.quiet, 6)))

export const indoorGuest = (temperament: TemperamentName): Reactor => {
  const guest = guestTemperaments[temperament]
  return (fact, context) => {
    const { tables, sitting } = context.world.indoor.guest
    const think = (): number => draw(guest.think, context.chance(stream))
    const of = (tableId: string | undefined, then: (table: Table) => readonly Planned[]) => {
      const table = tables.get(tableId ?? '')
      return table && table.over === undefined ? then(table) : []
    }
    switch (fact.kind) {
      case 'partner.accepted':
        if (fact.from !== 'ordering-application' || fact.partner !== 'software-service') return []
        return [...sitting].flatMap((id) =>
          of(id, (table) => (table.putOff ? [look(table, 0)] : [])),
        )
      case 'order.moved': {
        // By now the house has read the order: the event of its account has come, or is lost.
        const isServed = fact.to === 'CONFIRMED' || fact.to === 'DELIVERED'
        if (!isServed || !orderNames(fact.orderId, context.world)) return []
        const after = draw(guest.lookAgain, context.chance(stream))
        return [plan({ kind: 'table.find', orderId: fact.orderId }, after)]
      }
      case 'table.heard':
        return of(fact.table?.tableId, (table) => [look(table, think())])
      case 'table.accepted':
        return of(fact.tableId, (table) => [look(table, think())])
      case 'table.read':
        return of(fact.table.tableId, (table) => afterReading(table, guest, context))
      case 'table.documents-read':
        return of(fact.tableId, (table) => afterReading(table, guest, context))
      case 'table.refused':
        return of(fact.tableId, (table) => [readAgain(table)])
      default:
        return []
    }
  }
}
