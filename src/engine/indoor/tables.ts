/**
 * What the Ordering Application knows of an evening, and which call belongs to what it asks for. It learns from events
 * and from GET only: what the other side of the world holds is a stranger's business.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { AccountEvent } from '../../protocol/indoor/events.ts'
import { OperationMode } from '../../protocol/indoor/labels.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import { mayCall } from '../announcements/receiver.ts'
import type { Call } from '../calls/call.ts'
import { partnerOf, type World } from '../world.ts'
import type { TableNames } from './fact.ts'
import { keyOf, placeOf, type Table, type TableAct, type TablesWorld } from './world.ts'

export const operationOf: Readonly<Record<TableAct, OperationId>> = {
  'pre-close': 'preCloseAccount',
  unlock: 'unlockAccount',
  close: 'closeAccount',
  pay: 'createPayment',
  'cancel-item': 'cancelAccountItem',
  transfer: 'transferAccountContent',
  'request-fiscal': 'requestFiscalDocument',
}

export const askedBy = (operation: OperationId): TableAct | undefined =>
  (Object.keys(operationOf) as TableAct[]).find((act) => operationOf[act] === operation)

/**
 * What it asked for may only be slow: it is not asked for again before two looks without news (IND-EVR-04); and a payment
 * that was taken is never made again, whatever the account says.
 */
export const isWaiting = ({ asked, accepted, quiet }: Table): boolean =>
  asked !== undefined && (quiet < 2 || (asked === 'pay' && accepted === true))

/** Looks in a row without news, after which an evening counts as stuck and is left alone. */
export const mostQuietLooks = 10

/** Both sides have Orders and Indoor: without either no account is called (IND-GEN-02). */
export const mayCallHost = (world: World): boolean =>
  mayCall('ordering-application', 'software-service', 'indoor', world) &&
  mayCall('ordering-application', 'software-service', 'orders', world)

/** What the host says of its fiscal documents and of its accounts' ids. */
export const declaredIndoor = (world: World) =>
  partnerOf(world, 'ordering-application', 'software-service')?.manifest?.capabilities['indoor']

/** The place of an order, where it was ordered in the house. */
export function orderNames(
  orderId: string,
  world: World,
): { readonly merchantId: string; readonly block: IndoorBlock } | undefined {
  const order = world.ordering.orders.get(orderId)?.order
  const block = order?.fulfillment.indoor
  if (!order || !block || order.fulfillment.orderType !== 'INDOOR') return undefined
  // An order that was given whole may have a legacy label: what is known of its place is English.
  const mode = OperationMode.safeParse(block.operationMode)
  return mode.success
    ? { merchantId: order.merchant.id, block: { ...block, operationMode: mode.data } }
    : undefined
}

type Key = Omit<TableNames, 'tableId' | 'accountId'>

/** The evening at a place now, if there is one. */
export function eveningAt(
  { operationMode, identifier, merchantId }: Key,
  guest: TablesWorld,
): Table | undefined {
  if (operationMode === undefined || identifier === undefined) return undefined
  const key = keyOf(placeOf(operationMode, identifier), merchantId)
  const table = guest.tables.get(guest.byKey.get(key) ?? '')
  return table?.over === undefined ? table : undefined
}

/** The names of an evening: of a known one by its account, or by its place; else of a new one. */
export function namesOf(
  accountId: string | undefined,
  key: Key,
  guest: TablesWorld,
): TableNames | undefined {
  const { operationMode, identifier, merchantId = '' } = key
  const known = accountId === undefined ? undefined : guest.byAccount.get(accountId)
  const named = accountId === undefined ? key : { ...key, accountId }
  if (known !== undefined) return { ...named, tableId: known }
  const there = eveningAt(key, guest)
  // An evening that was found without an account's id may learn it now; one that has another is another one.
  if (there && (there.accountId === undefined || accountId === undefined))
    return { ...named, tableId: there.tableId }
  if (accountId !== undefined) return { ...named, tableId: accountId }
  if (operationMode === undefined || identifier === undefined) return undefined
  return { ...named, tableId: keyOf(placeOf(operationMode, identifier), merchantId) }
}

/** The evening that an event is about, by whatever it says of it. */
export function namesIn(event: AccountEvent, world: World): TableNames | undefined {
  const { accountId, orderId, merchantId, identifier } = event
  const mode = OperationMode.safeParse(event.operationMode)
  const order = orderId === undefined ? undefined : orderNames(orderId, world)
  const said: Key = {
    ...(order
      ? {
          merchantId: order.merchantId,
          operationMode: order.block.operationMode,
          identifier: order.block.identifier,
        }
      : {}),
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(mode.success ? { operationMode: mode.data } : {}),
    ...(identifier === undefined ? {} : { identifier }),
  }
  return namesOf(accountId, said, world.indoor.guest)
}

/** What a call says of the account that it is about, wherever it says it. */
export function tableOf(call: Call, { guest }: World['indoor']): Table | undefined {
  const said = {
    ...(call.body as Record<string, unknown> | undefined),
    ...call.query,
    ...call.params,
  }
  const text = (name: string): string | undefined => {
    const value = (said as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? value : undefined
  }
  const accountId = text('accountId')
  const known = accountId === undefined ? undefined : guest.byAccount.get(accountId)
  if (known !== undefined) return guest.tables.get(known)
  const mode = OperationMode.safeParse(text('operationMode'))
  const identifier = text('identifier')
  if (!mode.success || identifier === undefined) return undefined
  const key = keyOf(placeOf(mode.data, identifier), text('merchantId'))
  return guest.tables.get(guest.byKey.get(key) ?? '')
}
