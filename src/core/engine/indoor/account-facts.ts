/**
 * Facts of accounts at the host. One that was announced by an event names it in `lastEvent`; an unannounced one does
 * not. Totals are not stored: they are summed from the records on every read.
 */
import { compact } from '../../base/compact.ts'
import type { FiscalDocument } from '../../protocol/indoor/account.ts'
import type { AccountEventType } from '../../protocol/indoor/events.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import type { DiningAccountMove } from '../../protocol/indoor/lifecycle.ts'
import { accountSums, fromCents, proportionalCents } from '../../protocol/indoor/totals.ts'
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import { addBounded } from '../bounded.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import { isoOf } from '../instant.ts'
import { listCount, reasonSuffix } from '../short-text.ts'
import type { World } from '../world.ts'
import { indexOpenAccount, reindexAccount } from './account-index.ts'
import {
  type AccountBooking,
  type AccountCharge,
  type AccountLine,
  type BookedOrder,
  type DiningAccountRecord,
  diningPlace,
  indoorBounds,
  type PaymentRecord,
} from './world.ts'

/** The line reduced by this quantity, or cancelled when nothing is left. */
export function reduceLine(line: AccountLine, quantity: number, cents?: number): AccountLine {
  const left = line.quantity - quantity
  return left <= 0
    ? { ...line, status: 'CANCELLED' }
    : {
        ...line,
        quantity: left,
        cents: cents ?? proportionalCents(line.cents, left, line.quantity),
      }
}

/** The items, with those whose ids match replaced. */
const replaceLines = (
  items: readonly AccountLine[],
  lines: readonly AccountLine[],
): readonly AccountLine[] =>
  items.map((item) => lines.find(({ itemId }) => itemId === item.itemId) ?? item)

/** Active items become PAID when payments cover the account; an account closed unpaid keeps them ACTIVE. */
function settledLines(account: DiningAccountRecord): readonly AccountLine[] {
  const { paid, amount } = accountSums(account)
  return paid < amount
    ? account.items
    : account.items.map((item) =>
        item.status === 'ACTIVE' ? { ...item, status: 'PAID' as const } : item,
      )
}

export interface OfAccount {
  accountId: string
  lastEvent?: AccountEventType
}

/** Merges the changes into the account and sets the last announced event. */
function change(
  { indoor: { host } }: World,
  { accountId, lastEvent }: OfAccount,
  changes: (account: DiningAccountRecord) => Partial<DiningAccountRecord>,
): void {
  const account = host.accounts.get(accountId)
  if (!account) return
  const announcement = lastEvent === undefined ? {} : { lastEvent }
  host.accounts.set(accountId, { ...account, ...changes(account), ...announcement })
}

function changeOrder(
  { indoor: { host } }: World,
  orderId: string,
  changes: (order: BookedOrder) => Partial<BookedOrder>,
): void {
  const order = host.orders.get(orderId)
  if (order) host.orders.set(orderId, { ...order, ...changes(order) })
}

/** Adds an order's items and charges to the account. */
function applyBooking(world: World, fact: OfAccount & { booking: AccountBooking }): void {
  const { host } = world.indoor
  const { accountId, booking } = fact
  const { orderId, originChannel, createdAt, items, charge, cancelled, wantsDocument } = booking
  change(world, fact, (account) => ({
    orders: [...account.orders, { orderId, originChannel, createdAt }],
    items: [...account.items, ...items],
    charges: [...account.charges, charge],
    ...(wantsDocument ? { wantsDocument } : {}),
  }))
  const itemIds = items.map(({ itemId }) => itemId)
  for (const itemId of itemIds) host.items.set(itemId, accountId)
  host.orders.set(orderId, { accountId, itemIds, cancelled })
  host.rejected.delete(orderId)
}

const money = (cents: number): string => fromCents(cents).toFixed(2)

export const accountFacts = {
  /** An INDOOR order opened an account. */
  'account.opened': factRow<
    OfAccount & {
      merchantId: string
      operationMode: OperationMode
      identifier: string
      orderId: string
      booking: AccountBooking
    }
  >({
    text: ({ operationMode, identifier, booking }) =>
      `${diningPlace(operationMode, identifier)} opened with ${listCount(booking.items, 'item')}`,
    apply(world, fact, at) {
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
      world.indoor.host.accounts.set(accountId, account)
      indexOpenAccount(world.indoor.host, account)
      applyBooking(world, fact)
    },
  }),
  /** A later INDOOR order added its items. */
  'account.items-added': factRow<OfAccount & { orderId: string; booking: AccountBooking }>({
    text: ({ booking }) => `${listCount(booking.items, 'item')} added by another order`,
    apply: applyBooking,
  }),
  /** A locked account rejected an INDOOR order. */
  'account.order-rejected': factRow<{ accountId: string; orderId: string; status: AccountStatus }>({
    text: ({ status }) => `the account is ${status} and takes no new order`,
    apply({ indoor: { host } }, { orderId }) {
      addBounded(host.rejected, orderId, indoorBounds.ordersRejected)
    },
  }),
  /** An item or part of it was cancelled; `item` is the resulting line. */
  'account.item-cancelled': factRow<
    OfAccount & { orderId: string; item: AccountLine; quantity: number; reason?: string }
  >({
    text: ({ quantity, item, reason }) =>
      `${quantity} of ${item.name} cancelled${reasonSuffix(reason)}`,
    apply: (world, fact) =>
      change(world, fact, ({ items }) => ({ items: replaceLines(items, [fact.item]) })),
  }),
  /** Cancellations in Orders were copied to the accounts; the cancelled quantity by line id. */
  'account.order-mirrored': factRow<{
    orderId: string
    cancelled: Readonly<Record<string, number>>
    /** The whole order is cancelled: its fees and discounts are removed too. */
    over?: true
  }>({
    text: ({ over }) =>
      over ? 'the cancelled order is off its account' : 'cancelled as in the order',
    apply(world, { orderId, cancelled, over }) {
      const accountId = world.indoor.host.orders.get(orderId)?.accountId
      if (over && accountId !== undefined)
        change(world, { accountId }, ({ charges }) => ({
          charges: charges.filter((charge) => charge.orderId !== orderId),
        }))
      changeOrder(world, orderId, () => ({ cancelled, ...compact({ over }) }))
    },
  }),
  /** Items were transferred to another account; `lessened` holds the remainders of split lines. */
  'account.items-left': factRow<
    OfAccount & {
      targetAccountId: string
      itemIds: readonly string[]
      lessened: readonly AccountLine[]
      /** The whole account was transferred, with its orders and their charges. */
      whole: boolean
      reason?: string
    }
  >({
    text: ({ itemIds, lessened, reason }) =>
      `${listCount([...itemIds, ...lessened], 'item')} left for another account${reasonSuffix(reason)}`,
    apply(world, fact) {
      const gone = new Set(fact.itemIds)
      change(world, fact, ({ items }) => ({
        items: replaceLines(
          items.filter(({ itemId }) => !gone.has(itemId)),
          fact.lessened,
        ),
        ...(fact.whole ? { charges: [] } : {}),
      }))
    },
  }),
  /** Items were transferred from another account. */
  'account.items-arrived': factRow<
    OfAccount & {
      sourceAccountId: string
      items: readonly AccountLine[]
      orders: DiningAccountRecord['orders']
      charges: readonly AccountCharge[]
      wantsDocument: boolean
      transferredAt: string
    }
  >({
    text: ({ items }) => `${listCount(items, 'item')} arrived from another account`,
    apply(world, fact) {
      const { accountId, items, orders, charges, wantsDocument } = fact
      const { host } = world.indoor
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
        if (!host.items.has(itemId))
          changeOrder(world, orderId, ({ itemIds }) => ({ itemIds: [...itemIds, itemId] }))
        host.items.set(itemId, accountId)
      }
      for (const { orderId } of charges) changeOrder(world, orderId, () => ({ accountId }))
    },
  }),
  /** A payment was added. */
  'account.paid': factRow<OfAccount & { payment: PaymentRecord }>({
    text: ({ payment }) => `${money(payment.cents)} paid by ${payment.methodInfo.method}`,
    apply: (world, fact) =>
      change(world, fact, ({ payments }) => ({ payments: [...payments, fact.payment] })),
  }),
  /** A payment was corrected. */
  'account.payment-adjusted': factRow<OfAccount & { payment: PaymentRecord; reason?: string }>({
    text: ({ payment, reason }) =>
      `a payment is ${money(payment.cents)} now${reasonSuffix(reason)}`,
    apply: (world, fact) =>
      change(world, fact, ({ payments }) => ({
        payments: payments.map((each) =>
          each.paymentId === fact.payment.paymentId ? fact.payment : each,
        ),
      })),
  }),
  /** The host granted a discount. */
  'account.discounted': factRow<{ accountId: string; cents: number; reason?: string }>({
    text: ({ cents, reason }) => `${money(cents)} discount${reasonSuffix(reason)}`,
    apply: (world, fact) =>
      change(world, fact, ({ discountCents }) => ({ discountCents: discountCents + fact.cents })),
  }),
  /** The host allowed the account to close without full payment. */
  'account.courtesy-granted': factRow<{ accountId: string; reason?: string }>({
    text: ({ reason }) => `on the house${reasonSuffix(reason)}`,
    apply: (world, fact) => change(world, fact, () => ({ courtesy: true })),
  }),
  /** An account changed its status. */
  'account.moved': factRow<
    OfAccount & {
      trigger: DiningAccountMove
      from: AccountStatus
      to: AccountStatus
      reason?: string
      /** Forced by an operator, against the lifecycle. */
      forced?: true
    }
  >({
    text: ({ from, to, forced, reason }) =>
      `${from} > ${to}${forced ? ' (forced)' : ''}${reasonSuffix(reason)}`,
    apply(world, fact, at) {
      const { accountId, to, trigger } = fact
      const { host } = world.indoor
      const before = host.accounts.get(accountId)?.status
      change(world, fact, (account) => ({
        status: to,
        since: at,
        way: [...account.way, { status: to, at, trigger }],
        ...(to === 'CLOSED' ? { closedAt: isoOf(at), items: settledLines(account) } : {}),
      }))
      const account = host.accounts.get(accountId)
      if (account) reindexAccount(host, account, before)
    },
  }),
  /** A fiscal document was requested. */
  'account.fiscal-requested': factRow<{ accountId: string; documentId: string; cents: number }>({
    text: ({ cents }) => `a fiscal document over ${money(cents)} asked for`,
    apply(world, { accountId, documentId, cents }) {
      const document = { documentId, documentStatus: 'PENDING' } as const
      change(world, { accountId }, ({ documents }) => ({
        documents: [...documents, { document, cents }],
      }))
    },
  }),
  /** A fiscal document was issued or failed, or an issued one is announced again. */
  'account.fiscal-concluded': factRow<OfAccount & { document: FiscalDocument }>({
    text: ({ document }) => `the fiscal document: ${document.documentStatus}`,
    apply: (world, fact) =>
      change(world, fact, ({ documents }) => ({
        documents: documents.map((each) =>
          each.document.documentId === fact.document.documentId
            ? { ...each, document: fact.document }
            : each,
        ),
      })),
  }),
}

export type AccountFact = FactIn<typeof accountFacts>
