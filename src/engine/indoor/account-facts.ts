/** Reducer for account facts at the host. Totals are not stored: they are summed from the records on every read. */
import { compact } from '../../compact.ts'
import { accountSums } from '../../protocol/indoor/totals.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import { type Instant, isoOf } from '../instant.ts'
import { indexClosedAccount, indexOpenAccount, evictAccount } from './account-index.ts'
import type { AccountFact, AccountBooking } from './fact.ts'
import {
  type AccountLine,
  type DiningAccountRecord,
  type AccountsWorld,
  type BookedOrder,
  indoorBounds,
} from './world.ts'

type Of<Kind extends AccountFact['kind']> = Extract<AccountFact, { kind: Kind }>

/** Merges the changes into the account and sets the last announced event. */
function change(
  world: AccountsWorld,
  {
    accountId,
    lastEvent,
  }: { readonly accountId: string; readonly lastEvent?: DiningAccountRecord['lastEvent'] },
  changes: (account: DiningAccountRecord) => Partial<DiningAccountRecord>,
): void {
  const account = world.accounts.get(accountId)
  if (!account) return
  const announcement = lastEvent === undefined ? {} : { lastEvent }
  world.accounts.set(accountId, { ...account, ...changes(account), ...announcement })
}

function changeOrder(
  world: AccountsWorld,
  orderId: string,
  changes: (order: BookedOrder) => Partial<BookedOrder>,
): void {
  const order = world.orders.get(orderId)
  if (order) world.orders.set(orderId, { ...order, ...changes(order) })
}

/** The items, with those whose ids match replaced. */
const replaced = (
  items: readonly AccountLine[],
  lines: readonly AccountLine[],
): readonly AccountLine[] =>
  items.map((item) => lines.find(({ itemId }) => itemId === item.itemId) ?? item)

export function applyAccount(world: AccountsWorld, fact: AccountFact, at: Instant): void {
  switch (fact.kind) {
    case 'account.opened':
      return applyOpened(world, fact, at)
    case 'account.items-added':
      return applyBooking(world, fact.accountId, fact)
    case 'account.order-rejected':
      addBounded(world.rejected, fact.orderId, indoorBounds.ordersRejected)
      return
    case 'account.item-cancelled':
      return change(world, fact, ({ items }) => ({ items: replaced(items, [fact.item]) }))
    case 'account.order-mirrored':
      return applyMirrored(world, fact)
    case 'account.items-left':
      return applyLeft(world, fact)
    case 'account.items-arrived':
      return applyArrived(world, fact)
    case 'account.paid':
      return change(world, fact, ({ payments }) => ({ payments: [...payments, fact.payment] }))
    case 'account.payment-adjusted':
      return change(world, fact, ({ payments }) => ({
        payments: payments.map((each) =>
          each.paymentId === fact.payment.paymentId ? fact.payment : each,
        ),
      }))
    case 'account.discounted':
      return change(world, fact, ({ discountCents }) => ({
        discountCents: discountCents + fact.cents,
      }))
    case 'account.courtesy-granted':
      return change(world, fact, () => ({ courtesy: true }))
    case 'account.moved':
      return applyMoved(world, fact, at)
    case 'account.fiscal-requested': {
      const { documentId, cents } = fact
      const document = { documentId, documentStatus: 'PENDING' } as const
      return change(world, fact, ({ documents }) => ({
        documents: [...documents, { document, cents }],
      }))
    }
    case 'account.fiscal-concluded':
      return change(world, fact, ({ documents }) => ({
        documents: documents.map((each) =>
          each.document.documentId === fact.document.documentId
            ? { ...each, document: fact.document }
            : each,
        ),
      }))
    default:
      return assertNever(fact)
  }
}

function applyOpened(world: AccountsWorld, fact: Of<'account.opened'>, at: Instant): void {
  const { accountId, merchantId, operationMode, identifier } = fact
  const account: DiningAccountRecord = {
    accountId,
    merchantId,
    operationMode,
    identifier,
    status: 'IN_USE',
    lastEvent: 'ACCOUNT_OPENED',
    openedAt: isoOf(at),
    since: at,
    way: [{ status: 'IN_USE', at, trigger: 'open' }],
    orders: [],
    items: [],
    charges: [],
    payments: [],
    documents: [],
    discountCents: 0,
  }
  world.accounts.set(accountId, account)
  indexOpenAccount(world, account)
  applyBooking(world, accountId, fact)
}

/** Adds an order's items and charges to the account. */
function applyBooking(
  world: AccountsWorld,
  accountId: string,
  fact: { readonly booking: AccountBooking; readonly lastEvent?: DiningAccountRecord['lastEvent'] },
): void {
  const { orderId, originChannel, createdAt, items, charge, cancelled, wantsDocument } =
    fact.booking
  change(world, { accountId, ...fact }, (account) => ({
    orders: [...account.orders, { orderId, originChannel, createdAt }],
    items: [...account.items, ...items],
    charges: [...account.charges, charge],
    ...(wantsDocument ? { wantsDocument } : {}),
  }))
  const itemIds = items.map(({ itemId }) => itemId)
  for (const itemId of itemIds) world.items.set(itemId, accountId)
  world.orders.set(orderId, { accountId, itemIds, cancelled })
  world.rejected.delete(orderId)
}

function applyMirrored(
  world: AccountsWorld,
  { orderId, cancelled, over }: Of<'account.order-mirrored'>,
): void {
  const accountId = world.orders.get(orderId)?.accountId
  if (over && accountId !== undefined)
    change(world, { accountId }, ({ charges }) => ({
      charges: charges.filter((charge) => charge.orderId !== orderId),
    }))
  changeOrder(world, orderId, () => ({ cancelled, ...compact({ over }) }))
}

function applyLeft(world: AccountsWorld, fact: Of<'account.items-left'>): void {
  const gone = new Set(fact.itemIds)
  change(world, fact, ({ items }) => ({
    items: replaced(
      items.filter(({ itemId }) => !gone.has(itemId)),
      fact.lessened,
    ),
    ...(fact.whole ? { charges: [] } : {}),
  }))
}

function applyArrived(world: AccountsWorld, fact: Of<'account.items-arrived'>): void {
  const { accountId, items, orders, charges, wantsDocument } = fact
  change(world, fact, (account) => {
    const known = new Set(account.orders.map(({ orderId }) => orderId))
    return {
      items: [...account.items, ...items],
      orders: [...account.orders, ...orders.filter(({ orderId }) => !known.has(orderId))],
      charges: [...account.charges, ...charges],
      ...(wantsDocument ? { wantsDocument } : {}),
    }
  })
  for (const { itemId, orderId } of items) {
    // The transferred part of a split line has a new id.
    if (!world.items.has(itemId))
      changeOrder(world, orderId, ({ itemIds }) => ({ itemIds: [...itemIds, itemId] }))
    world.items.set(itemId, accountId)
  }
  for (const { orderId } of charges) changeOrder(world, orderId, () => ({ accountId }))
}

function applyMoved(world: AccountsWorld, fact: Of<'account.moved'>, at: Instant): void {
  const { to, trigger } = fact
  const before = world.accounts.get(fact.accountId)
  if (!before) return
  change(world, fact, (account) => ({
    status: to,
    since: at,
    way: [...account.way, { status: to, at, trigger }],
    ...(to === 'CLOSED' ? { closedAt: isoOf(at), items: settledItems(account) } : {}),
  }))
  const account = world.accounts.get(fact.accountId)
  if (!account) return
  if (to === 'CLOSED') {
    indexClosedAccount(world, account)
    const evicted = addBounded(world.closed, account.accountId, indoorBounds.accountsClosed)
    if (evicted !== undefined) evictAccount(world, evicted)
  } else if (before.status === 'CLOSED') {
    world.closed.delete(account.accountId)
    indexOpenAccount(world, account)
  }
}

/** Active items become PAID when payments cover the account; an account closed unpaid keeps them ACTIVE. */
function settledItems(account: DiningAccountRecord): readonly AccountLine[] {
  const { paid, amount } = accountSums(account)
  return paid < amount
    ? account.items
    : account.items.map((item) =>
        item.status === 'ACTIVE' ? { ...item, status: 'PAID' as const } : item,
      )
}
