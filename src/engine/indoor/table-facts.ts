/** Reducer for table facts at the Ordering Application. */
import { compact } from '../../compact.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import { unreachable } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import type { TableFact, TableNames } from './fact.ts'
import { indoorBounds, keyOf, placeOf, type Table, type TablesWorld } from './world.ts'

type Of<Kind extends TableFact['kind']> = Extract<TableFact, { kind: Kind }>

function change(
  world: TablesWorld,
  tableId: string,
  changes: (table: Table) => Partial<Table>,
): void {
  const table = world.tables.get(tableId)
  if (table) world.tables.set(tableId, { ...table, ...changes(table) })
}

/** Clears the pending action. */
function answered(world: TablesWorld, tableId: string): void {
  const table = world.tables.get(tableId)
  if (!table) return
  const { asked: _asked, accepted: _accepted, ...rest } = table
  world.tables.set(tableId, rest)
}

/** Clears the postponed read. */
function lookedAt(world: TablesWorld, tableId: string): void {
  const table = world.tables.get(tableId)
  if (!table?.putOff) return
  const { putOff: _putOff, ...rest } = table
  world.tables.set(tableId, rest)
}

const begun = (tableId: string, at: Instant): Table => ({
  tableId,
  asks: {},
  round: 0,
  quiet: 0,
  begunAt: at,
  since: at,
  way: [],
})

/** The table of this identity, updated with it: created when unknown, reset when `anew`. */
function named(world: TablesWorld, names: TableNames, at: Instant, anew: boolean): Table {
  const known = world.tables.get(names.tableId)
  const table: Table = { ...(known && !anew ? known : begun(names.tableId, at)), ...names }
  if (anew) world.over.delete(names.tableId)
  world.tables.set(table.tableId, table)
  if (table.over === undefined) world.sitting.add(table.tableId)
  const { tableId, accountId, merchantId, operationMode, identifier } = table
  if (accountId !== undefined) world.byAccount.set(accountId, tableId)
  if (operationMode !== undefined && identifier !== undefined && table.over === undefined) {
    const place = placeOf(operationMode, identifier)
    world.byKey.set(keyOf(place), tableId)
    if (merchantId !== undefined) world.byKey.set(keyOf(place, merchantId), tableId)
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
      if (fact.act === 'request-fiscal') answered(world, fact.tableId)
      return
    case 'table.refused':
      answered(world, fact.tableId)
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
      return unreachable(fact)
  }
}

const outcomes: ReadonlyMap<string, Table['fiscal']> = new Map([
  ['FISCAL_ISSUED', 'issued'],
  ['FISCAL_ERROR', 'error'],
])

function applyHeard(world: TablesWorld, fact: Of<'table.heard'>, at: Instant): void {
  const { eventId, eventType, table: names } = fact
  addBounded(world.seen, eventId, indoorBounds.seenEvents)
  if (!names) return
  const before = world.tables.get(names.tableId)
  // Where accounts have no ids, successive visits share the place's id.
  const anew = before?.over !== undefined && eventType === 'ACCOUNT_OPENED'
  const { tableId } = named(world, names, at, anew)
  const fiscal = outcomes.get(eventType)
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
  const anew = before?.over !== undefined && account.status !== 'CLOSED'
  const { tableId, account: read, status, way, quiet, since, round } = named(world, names, at, anew)
  const news = differs(read, account)
  const moved = status !== account.status
  if (news) answered(world, tableId)
  lookedAt(world, tableId)
  change(world, tableId, () => ({
    account,
    status: account.status,
    round: round + 1,
    quiet: news ? 0 : quiet + 1,
    since: moved ? at : since,
    way: moved ? [...way, { status: account.status, at }] : way,
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
  answered(world, tableId)
  change(world, tableId, () => ({ over: because }))
  world.sitting.delete(tableId)
  const forgotten = addBounded(world.over, tableId, indoorBounds.tablesOver)
  if (forgotten === undefined) return
  const table = world.tables.get(forgotten)
  world.tables.delete(forgotten)
  if (!table) return
  const { accountId, operationMode, identifier, merchantId } = table
  if (accountId !== undefined) world.byAccount.delete(accountId)
  if (operationMode === undefined || identifier === undefined) return
  const place = placeOf(operationMode, identifier)
  for (const key of [keyOf(place), keyOf(place, merchantId)])
    if (world.byKey.get(key) === forgotten) world.byKey.delete(key)
}
