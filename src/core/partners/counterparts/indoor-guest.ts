/**
 * Autonomous behaviour of the Ordering Application in Indoor: a guest's visit from the first order to the fiscal
 * document. It learns of accounts by webhook, reads the account before each step (IND-EVR-04), takes the step that the
 * visit plan gives, and ends every visit. It reacts to facts of its own slice only.
 */
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import {
  declaredIndoorCapability,
  isAwaitingEffect,
  indoorOrderOf,
} from '../../engine/indoor/tables.ts'
import type { DiningTable } from '../../engine/indoor/world.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { assertNever } from '../../protocol/result.ts'
import { type VisitPlan, drawVisitPlan, nextVisitStep, type VisitState } from './visit-plan.ts'
import { drawDuration, plan } from './planning.ts'
import { type GuestTemperament, guestTemperaments } from './indoor-temperament.ts'
import type { TemperamentName } from './temperament.ts'

const stream = 'indoor-guest'

const scheduleRead = ({ tableId, round }: DiningTable, afterMs: number): PlannedCommand =>
  plan({ kind: 'table.look', tableId, round }, afterMs)

/** When a fiscal document is requested, if ever: only where the host issues, at the moment that it declares. */
function documentFor(
  { account }: DiningTable,
  { asksForDocument }: VisitPlan,
  { world }: DecisionContext,
): VisitState['document'] {
  const { invoiceIssuer = 'pos', invoiceIssueMoment = 'account_closing' } =
    declaredIndoorCapability(world) ?? {}
  if (invoiceIssuer !== 'pos') return 'none'
  const isWanted = (account?.orders ?? []).some(
    (orderId) => indoorOrderOf(orderId, world)?.block.fiscal?.shouldIssueDocument,
  )
  if (!isWanted && !asksForDocument) return 'none'
  return invoiceIssueMoment === 'account_closing' ? 'after' : 'before'
}

/** Maximum number of tables searched for a transfer target. */
const maxNeighbours = 50

/** Another table of the same merchant with an ongoing visit. */
function neighbourOf(
  { tableId, merchantId }: DiningTable,
  { world }: DecisionContext,
): DiningTable | undefined {
  let searched = 0
  for (const other of world.indoor.guest.tables.values()) {
    if (other.over !== undefined) continue
    if (++searched > maxNeighbours) return undefined
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

/** The step that follows from a read; some guests forget it until the next read. */
function afterReading(
  table: DiningTable,
  guest: GuestTemperament,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const chance = context.chance(stream)
  const retryDelay = (): number => drawDuration(guest.lookAgain, chance)
  if (table.over !== undefined) return []
  if (isAwaitingEffect(table)) return [scheduleRead(table, retryDelay())]
  const visit = drawVisitPlan(table.tableId, guest, chance)
  const step = nextVisitStep({
    table,
    visit,
    now: context.now,
    document: documentFor(table, visit, context),
    ...(visit.transfers ? { neighbour: neighbourOf(table, context) } : {}),
  })
  const { tableId, round } = table
  switch (step.kind) {
    case 'act':
      return chance.oneIn(guest.forgetsStepOneIn)
        ? [scheduleRead(table, retryDelay())]
        : [plan(step.command, 0), scheduleRead(table, retryDelay())]
    case 'wait':
      return [scheduleRead(table, step.ms)]
    case 'watch': {
      // An issuance may take long: pauses grow, so that few reads cover much time.
      const after = retryDelay() * Math.min(2 ** table.quiet, 32)
      return step.what === 'account'
        ? [scheduleRead(table, after)]
        : [plan({ kind: 'table.list', tableId, what: 'documents', round }, after)]
    }
    case 'leave':
      return [plan({ kind: 'table.leave', tableId }, 0)]
    default:
      return assertNever(step)
  }
}

/** Backoff after a failed read or a refused call. */
const backoffRead = (table: DiningTable): PlannedCommand =>
  scheduleRead(table, Math.min(60_000, 1000 * 2 ** Math.min(table.quiet, 6)))

export const indoorGuest = (temperament: TemperamentName): Reactor => {
  const guest = guestTemperaments[temperament]
  return (fact, context) => {
    const { tables, active: sitting } = context.world.indoor.guest
    const readDelay = (): number => drawDuration(guest.think, context.chance(stream))
    const whenActive = (
      tableId: string | undefined,
      then: (table: DiningTable) => readonly PlannedCommand[],
    ) => {
      const table = tables.get(tableId ?? '')
      return table && table.over === undefined ? then(table) : []
    }
    switch (fact.kind) {
      case 'partner.accepted':
        if (fact.from !== 'ordering-application' || fact.partner !== 'software-service') return []
        return [...sitting].flatMap((id) =>
          whenActive(id, (table) => (table.putOff ? [scheduleRead(table, 0)] : [])),
        )
      case 'order.moved': {
        // The host has read the order by now: its account event has arrived or is lost.
        const isServed = fact.to === 'CONFIRMED' || fact.to === 'DELIVERED'
        if (!isServed || !indoorOrderOf(fact.orderId, context.world)) return []
        const after = drawDuration(guest.lookAgain, context.chance(stream))
        return [plan({ kind: 'table.find', orderId: fact.orderId }, after)]
      }
      case 'table.heard':
        return whenActive(fact.table?.tableId, (table) => [scheduleRead(table, readDelay())])
      case 'table.accepted':
        return whenActive(fact.tableId, (table) => [scheduleRead(table, readDelay())])
      case 'table.read':
        return whenActive(fact.table.tableId, (table) => afterReading(table, guest, context))
      case 'table.documents-read':
        return whenActive(fact.tableId, (table) => afterReading(table, guest, context))
      case 'table.refused':
        return whenActive(fact.tableId, (table) => [backoffRead(table)])
      default:
        return []
    }
  }
}
