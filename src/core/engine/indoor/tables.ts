/**
 * The Ordering Application's knowledge of tables, and the operation of each action. It learns from events and GET
 * replies only, never from the host's slice of the world.
 */
import { compact } from '../../base/compact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { AccountEventBody } from '../../protocol/indoor/events.ts'
import { OperationMode } from '../../protocol/indoor/labels.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import { fromCents, toCents } from '../../protocol/indoor/totals.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import { mayCallPartner } from '../announcements/receiver.ts'
import type { OutgoingCall } from '../calls/call.ts'
import { partnerOf, type World } from '../world.ts'
import type { TableIdentity } from './table-facts.ts'
import {
  diningPlaceKey,
  diningPlace,
  type DiningTable,
  type TableAction,
  type TablesWorld,
} from './world.ts'

export const operationOfTableAction: Readonly<Record<TableAction, OperationId>> = {
  'pre-close': 'preCloseAccount',
  unlock: 'unlockAccount',
  close: 'closeAccount',
  pay: 'createPayment',
  'cancel-item': 'cancelAccountItem',
  transfer: 'transferAccountContent',
  'request-fiscal': 'requestFiscalDocument',
}

/**
 * Whether a call may still take effect: no other call before two reads without change (IND-EVR-04); an accepted
 * payment is never repeated, whatever the account shows.
 */
export const isAwaitingEffect = ({ asked, accepted, quiet }: DiningTable): boolean =>
  asked !== undefined && (quiet < 2 || (asked === 'pay' && accepted === true))

/**
 * What is to pay at a table, as the host said when the account was read, less the payments that were named since;
 * undefined before the first read. An amended payment counts by what it became.
 */
export function tableBill({
  account,
  newPayments = {},
}: DiningTable): Pick<ReadAccount, 'amount' | 'paid' | 'due'> | undefined {
  if (!account) return undefined
  const { amount, payments } = account
  let paid = toCents(account.paid)
  let due = toCents(account.due)
  for (const [paymentId, now] of Object.entries(newPayments)) {
    const before = payments.find((each) => each.paymentId === paymentId)?.amount ?? 0
    paid += toCents(now) - toCents(before)
    due -= toCents(now) - toCents(before)
  }
  return { amount, paid: fromCents(paid), due: fromCents(Math.max(0, due)) }
}

/** Consecutive reads without change after which a visit counts as stuck and is abandoned. */
export const maxUnchangedReads = 10

/** Both sides support Orders and Indoor; otherwise the host is not called (IND-GEN-02). */
export const mayCallIndoorHost = (world: World): boolean =>
  mayCallPartner('ordering-application', 'software-service', 'indoor', world) &&
  mayCallPartner('ordering-application', 'software-service', 'orders', world)

/** The host's declaration of fiscal documents and account ids. */
export const declaredIndoorCapability = (world: World) =>
  partnerOf(world, 'ordering-application', 'software-service')?.manifest?.capabilities['indoor']

/** The merchant and the indoor block of an INDOOR order. */
export function indoorOrderOf(
  orderId: string,
  world: World,
): { readonly merchantId: string; readonly block: IndoorBlock } | undefined {
  const order = world.ordering.orders.get(orderId)?.order
  const block = order?.fulfillment.indoor
  if (!order || !block || order.fulfillment.orderType !== 'INDOOR') return undefined
  // An order passed in verbatim may carry a legacy label; the world stores the English one.
  const mode = OperationMode.safeParse(block.operationMode)
  return mode.success
    ? { merchantId: order.merchant.id, block: { ...block, operationMode: mode.data } }
    : undefined
}

type Key = Omit<TableIdentity, 'tableId' | 'accountId'>

/** The table with an ongoing visit at a place. */
export function activeTableAt(
  { operationMode, identifier, merchantId }: Key,
  guest: TablesWorld,
): DiningTable | undefined {
  if (operationMode === undefined || identifier === undefined) return undefined
  const key = diningPlaceKey(diningPlace(operationMode, identifier), merchantId)
  const table = guest.tables.get(guest.byKey.get(key) ?? '')
  return table?.over === undefined ? table : undefined
}

/** The identity of a table: of a known one by its account or its place, else of a new one. */
export function identifyTable(
  accountId: string | undefined,
  key: Key,
  guest: TablesWorld,
): TableIdentity | undefined {
  const { operationMode, identifier, merchantId = '' } = key
  const known = accountId === undefined ? undefined : guest.byAccount.get(accountId)
  const identity = accountId === undefined ? key : { ...key, accountId }
  if (known !== undefined) return { ...identity, tableId: known }
  const active = activeTableAt(key, guest)
  // A visit known without an account id may learn it now; a different account id means a different visit.
  if (active && (active.accountId === undefined || accountId === undefined))
    return { ...identity, tableId: active.tableId }
  if (accountId !== undefined) return { ...identity, tableId: accountId }
  if (operationMode === undefined || identifier === undefined) return undefined
  return {
    ...identity,
    tableId: diningPlaceKey(diningPlace(operationMode, identifier), merchantId),
  }
}

/** The table that an event belongs to, by account, order or place. */
export function identifyEventTable(
  event: AccountEventBody,
  world: World,
): TableIdentity | undefined {
  const { accountId, orderId, merchantId, identifier } = event
  const mode = OperationMode.safeParse(event.operationMode)
  const order = orderId === undefined ? undefined : indoorOrderOf(orderId, world)
  const said: Key = {
    ...(order
      ? {
          merchantId: order.merchantId,
          operationMode: order.block.operationMode,
          identifier: order.block.identifier,
        }
      : {}),
    ...compact({ merchantId }),
    ...(mode.success ? { operationMode: mode.data } : {}),
    ...compact({ identifier }),
  }
  return identifyTable(accountId, said, world.indoor.guest)
}

/** The table that a call is about, by the account reference in its path, query or body. */
export function tableOfCall(
  call: OutgoingCall,
  { guest }: World['indoor'],
): DiningTable | undefined {
  const said = {
    ...(call.body as Record<string, unknown> | undefined),
    ...call.query,
    ...call.params,
  }
  const textField = (name: string): string | undefined => {
    const value = (said as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? value : undefined
  }
  const accountId = textField('accountId')
  const known = accountId === undefined ? undefined : guest.byAccount.get(accountId)
  if (known !== undefined) return guest.tables.get(known)
  const mode = OperationMode.safeParse(textField('operationMode'))
  const identifier = textField('identifier')
  if (!mode.success || identifier === undefined) return undefined
  const key = diningPlaceKey(diningPlace(mode.data, identifier), textField('merchantId'))
  return guest.tables.get(guest.byKey.get(key) ?? '')
}
