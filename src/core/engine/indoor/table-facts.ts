/** Facts of guests' visits at the Ordering Application. */
import { compact } from '../../base/compact.ts'
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import { addBounded } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import { listCount } from '../short-text.ts'
import type { World } from '../world.ts'
import {
  diningPlace,
  diningPlaceKey,
  type DiningTable,
  indoorBounds,
  type TableAction,
  type TableEvent,
} from './world.ts'

/** The identifiers of a guest's visit, as far as the event or the reply contained them. */
export interface TableIdentity {
  readonly tableId: string
  readonly accountId?: string
  readonly merchantId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
}

/** `TABLE 7`, or the id of an account of which no more is known. */
function placeOf(table: TableIdentity, { indoor: { guest } }: World): string {
  const { operationMode, identifier, tableId } = { ...guest.tables.get(table.tableId), ...table }
  return operationMode && identifier ? diningPlace(operationMode, identifier) : tableId
}

function change(
  { indoor: { guest } }: World,
  tableId: string,
  changes: (table: DiningTable) => Partial<DiningTable>,
): void {
  const table = guest.tables.get(tableId)
  if (table) guest.tables.set(tableId, { ...table, ...changes(table) })
}

/** Clears the pending action. */
function clearPending({ indoor: { guest } }: World, tableId: string): void {
  const table = guest.tables.get(tableId)
  if (!table) return
  const { asked: _asked, accepted: _accepted, ...rest } = table
  guest.tables.set(tableId, rest)
}

/** Clears the postponed read. */
function clearPostponed({ indoor: { guest } }: World, tableId: string): void {
  const table = guest.tables.get(tableId)
  if (!table?.putOff) return
  const { putOff: _putOff, ...rest } = table
  guest.tables.set(tableId, rest)
}

const newTable = (tableId: string, at: Instant, nth: number): DiningTable => ({
  tableId,
  nth,
  events: [],
  asks: {},
  round: 0,
  quiet: 0,
  begunAt: at,
  since: at,
  way: [],
})

/** The table of this identity, updated with it: created when unknown, reset when `isNewVisit`. */
function upsertTable(
  { indoor: { guest } }: World,
  names: TableIdentity,
  at: Instant,
  isNewVisit: boolean,
): DiningTable {
  const known = guest.tables.get(names.tableId)
  const table: DiningTable = {
    ...(known && !isNewVisit
      ? known
      : newTable(names.tableId, at, guest.active.size + guest.over.size)),
    ...names,
  }
  if (isNewVisit) guest.over.delete(names.tableId)
  guest.tables.set(table.tableId, table)
  if (table.over === undefined) guest.active.add(table.tableId)
  const { tableId, accountId, merchantId, operationMode, identifier } = table
  if (accountId !== undefined) guest.byAccount.set(accountId, tableId)
  if (operationMode !== undefined && identifier !== undefined && table.over === undefined) {
    const place = diningPlace(operationMode, identifier)
    guest.byKey.set(diningPlaceKey(place), tableId)
    if (merchantId !== undefined) guest.byKey.set(diningPlaceKey(place, merchantId), tableId)
  }
  return table
}

/** Marks a visit as finished, and evicts the oldest finished one beyond the limit. */
function finish({ indoor: { guest } }: World, tableId: string): void {
  guest.active.delete(tableId)
  const evicted = addBounded(guest.over, tableId, indoorBounds.tablesOver)
  if (evicted === undefined) return
  const table = guest.tables.get(evicted)
  guest.tables.delete(evicted)
  if (!table) return
  const { accountId, operationMode, identifier, merchantId } = table
  if (accountId !== undefined) guest.byAccount.delete(accountId)
  if (operationMode === undefined || identifier === undefined) return
  const place = diningPlace(operationMode, identifier)
  for (const key of [diningPlaceKey(place), diningPlaceKey(place, merchantId)])
    if (guest.byKey.get(key) === evicted) guest.byKey.delete(key)
}

const fiscalOutcomes: ReadonlyMap<string, DiningTable['fiscal']> = new Map([
  ['FISCAL_ISSUED', 'issued'],
  ['FISCAL_ERROR', 'error'],
])

/** A payment that an event or a reply named; the amount of one without an id stands for it. */
export interface NamedPayment {
  readonly paymentId?: string
  readonly amount: number
}

const paymentKey = ({ paymentId, amount }: NamedPayment): string =>
  paymentId ?? `of ${amount.toFixed(2)}`

/** Adds a payment to those since the last read; the event and the reply about one payment are the same payment. */
function withPayment(
  { newPayments = {} }: DiningTable,
  payment: NamedPayment,
): Pick<DiningTable, 'newPayments'> {
  const key = paymentKey(payment)
  const { [paymentKey({ amount: payment.amount })]: _unnamed, ...others } = newPayments
  const isKnown =
    payment.paymentId === undefined && Object.values(newPayments).includes(payment.amount)
  return isKnown ? {} : { newPayments: { ...others, [key]: payment.amount } }
}

/** Whether an event moves the status: no older one undoes a newer one, and a closed account stays closed. */
const isMoved = (
  { status, changedAt }: DiningTable,
  after: AccountStatus | undefined,
  occurredAt: Instant | undefined,
): after is AccountStatus =>
  after !== undefined &&
  after !== status &&
  status !== 'CLOSED' &&
  (occurredAt === undefined || changedAt === undefined || occurredAt >= changedAt)

const withEvent = ({ events }: DiningTable, event: TableEvent): Pick<DiningTable, 'events'> => ({
  events: [...events, event].slice(-indoorBounds.tableEvents),
})

/** Whether two reads of an account differ. */
const differs = (a: ReadAccount | undefined, b: ReadAccount): boolean =>
  a === undefined ||
  a.status !== b.status ||
  a.lastEvent !== b.lastEvent ||
  a.amount !== b.amount ||
  a.paid !== b.paid ||
  a.due !== b.due ||
  a.isIssued !== b.isIssued ||
  a.items.length !== b.items.length ||
  a.items.some(({ isActive }, index) => isActive !== b.items[index]?.isActive)

export const tableFacts = {
  /** The Ordering Application stored an account event with a new id. */
  'table.heard': factRow<{
    eventId: string
    eventType: string
    orderId?: string
    /** The visit that the event belongs to, if it can be identified. */
    table?: TableIdentity
    /** The status that it announces, and when it occurred at the host. */
    after?: AccountStatus
    occurredAt?: Instant
    payment?: NamedPayment
  }>({
    text: ({ eventType, table }, world) =>
      `OA received ${eventType}${table ? ` of ${placeOf(table, world)}` : ''}`,
    apply(world, { eventId, eventType, table: names, after, occurredAt, payment }, at) {
      const { guest } = world.indoor
      addBounded(guest.seen, eventId, indoorBounds.seenEvents)
      if (!names) return
      const before = guest.tables.get(names.tableId)
      // Where accounts have no ids, successive visits share the place's id.
      const isNewVisit = before?.over !== undefined && eventType === 'ACCOUNT_OPENED'
      const { tableId } = upsertTable(world, names, at, isNewVisit)
      const fiscal = fiscalOutcomes.get(eventType)
      change(world, tableId, (table) => ({
        round: table.round + 1,
        quiet: 0,
        ...withEvent(table, { eventId, eventType, at }),
        ...(payment ? withPayment(table, payment) : {}),
        ...(isMoved(table, after, occurredAt)
          ? {
              status: after,
              since: at,
              way: [...table.way, { status: after, at, trigger: eventType }],
              ...compact({ changedAt: occurredAt }),
            }
          : {}),
        ...compact({ fiscal }),
      }))
    },
  }),
  /** A duplicate account event was ignored. */
  'table.event-repeated': factRow<{ eventId: string }>({
    text: () => 'OA received an account event again',
  }),
  /** The Ordering Application read the account. */
  'table.read': factRow<{ table: TableIdentity; account: ReadAccount }>({
    text: ({ table, account: { status, paid, amount } }, world) =>
      `OA read ${placeOf(table, world)}: ${status}, ${paid.toFixed(2)} of ${amount.toFixed(2)} paid`,
    apply(world, { table: names, account }, at) {
      const before = world.indoor.guest.tables.get(names.tableId)
      const isNewVisit = before?.over !== undefined && account.status !== 'CLOSED'
      const {
        tableId,
        account: previous,
        status,
        way,
        quiet,
        since,
        round,
      } = upsertTable(world, names, at, isNewVisit)
      const hasChanged = differs(previous, account)
      const statusChanged = status !== account.status
      if (hasChanged) clearPending(world, tableId)
      clearPostponed(world, tableId)
      change(world, tableId, () => ({
        account,
        newPayments: {},
        status: account.status,
        round: round + 1,
        quiet: hasChanged ? 0 : quiet + 1,
        since: statusChanged ? at : since,
        way: statusChanged ? [...way, { status: account.status, at }] : way,
      }))
    },
  }),
  /** The account's sums do not follow from what it lists, as they did when it was read before. */
  'table.differs': factRow<{ table: TableIdentity; differences: readonly string[] }>({
    text: ({ table, differences }, world) =>
      `the account of ${placeOf(table, world)}: ${differences.join('; ')}`,
  }),
  /** It called the host for this action; the call is in flight. */
  'table.asked': factRow<{ tableId: string; act: TableAction }>({
    text: ({ act }) => `OA asks: ${act}`,
    apply({ indoor: { guest } }, { tableId, act }) {
      const table = guest.tables.get(tableId)
      if (!table) return
      const { fiscal, accepted: _accepted, ...rest } = table
      guest.tables.set(tableId, {
        ...rest,
        asked: act,
        // A first call of its kind restarts the count of unchanged reads, which belonged to another action.
        quiet: table.asks[act] === undefined ? 0 : table.quiet,
        asks: { ...table.asks, [act]: (table.asks[act] ?? 0) + 1 },
        // A new request gets its own outcome.
        ...(act === 'request-fiscal' || fiscal === undefined ? {} : { fiscal }),
      })
    },
  }),
  /** The host accepted the call. */
  'table.accepted': factRow<{ tableId: string; act: TableAction; payment?: NamedPayment }>({
    text: ({ act }) => `OA may: ${act}`,
    apply(world, { tableId, act, payment }) {
      change(world, tableId, (table) => ({
        round: table.round + 1,
        accepted: true,
        ...(payment ? withPayment(table, payment) : {}),
      }))
      // The outcome arrives by a fiscal event, so nothing is pending here.
      if (act === 'request-fiscal') clearPending(world, tableId)
    },
  }),
  /** The host refused the call. */
  'table.refused': factRow<{
    tableId: string
    act: TableAction | 'read'
    because: string
    /** Another account is at the place by now: this one must be read by its id. */
    elsewhere?: true
  }>({
    text: ({ act, because }) => `OA was refused ${act}: ${because}`,
    apply(world, { tableId, elsewhere }) {
      clearPending(world, tableId)
      change(world, tableId, ({ round, quiet }) => ({
        round: round + 1,
        quiet: quiet + 1,
        ...compact({ elsewhere }),
      }))
    },
  }),
  /** A read is postponed until the host may be called. */
  'table.put-off': factRow<{ tableId: string }>({
    text: () => 'OA may not read the account yet',
    apply: (world, { tableId }) => change(world, tableId, () => ({ putOff: true })),
  }),
  /** No account was found for the order. */
  'table.missing': factRow<{ orderId: string }>({
    text: () => 'OA finds no account of the order',
  }),
  /** It read the account's payments. */
  'table.payments-read': factRow<{ tableId: string; count: number }>({
    text: ({ count }) => `OA read ${count} payments`,
  }),
  /** It read the account's fiscal documents; their statuses. */
  'table.documents-read': factRow<{ tableId: string; statuses: readonly string[] }>({
    text: ({ statuses }) =>
      `OA read ${listCount(statuses, 'fiscal document')}: ${statuses.join(', ')}`,
    apply(world, { tableId, statuses }) {
      const ended = statuses.includes('ISSUED')
        ? ({ fiscal: 'issued' } as const)
        : statuses.includes('ERROR') && !statuses.includes('PENDING')
          ? ({ fiscal: 'error' } as const)
          : undefined
      change(world, tableId, ({ round, quiet }) => ({
        round: round + 1,
        quiet: ended ? 0 : quiet + 1,
        ...ended,
      }))
    },
  }),
  /** The visit ended: the guest left, or too many reads showed no change. */
  'table.left': factRow<{ tableId: string; because: 'gone' | 'stuck' }>({
    text: ({ because }) => (because === 'gone' ? 'the guest has gone' : 'OA gives up waiting'),
    apply(world, { tableId, because }) {
      clearPending(world, tableId)
      change(world, tableId, () => ({ over: because }))
      finish(world, tableId)
    },
  }),
}
