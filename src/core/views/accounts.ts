/**
 * Entity view of accounts: rows, and one account in detail with its moves. Source: the accounts of our Software Service;
 * where the subject plays that role, what our Ordering Application knows of them.
 */
import { compact } from '../base/compact.ts'
import { diningAccountView } from '../engine/indoor/account-view.ts'
import { type DiningAccountRecord, diningPlace, type DiningTable } from '../engine/indoor/world.ts'
import type { World } from '../engine/world.ts'
import type { AccountStatus } from '../protocol/indoor/status.ts'
import { accountSums } from '../protocol/indoor/totals.ts'
import { fromCents } from '../protocol/indoor/money.ts'
import { accountMovesOf, tableMovesOf } from './account-moves.ts'
import type { EntityView } from './entity-view.ts'
import type { EntityRow } from '../session-api/entities.ts'

const regularStatuses: readonly AccountStatus[] = ['IN_USE', 'IN_PAYMENT', 'CLOSED']

/** `62.90, 20.00 paid, 42.90 due` */
const bill = (amount: number, paid: number, due: number): string =>
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
  const known = account ? bill(account.amount, account.paid, account.due) : 'not read yet'
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
        document: diningAccountView(account, { usesAccountId: true, accountShape: 'standard' }),
      }
    const table = world.indoor.guest.tables.get(id)
    return (
      table && {
        row: tableRow(table),
        statusHistory: table.way,
        regularStatuses,
        moves: tableMovesOf(table),
        document: table.account ?? {},
      }
    )
  },
}
