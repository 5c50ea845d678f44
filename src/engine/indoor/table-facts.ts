/** Reducer for table facts at the Ordering Application. */
import { compact } from '../../compact.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import type { TableFact, TableIdentity } from './fact.ts'
import {
  indoorBounds,
  diningPlaceKey,
  diningPlace,
  type DiningTable,
  type TablesWorld,
} from './world.ts'

type Of<Kind extends TableFact['kind']> = Extract<TableFact, { kind: Kind }>

function change(
  world: TablesWorld,
  tableId: string,
  changes: (table: DiningTable) => Partial<DiningTable>,
): void {
  const table = world.tables.get(tableId)
  if (table) world.tables.set(tableId, { ...table, ...changes(table) })
}

/** Clears the pending action. */
function clearPending(world: TablesWorld, tableId: string): void {
  const table = world.tables.get(tableId)
  if (!table) return
  const { asked: _asked, accepted: _accepted, ...rest } = table
  world.tables.set(tableId, rest)
}

/** Clears the postponed read. */
function clearPostponed(world: TablesWorld, tableId: string): void {
  const table = world.tables.get(tableId)
  if (!table?.putOff) return
  const { putOff: _putOff, ...rest } = table
  world.tables.set(tableId, rest)
}

const newTable = (tableId: string, at: Instant): DiningTable => ({
  tableId,
  asks: {},
  round: 0,
  quiet: 0,
  begunAt: at,
  since: at,
  way: [],
})

/** The table of this identity, updated with it: created when unknown, reset when `anew`. */
function upsertTable(
  world: TablesWorld,
  names: TableIdentity,
  at: Instant,
  isNewVisit: boolean,
): DiningTable {
  const known = world.tables.get(names.tableId)
  const table: DiningTable = {
    ...(known && !isNewVisit ? known : newTable(names.tableId, at)),
    ...names,
  }
  if (isNewVisit) world.over.delete(names.tableId)
  world.tables.set(table.tableId, table)
  if (table.over === undefined) world.active.add(table.tableId)
  const { tableId, accountId, merchantId, operationMode, identifier } = table
  if (accountId !== undefined) world.byAccount.set(accountId, tableId)
  if (operationMode !== undefined && identifier !== undefined && table.over === undefined) {
    const place = diningPlace(operationMode, identifier)
    world.byKey.set(diningPlaceKey(place), tableId)
    if (merchantId !== undefined) world.byKey.set(diningPlaceKey(place, merchantId), tableId)
  }
  return table
}

export function applyTable(world: TablesWorld, fact: TableFact, at: Instant): void {
  switch (fact.kind) {
    case 'table.heard':
      return applyHeard(world, fact, at)
    case 'table.read':
      return applyRead(world, fact, at)
    case 'table.asked':
      return applyAsked(world, fact)
    case 'table.accepted':
      change(world, fact.tableId, ({ round }) => ({ round: round + 1, accepted: true }))
      // The outcome arrives by a fiscal event, so nothing is pending here.
      if (fact.act === 'request-fiscal') clearPending(world, fact.tableId)
      return
    case 'table.refused':
      clearPending(world, fact.tableId)
      return change(world, fact.tableId, ({ round, quiet }) => ({
        round: round + 1,
        quiet: quiet + 1,
        ...(fact.elsewhere ? { elsewhere: true } : {}),
      }))
    case 'table.documents-read': {
      const { statuses } = fact
      const ended = statuses.includes('ISSUED')
        ? ({ fiscal: 'issued' } as const)
        : statuses.includes('ERROR') && !statuses.includes('PENDING')
          ? ({ fiscal: 'error' } as const)
          : undefined
      return change(world, fact.tableId, ({ round, quiet }) => ({
        round: round + 1,
        quiet: ended ? 0 : quiet + 1,
        ...ended,
      }))
    }
    case 'table.left':
      return applyLeft(world, fact)
    case 'table.put-off':
      return change(world, fact.tableId, () => ({ putOff: true }))
    case 'table.event-repeated':
    case 'table.missing':
    case 'table.payments-read':
      return
    default:
      return assertNever(fact)
  }
}

const fiscalOutcomes: ReadonlyMap<string, DiningTable['fiscal']> = new Map([
  ['FISCAL_ISSUED', 'issued'],
  ['FISCAL_ERROR', 'error'],
])

function applyHeard(world: TablesWorld, fact: Of<'table.heard'>, at: Instant): void {
  const { eventId, eventType, table: names } = fact
  addBounded(world.seen, eventId, indoorBounds.seenEvents)
  if (!names) return
  const before = world.tables.get(names.tableId)
  // Where accounts have no ids, successive visits share the place's id.
  const isNewVisit = before?.over !== undefined && eventType === 'ACCOUNT_OPENED'
  const { tableId } = upsertTable(world, names, at, isNewVisit)
  const fiscal = fiscalOutcomes.get(eventType)
  change(world, tableId, ({ round }) => ({
    round: round + 1,
    quiet: 0,
    ...compact({ fiscal }),
  }))
}

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

function applyRead(
  world: TablesWorld,
  { table: names, account }: Of<'table.read'>,
  at: Instant,
): void {
  const before = world.tables.get(names.tableId)
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
    status: account.status,
    round: round + 1,
    quiet: hasChanged ? 0 : quiet + 1,
    since: statusChanged ? at : since,
    way: statusChanged ? [...way, { status: account.status, at }] : way,
  }))
}

function applyAsked(world: TablesWorld, { tableId, act }: Of<'table.asked'>): void {
  const table = world.tables.get(tableId)
  if (!table) return
  const { fiscal, accepted: _accepted, ...rest } = table
  world.tables.set(tableId, {
    ...rest,
    asked: act,
    // A first call of its kind restarts the count of unchanged reads, which belonged to another action.
    quiet: table.asks[act] === undefined ? 0 : table.quiet,
    asks: { ...table.asks, [act]: (table.asks[act] ?? 0) + 1 },
    // A new request gets its own outcome.
    ...(act === 'request-fiscal' || fiscal === undefined ? {} : { fiscal }),
  })
}

function applyLeft(world: TablesWorld, { tableId, because }: Of<'table.left'>): void {
  clearPending(world, tableId)
  change(world, tableId, () => ({ over: because }))
  world.active.delete(tableId)
  const evicted = addBounded(world.over, tableId, indoorBounds.tablesOver)
  if (evicted === undefined) return
  const table = world.tables.get(evicted)
  world.tables.delete(evicted)
  if (!table) return
  const { accountId, operationMode, identifier, merchantId } = table
  if (accountId !== undefined) world.byAccount.delete(accountId)
  if (operationMode === undefined || identifier === undefined) return
  const place = diningPlace(operationMode, identifier)
  for (const key of [diningPlaceKey(place), diningPlaceKey(place, merchantId)])
    if (world.byKey.get(key) === evicted) world.byKey.delete(key)
}
