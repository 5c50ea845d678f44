/**
 * Entity view of accounts: rows, and one account in detail with its moves. Source: the accounts of our Software Service;
 * where the subject plays that role, what our Ordering Application knows of them.
 */
import { compact } from '../base/compact.ts'
import { diningAccountView } from '../engine/indoor/account-view.ts'
import {
  type AccountLine,
  type DiningAccountRecord,
  diningPlace,
  type DiningTable,
  type TableAction,
} from '../engine/indoor/world.ts'
import type { World } from '../engine/world.ts'
import type { AccountStatus } from '../protocol/indoor/status.ts'
import type { ReadAccount } from '../protocol/indoor/read.ts'
import { accountSums, fromCents } from '../protocol/indoor/totals.ts'
import type { Instant } from '../engine/instant.ts'
import { type EntityView, forcedIf } from './entity-view.ts'
import type { EntityPart, EntityRow, Move } from '../session-api/entities.ts'
import { accountItemView, accountPaymentView } from '../engine/indoor/account-view.ts'
import { tableBill } from '../engine/indoor/tables.ts'
import { clockOf } from '../engine/instant.ts'
import { parseDateTime } from '../protocol/date-time.ts'
import type { AccountEventBody } from '../protocol/indoor/events.ts'
import {
  diningAccountMoves,
  diningAccountStep,
  diningAccountTargets,
  statesAllowing,
} from '../protocol/indoor/lifecycle.ts'
import type { Command } from '../engine/command.ts'
import type { Role } from '../protocol/role.ts'

// Available moves of an account: those of the Ordering Application, which the protocol defines, and
// those of the house, which it leaves open (discount, courtesy, correction, outcome of a fiscal
// document).

/** A fraction of an amount as a decimal, rounded down to cents. */
const fractionOf = (cents: number, of: number): number => fromCents(Math.floor(cents / of))

const client = 'ordering-application'
const house = 'software-service'

/** Lifecycle moves; those that the lifecycle or the payments do not allow are forced. */
function lifecycleMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, status } = account
  const { due } = accountSums(account)
  return diningAccountMoves.flatMap((trigger) => {
    if (diningAccountStep(status, trigger).kind === 'applied') return []
    const unpaid = trigger === 'close' && due > 0 && !account.courtesy
    const owed = unpaid ? `${fromCents(due).toFixed(2)} is still due` : undefined
    return forcedIf(refusalOf(trigger, status) ?? owed, {
      trigger,
      to: diningAccountTargets[trigger],
      by: client,
      command: { kind: 'account.move', accountId, trigger },
    })
  })
}

/** Why a lifecycle refuses; undefined when it does not. */
const refusalOf = (act: TableAction, status: AccountStatus): string | undefined =>
  diningAccountStep(status, act).kind === 'refused'
    ? `${act} needs ${statesAllowing(act).join(' or ')}, and it is ${status}`
    : undefined

/** Moves that leave the status as it is. */
const movesIn =
  ({ status: to }: DiningAccountRecord) =>
  (trigger: string, by: Role, command: Command): Move => ({ trigger, by, command, to })

function paymentMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, payments } = account
  const { due, amount } = accountSums(account)
  const move = movesIn(account)
  const pay = (trigger: string, decimal: number): Move => {
    const payment = { amount: decimal, methodInfo: { method: 'CASH' } } as const
    const paying = move(trigger, client, { kind: 'account.pay', accountId, payment })
    return { ...paying, takes: [{ name: 'amount' }] }
  }
  const half = fractionOf(due, 2)
  const last = payments.at(-1)
  return [
    ...(due > 0 ? [pay('pay', fromCents(due))] : []),
    ...(half > 0 ? [pay('pay-half', half)] : []),
    ...(last
      ? [
          {
            ...move('adjust-payment', house, {
              kind: 'account.adjust-payment',
              accountId,
              paymentId: last.paymentId,
              amount: fractionOf(last.cents, 2),
              reason: 'corrected by hand',
            }),
            takes: [{ name: 'amount' } as const],
          },
        ]
      : []),
    ...(due > 0
      ? [
          {
            ...move('discount', house, {
              kind: 'account.discount',
              accountId,
              amount: Math.max(fractionOf(amount, 10), fromCents(1)),
              reason: 'by hand',
            }),
            takes: [{ name: 'amount' } as const],
          },
        ]
      : []),
    ...(account.courtesy
      ? []
      : [move('courtesy', house, { kind: 'account.courtesy', accountId, reason: 'on the house' })]),
  ]
}

const lastActive = (items: readonly AccountLine[]): AccountLine | undefined =>
  items.findLast(({ status }) => status === 'ACTIVE')

/** Another open account of the same merchant, as a transfer target. */
function neighbourOf(account: DiningAccountRecord, world: World): DiningAccountRecord | undefined {
  for (const ids of world.indoor.host.open.values())
    for (const id of ids) {
      const other = world.indoor.host.accounts.get(id)
      if (
        other &&
        other.accountId !== account.accountId &&
        other.merchantId === account.merchantId &&
        other.status === 'IN_USE'
      )
        return other
    }
  return undefined
}

function itemMoves(account: DiningAccountRecord, world: World): readonly Move[] {
  const { accountId } = account
  const item = lastActive(account.items)
  if (!item) return []
  const { itemId } = item
  const move = movesIn(account)
  const neighbour = neighbourOf(account, world)
  const transfers = neighbour
    ? [false, true].map((whole) => ({
        ...move(whole ? 'transfer' : 'transfer-item', client, {
          kind: 'account.transfer',
          accountId,
          targetAccountId: neighbour.accountId,
          transfer: { whole, items: whole ? [] : [{ itemId }] },
        }),
        takes: [{ name: 'to' }, { name: 'item' }] as const,
      }))
    : []
  return [
    {
      ...move('cancel-item', client, { kind: 'account.cancel-item', accountId, itemId }),
      takes: [{ name: 'item' }],
    },
    ...transfers,
  ]
}

function fiscalMoves(account: DiningAccountRecord): readonly Move[] {
  const { accountId, documents } = account
  const pending = documents.find(({ document }) => document.documentStatus === 'PENDING')
  const move = movesIn(account)
  if (!pending)
    return [move('request-fiscal', house, { kind: 'account.request-fiscal', accountId, own: true })]
  const { documentId } = pending.document
  return (['issued', 'error'] as const).map((outcome) =>
    move(outcome === 'issued' ? 'issue-fiscal' : 'fail-fiscal', house, {
      kind: 'account.conclude-fiscal',
      accountId,
      documentId,
      outcome,
    }),
  )
}

function accountMovesOf(account: DiningAccountRecord, world: World): readonly Move[] {
  const { status } = account
  const inUse = diningAccountStep(status, 'cancel-item').kind === 'moves'
  const open = diningAccountStep(status, 'pay').kind === 'moves'
  return [
    ...lifecycleMoves(account),
    ...(open ? paymentMoves(account) : []),
    ...(inUse ? itemMoves(account, world) : []),
    ...fiscalMoves(account),
  ]
}

/** Another open table of the same merchant, as a transfer target. */
function otherTable(table: DiningTable, { indoor }: World): DiningTable | undefined {
  for (const id of indoor.guest.active) {
    const other = indoor.guest.tables.get(id)
    const isFit = other?.status === 'IN_USE' && other.merchantId === table.merchantId
    if (isFit && other.tableId !== table.tableId) return other
  }
  return undefined
}

/** Moves of our Ordering Application on an account that the subject hosts. */
function tableMovesOf(table: DiningTable, world: World): readonly Move[] {
  const { tableId, status = 'IN_USE', account } = table
  const known = (account?.items ?? []).flatMap(({ itemId, isActive }) => (isActive ? itemId : []))
  const itemId = known.at(-1)
  const most = tableBill(table)?.due ?? 0
  const other = otherTable(table, world)
  const transfer = { kind: 'table.transfer', tableId, force: true } as const
  const target = { targetTableId: other?.tableId ?? tableId }
  const aim = other ? ({ name: 'to' } as const) : ({ name: 'to', needed: true } as const)
  const none = itemId === undefined ? 'it has no item that was not cancelled' : undefined
  const move = (trigger: string, command: Command): Move => ({
    trigger,
    to: status,
    by: client,
    command,
  })
  /** Our Ordering Application acts on command even where the account refuses. */
  const act = (
    trigger: TableAction,
    command: Command,
    { takes, name = trigger, wrong }: ActDetails = {},
  ): Move =>
    compact({
      ...move(name, command),
      invalid: refusalOf(trigger, status) ?? wrong,
      takes,
    })
  return [
    ...diningAccountMoves.map((trigger) => ({
      ...act(
        trigger,
        { kind: 'table.move', tableId, trigger, force: true },
        trigger === 'close' && most > 0 ? { wrong: `${most.toFixed(2)} is still due` } : {},
      ),
      to: diningAccountTargets[trigger],
    })),
    act(
      'pay',
      { kind: 'table.pay', tableId, force: true },
      { takes: [{ name: 'amount', most }], ...(most > 0 ? {} : { wrong: 'nothing is due' }) },
    ),
    act(
      'cancel-item',
      { kind: 'table.cancel-item', tableId, itemId: itemId ?? 'none', force: true },
      { takes: [{ name: 'item', known }], ...compact({ wrong: none }) },
    ),
    act('transfer', { ...transfer, ...target }, { takes: [aim, { name: 'item', known }] }),
    ...(itemId === undefined
      ? []
      : [
          act(
            'transfer',
            { ...transfer, ...target, itemIds: [itemId] },
            { name: 'transfer-item', takes: [aim, { name: 'item', known }] },
          ),
        ]),
    act('request-fiscal', { kind: 'table.request-fiscal', tableId, force: true }),
    move('look', { kind: 'table.look', tableId }),
    move('list-payments', { kind: 'table.list', tableId, what: 'payments' }),
    move('list-documents', { kind: 'table.list', tableId, what: 'documents' }),
    ...(table.over === undefined ? [move('leave', { kind: 'table.leave', tableId })] : []),
  ]
}

interface ActDetails {
  readonly takes?: Move['takes']
  /** The name of the move; that of the action when absent. */
  readonly name?: string
  /** Why it is wrong although the lifecycle allows it. */
  readonly wrong?: string
}

const regularStatuses: readonly AccountStatus[] = ['IN_USE', 'IN_PAYMENT', 'CLOSED']

/** `62.90, 20.00 paid, 42.90 due` */
const bill = (amount = 0, paid = 0, due = 0): string =>
  `${amount.toFixed(2)}, ${paid.toFixed(2)} paid, ${due.toFixed(2)} due`

function accountRow(account: DiningAccountRecord): EntityRow {
  const { accountId, operationMode, identifier, status, since, merchantId, orders } = account
  const { amount, paid, due } = accountSums(account)
  const last = orders.at(-1)
  return {
    kind: 'account',
    id: accountId,
    label: diningPlace(operationMode, identifier),
    status,
    text: bill(fromCents(amount), fromCents(paid), fromCents(due)),
    since,
    merchant: merchantId,
    ...(last ? { orderId: last.orderId } : {}),
  }
}

function tableRow(table: DiningTable): EntityRow {
  const { tableId, operationMode, identifier, account, merchantId, over } = table
  const last = account?.orders.at(-1)
  const { amount, paid, due } = tableBill(table) ?? {}
  const said = account?.differences?.map((difference) => `; ${difference}`).join('') ?? ''
  const known = amount === undefined ? 'not read yet' : `${bill(amount, paid, due)}${said}`
  return {
    kind: 'account',
    id: tableId,
    label: operationMode && identifier ? diningPlace(operationMode, identifier) : tableId,
    status: table.status ?? 'UNKNOWN',
    text: over === 'stuck' ? `${known}, given up` : known,
    since: table.since,
    ...compact({ merchant: merchantId, orderId: last }),
  }
}

const moneyText = (decimal: number | undefined): string => decimal?.toFixed(2) ?? '-'

interface PartsInput {
  readonly items: readonly {
    readonly itemId: string
    readonly name?: string
    readonly quantity: number
    readonly price?: number | undefined
    readonly status: string
  }[]
  readonly payments: ReadAccount['payments']
  readonly events: readonly { readonly at: Instant; readonly eventType: string }[]
}

/** Items, payments and events of an account as rows. */
const partsOf = ({ items, payments, events }: PartsInput): readonly EntityPart[] => [
  {
    name: 'items',
    rows: items.map(({ itemId, name = '-', quantity, price, status }) => ({
      item: itemId,
      name,
      quantity: String(quantity),
      price: moneyText(price),
      status,
    })),
  },
  {
    name: 'payments',
    rows: payments.map(({ paymentId = '-', amount, method = '-' }) => ({
      payment: paymentId,
      amount: moneyText(amount),
      method,
    })),
  },
  {
    name: 'events',
    rows: events.map(({ at, eventType }) => ({ event: eventType, at: clockOf(at) })),
  },
]

function accountParts(account: DiningAccountRecord, { announcements }: World) {
  const events = [...announcements.events.values()]
    .filter(({ entityId }) => entityId === account.accountId)
    .map(({ eventType, body }) => ({
      eventType,
      at: parseDateTime((body as AccountEventBody).occurredAt ?? '') ?? account.since,
    }))
  const items = account.items.map(accountItemView)
  const payments = account.payments.map(accountPaymentView)
  return partsOf({
    items: items.map((item) => ({ ...item, price: item.totalPrice })),
    payments: payments.map(({ methodInfo, ...payment }) => ({
      ...payment,
      method: methodInfo.method,
    })),
    events,
  })
}

/** The account as it was read, with the payments that were named since. */
function tableParts({ account, newPayments = {}, events }: DiningTable) {
  const { items = [], payments = [] } = account ?? {}
  const added = Object.entries(newPayments).filter(
    ([id]) => !payments.some(({ paymentId }) => paymentId === id),
  )
  return partsOf({
    items,
    payments: [
      ...payments.map((payment) => ({
        ...payment,
        amount: newPayments[payment.paymentId ?? ''] ?? payment.amount,
      })),
      ...added.map(([paymentId, amount]) => ({ paymentId, amount })),
    ],
    events,
  })
}

/** Whether we host the account; then the host's record is shown. */
const isHosted = ({ accountId }: DiningTable, { indoor }: World): boolean =>
  accountId !== undefined && indoor.host.accounts.has(accountId)

export const accountEntities: EntityView = {
  *rows(world) {
    for (const account of world.indoor.host.accounts.values()) yield accountRow(account)
    for (const table of world.indoor.guest.tables.values())
      if (!isHosted(table, world)) yield tableRow(table)
  },
  detail(id, world) {
    const account = world.indoor.host.accounts.get(id)
    if (account)
      return {
        row: accountRow(account),
        statusHistory: account.way,
        regularStatuses,
        moves: accountMovesOf(account, world),
        parts: accountParts(account, world),
        document: diningAccountView(account, { usesAccountId: true, accountShape: 'standard' }),
      }
    const table = world.indoor.guest.tables.get(id)
    return (
      table && {
        row: tableRow(table),
        statusHistory: table.way,
        regularStatuses,
        moves: tableMovesOf(table, world),
        parts: tableParts(table),
        document: table.account ?? {},
      }
    )
  },
}
