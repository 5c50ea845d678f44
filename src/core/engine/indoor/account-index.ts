/** Indexes of accounts: open ones by place, the last closed one by place; eviction of the oldest closed ones. */
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import { addBounded } from '../bounded.ts'
import {
  type DiningAccountRecord,
  type AccountsWorld,
  diningPlaceKey,
  diningPlace,
  indoorBounds,
} from './world.ts'

const placeOfAccount = ({ operationMode, identifier }: DiningAccountRecord): string =>
  diningPlace(operationMode, identifier)

/** Adds an open account to the index of its place. */
export function indexOpenAccount(world: AccountsWorld, account: DiningAccountRecord): void {
  const place = placeOfAccount(account)
  const others = (world.open.get(place) ?? []).filter((id) => id !== account.accountId)
  world.open.set(place, [...others, account.accountId])
}

/** Indexes an account after a change of its status, and evicts the oldest closed one beyond the limit. */
export function reindexAccount(
  world: AccountsWorld,
  account: DiningAccountRecord,
  before: AccountStatus | undefined,
): void {
  if (account.status === 'CLOSED') {
    indexClosedAccount(world, account)
    const evicted = addBounded(world.closed, account.accountId, indoorBounds.accountsClosed)
    if (evicted !== undefined) evictAccount(world, evicted)
  } else if (before === 'CLOSED') {
    world.closed.delete(account.accountId)
    indexOpenAccount(world, account)
  }
}

/** Removes a closed account from the open index and records it as the last closed one of its place. */
function indexClosedAccount(world: AccountsWorld, account: DiningAccountRecord): void {
  const { accountId, merchantId } = account
  const place = placeOfAccount(account)
  const others = (world.open.get(place) ?? []).filter((id) => id !== accountId)
  if (others.length > 0) world.open.set(place, others)
  else world.open.delete(place)
  world.lastClosed.set(diningPlaceKey(place, merchantId), accountId)
  world.lastClosed.set(diningPlaceKey(place), accountId)
}

/** Removes a closed account and all its index entries. */
function evictAccount(world: AccountsWorld, accountId: string): void {
  const account = world.accounts.get(accountId)
  if (!account) return
  const place = placeOfAccount(account)
  for (const key of [diningPlaceKey(place, account.merchantId), diningPlaceKey(place)])
    if (world.lastClosed.get(key) === accountId) world.lastClosed.delete(key)
  for (const { itemId } of account.items) world.items.delete(itemId)
  for (const { orderId } of account.orders)
    if (world.orders.get(orderId)?.accountId === accountId) world.orders.delete(orderId)
  world.accounts.delete(accountId)
}

/** The open account at a place that passes the filter by merchant and visibility. */
export function findOpenAccount(
  world: AccountsWorld,
  place: string,
  matches: (account: DiningAccountRecord) => boolean,
): DiningAccountRecord | undefined {
  const ids = world.open.get(place) ?? []
  for (const id of ids.toReversed()) {
    const account = world.accounts.get(id)
    if (account && matches(account)) return account
  }
  return undefined
}
