/**
 * Autonomous behaviour of the Ordering Application in Indoor: a guest's visit from the first order to the fiscal
 * document. It learns of accounts by webhook, reads the account before each step (IND-EVR-04), takes the step that the
 * visit plan gives, and ends every visit; generated orders come to its tables. It reacts to facts of its own slice only.
 */
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import {
  declaredIndoorCapability,
  indoorOrderOf,
  isAwaitingEffect,
} from '../../engine/indoor/tables.ts'
import type { DiningTable } from '../../engine/indoor/world.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { assertNever } from '../../protocol/result.ts'
import { drawDuration, plan } from './planning.ts'
import {
  drawVisitPlan,
  type GuestBehaviour,
  guestBehaviours,
  guestTrials,
  type VisitPlan,
} from './indoor-behaviour.ts'
import type { BehaviourName } from './behaviour.ts'
import type { TableCommand } from '../../engine/indoor/commands.ts'
import type { Instant } from '../../engine/instant.ts'
import { drawWeighted, weightedBy } from '../seed-data/draw.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import { fromUnits, toUnits } from '../../protocol/orders/price.ts'

// The next step at a table by the account that was read last; actions are counted, so each is done once.

/** The inputs for the next step: the table, the plan, and further knowledge of the client. */
interface VisitState {
  readonly table: DiningTable
  readonly visit: VisitPlan
  readonly now: Instant
  /** When a fiscal document is requested: before closing, after it, or never. */
  readonly document: 'before' | 'after' | 'none'
  /** Another table to which items may be transferred. */
  readonly neighbour?: DiningTable | undefined
}

type VisitStep =
  | { readonly kind: 'act'; readonly command: TableCommand }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Only reads are left: of the account, or of its documents. */
  | { readonly kind: 'watch'; readonly what: 'account' | 'documents' }
  | { readonly kind: 'leave' }

const act = (command: TableCommand): VisitStep => ({ kind: 'act', command })

const unitsPerCent = toUnits(0.01)

/** The next of `left` shares in whole cents; the last share is all that is due. */
function shareOfDue(due: number, left: number): number {
  const units = toUnits(due)
  const share = Math.floor(units / Math.max(1, left) / unitsPerCent) * unitsPerCent
  return left <= 1 || share <= 0 ? due : fromUnits(share)
}

const actionCount = ({ asks }: DiningTable, asked: keyof DiningTable['asks']): number =>
  asks[asked] ?? 0

function payment({ table, visit }: VisitState, left: number): VisitStep {
  const due = table.account?.due ?? 0
  const amount = shareOfDue(due, left)
  const tip = visit.tips
    ? { tip: fromUnits(Math.floor(toUnits(amount) / 10 / unitsPerCent) * unitsPerCent) }
    : {}
  return act({
    kind: 'table.pay',
    tableId: table.tableId,
    amount,
    methodInfo: visit.method,
    ...tip,
  })
}

/** An action to do once, at this fraction of the stay after the first order; undefined when not planned. */
interface PlannedAction {
  readonly part: number
  readonly step: VisitStep | undefined
}

type Forced = { readonly force?: true }

/** Whether the guest has not done it yet: once as it may be, and once more by force. */
const isLeft = (asked: 'cancel-item' | 'transfer', planned: boolean, { table }: VisitState) =>
  actionCount(table, asked) <= (planned ? 1 : 0)

/** The guest cancels the first item of several. */
function itemCancel({ table }: VisitState, forced: Forced = {}): VisitStep | undefined {
  const { tableId, account } = table
  const [first, ...more] = (account?.items ?? []).filter(({ isActive }) => isActive)
  if (!first || more.length === 0) return undefined
  const { itemId } = first
  return act({ kind: 'table.cancel-item', tableId, itemId, reason: 'mudou de ideia', ...forced })
}

/** The guest moves the last item of several; without a target table none. */
function itemTransfer(
  { table, neighbour }: VisitState,
  forced: Forced = {},
): VisitStep | undefined {
  const { tableId, account } = table
  const [last, ...more] = (account?.items ?? []).filter(({ isActive }) => isActive).toReversed()
  if (!last || more.length === 0) return undefined
  return (
    neighbour &&
    act({
      kind: 'table.transfer',
      tableId,
      targetTableId: neighbour.tableId,
      itemIds: [last.itemId],
      reason: 'mudou de mesa',
      ...forced,
    })
  )
}

/** The guest's actions while the account is in use, in order. */
function actionsInUse(setting: VisitState): readonly PlannedAction[] {
  const { table, visit } = setting
  const { tableId, account } = table
  const due = account?.due ?? 0
  const isPaid = actionCount(table, 'pay') > 0
  const paysEarly = visit.paysEarly && !isPaid && due > 0
  const closes = visit.closesInUse && actionCount(table, 'close') === 0
  const transfer =
    visit.transfers &&
    actionCount(table, 'transfer') === 0 &&
    setting.now < table.begunAt + visit.stayMs
      ? itemTransfer(setting)
      : undefined
  return [
    {
      part: 0.3,
      step:
        visit.cancelsItem && actionCount(table, 'cancel-item') === 0
          ? itemCancel(setting)
          : undefined,
    },
    { part: 0.5, step: transfer },
    { part: 0.6, step: closes && !isPaid && due > 0 ? payment(setting, 1) : undefined },
    {
      part: 0.6,
      step:
        closes && isPaid
          ? act({ kind: 'table.move', tableId, trigger: 'close', force: true })
          : undefined,
    },
    { part: 0.7, step: paysEarly ? payment(setting, visit.splits + 1) : undefined },
    // Guests who came meanwhile take over what these leave.
    { part: 0.95, step: transfer },
    { part: 1, step: act({ kind: 'table.move', tableId, trigger: 'pre-close' }) },
  ]
}

/** After an unlock: another round, as a fraction of the first stay. */
const secondRoundFraction = 0.3

/** When a part of the stay is over: of the first one, or of the round after an unlock. */
function partOver(part: number, table: DiningTable, { stayMs }: VisitPlan): Instant {
  const isBack = actionCount(table, 'unlock') > 0
  const fraction = isBack ? part * secondRoundFraction : part
  return (isBack ? table.since : table.begunAt) + Math.round(stayMs * fraction)
}

function inUse(setting: VisitState): VisitStep {
  const { table, visit, now } = setting
  const actions = actionsInUse(setting).map(({ part, step }) => ({
    at: partOver(part, table, visit),
    step,
  }))
  for (const { at, step } of actions) {
    if (!step) continue
    return at > now ? { kind: 'wait', ms: at - now } : step
  }
  return { kind: 'watch', what: 'account' }
}

function inPayment(setting: VisitState): VisitStep {
  const { table, visit, document, now } = setting
  const { tableId, account } = table
  const due = account?.due ?? 0
  const lingersFor = table.since + visit.lingerMs - now
  if (lingersFor > 0 && actionCount(table, 'unlock') === 0) return { kind: 'wait', ms: lingersFor }
  if (visit.insists && actionCount(table, 'pre-close') === 1)
    return act({ kind: 'table.move', tableId, trigger: 'pre-close', force: true })
  if (visit.asksEarly && document !== 'none' && actionCount(table, 'request-fiscal') === 0)
    return act({ kind: 'table.request-fiscal', tableId })
  const force = { force: true } as const
  const change =
    (visit.changesLocked && isLeft('cancel-item', visit.cancelsItem, setting)
      ? itemCancel(setting, force)
      : undefined) ??
    (visit.changesLocked && isLeft('transfer', visit.transfers, setting)
      ? itemTransfer(setting, force)
      : undefined)
  if (change) return change
  if (visit.unlocks && actionCount(table, 'unlock') === 0)
    return act({ kind: 'table.move', tableId, trigger: 'unlock', reason: 'mais uma rodada' })
  if (visit.closesUnpaid && actionCount(table, 'close') === 0 && due > 0)
    return act({ kind: 'table.move', tableId, trigger: 'close', force: true })
  if (due > 0) return payment(setting, visit.splits - actionCount(table, 'pay'))
  if (document === 'before' && actionCount(table, 'request-fiscal') === 0 && !account?.isIssued)
    return act({ kind: 'table.request-fiscal', tableId })
  return act({ kind: 'table.move', tableId, trigger: 'close' })
}

/** Maximum number of document requests when issuances fail. */
const maxRequests = 2

function closed({ table, visit, document }: VisitState): VisitStep {
  const { tableId, account, fiscal } = table
  if (visit.repeatsClose && actionCount(table, 'close') === 1)
    return act({ kind: 'table.move', tableId, trigger: 'close', force: true })
  if (visit.comesBack && actionCount(table, 'unlock') < (visit.unlocks ? 2 : 1))
    return act({ kind: 'table.move', tableId, trigger: 'unlock', force: true })
  const asked = actionCount(table, 'request-fiscal')
  const isThere = fiscal === 'issued' || account?.isIssued === true
  if (isThere || document === 'none') return { kind: 'leave' }
  if (document === 'before' && asked === 0) return { kind: 'leave' }
  const again = fiscal === 'error' && asked < maxRequests
  if (document === 'after' && (asked === 0 || again))
    return act({ kind: 'table.request-fiscal', tableId, printDocument: true })
  return fiscal === 'error' ? { kind: 'leave' } : { kind: 'watch', what: 'documents' }
}

/** The next step at a table, by the account's last known status. */
function nextVisitStep(setting: VisitState): VisitStep {
  switch (setting.table.status) {
    case 'IN_USE':
      return inUse(setting)
    case 'IN_PAYMENT':
      return inPayment(setting)
    case 'CLOSED':
      return closed(setting)
    default:
      return { kind: 'watch', what: 'account' }
  }
}

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
  guest: GuestBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const chance = context.chance(stream)
  const retryDelay = (): number => drawDuration(guest.lookAgain, chance)
  if (table.over !== undefined) return []
  if (isAwaitingEffect(table)) return [scheduleRead(table, retryDelay())]
  const visit = drawVisitPlan(table, guest, chance)
  const step = nextVisitStep({
    table,
    visit,
    now: context.now,
    document: documentFor(table, visit, context),
    ...(visit.transfers || visit.changesLocked ? { neighbour: neighbourOf(table, context) } : {}),
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
      return [plan({ kind: 'table.leave', tableId }, 0), ...(visit.checks ? check(table) : [])]
    default:
      return assertNever(step)
  }
}

/** What is read of a closed account, when the guest has gone. */
const check = ({ tableId, accountId }: DiningTable): readonly PlannedCommand[] => [
  plan({ kind: 'table.list', tableId, what: 'payments' }, 100),
  plan({ kind: 'table.list', tableId, what: 'documents' }, 200),
  ...(accountId === undefined ? [] : [plan({ kind: 'table.look', tableId, byId: true }, 300)]),
]

/** What a host must refuse, or answer as the call before it. */
function repetition(
  { act: asked, tableId }: Extract<Fact, { kind: 'table.accepted' }>,
  table: DiningTable,
  visit: VisitPlan,
): readonly PlannedCommand[] {
  if (actionCount(table, asked) !== 1) return []
  if (asked === 'pre-close' && visit.repeatsPreClose)
    return [plan({ kind: 'table.move', tableId, trigger: 'pre-close', force: true }, 250)]
  const amount = table.account?.amount ?? 0
  // Only after a close that may take effect: everything was paid.
  return asked === 'close' && visit.paysLate && amount > 0 && table.account?.due === 0
    ? [plan({ kind: 'table.pay', tableId, amount, methodInfo: visit.method, force: true }, 250)]
    : []
}

/** Backoff after a failed read or a refused call. */
const backoffRead = (table: DiningTable): PlannedCommand =>
  scheduleRead(table, Math.min(60_000, 1000 * 2 ** Math.min(table.quiet, 6)))

export const indoorGuest = (behaviour: BehaviourName, tries: boolean): Reactor => {
  const guest = {
    ...guestBehaviours[behaviour],
    ...(tries && behaviour === 'prompt' ? guestTrials : {}),
  }
  return (fact, context) => {
    const { tables, active: openTables } = context.world.indoor.guest
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
        return [...openTables].flatMap((id) =>
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
        return whenActive(fact.tableId, (table) => [
          scheduleRead(table, readDelay()),
          ...repetition(fact, table, drawVisitPlan(table, guest, context.chance(stream))),
        ])
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

/** The place of a generated order, where it is not drawn freely. */
export interface OrderPlace {
  readonly merchantId: string
  /** Of a table; the order comes to another one of the merchant when it is absent. */
  readonly place?: IndoorPlace
}

type IndoorPlace = Pick<IndoorBlock, 'operationMode' | 'identifier'>

/** Where a generated order comes to, where guests are at tables: to one of theirs, beside them, where some were, anywhere. */
const placeWeights = { SAME: 4, BESIDE: 4, AGAIN: 1, ANYWHERE: 1 } as const

/** An account takes so many orders, that visits do not become endless bills. */
const maxOrdersOfVisit = 4

/** Around the moments at which an account is locked and unlocked: calls and reads take time. */
const marginMs = 1000

const placeOf = (table: DiningTable | undefined): OrderPlace | undefined => {
  const { merchantId, operationMode, identifier } = table ?? {}
  return merchantId === undefined || operationMode === undefined || identifier === undefined
    ? undefined
    : { merchantId, place: { operationMode, identifier } }
}

/**
 * The place of an INDOOR order that is due at a time: at a table whose bill lies on it then, else as the weights say.
 * Undefined when it is drawn freely.
 */
export function placeOfOrder(
  due: Instant,
  behaviour: BehaviourName,
  context: DecisionContext,
): OrderPlace | undefined {
  const { active, over, tables } = context.world.indoor.guest
  const guest = guestBehaviours[behaviour]
  const visits = [...active].slice(-maxNeighbours).flatMap((tableId) => {
    const table = tables.get(tableId)
    if (!table) return []
    const visit = drawVisitPlan(table, guest, context.chance(stream))
    return [{ table, visit, billAt: partOver(1, table, visit) }]
  })
  const locked = visits.find(
    ({ table, visit, billAt }) =>
      actionCount(table, 'unlock') === 0 &&
      due > billAt + marginMs &&
      due < billAt + visit.lingerMs - marginMs,
  )
  if (locked) return placeOf(locked.table)
  const open = visits.filter(
    ({ table, billAt }) =>
      table.status === 'IN_USE' &&
      (table.account?.orders.length ?? 0) < maxOrdersOfVisit &&
      due < billAt - 2 * marginMs,
  )
  if (open.length === 0) return undefined
  const chance = context.chance('indoor-places')
  const one = placeOf(chance.pick(open).table)
  const places: Readonly<Record<keyof typeof placeWeights, OrderPlace | undefined>> = {
    SAME: one,
    BESIDE: one && { merchantId: one.merchantId },
    AGAIN: placeOf(tables.get([...over].at(-1) ?? '')),
    ANYWHERE: undefined,
  }
  return places[drawWeighted(chance, weightedBy(placeWeights))]
}
