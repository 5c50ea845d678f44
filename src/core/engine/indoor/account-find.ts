/**
 * Resolves the account of a call: by path, else by body or query, by id or by operational key (IND-UND-03). A key
 * resolves to the open account, else to the one closed last (IND-UND-04).
 */
import type { AccountReference } from '../../protocol/indoor/bodies.ts'
import { OperationMode } from '../../protocol/indoor/labels.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { HandlerInput } from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { World } from '../world.ts'
import { findOpenAccount } from './account-index.ts'
import { type DiningAccountRecord, diningPlace, diningPlaceKey } from './world.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { activeTableAt } from './tables.ts'

/** The account by id, without a visibility check. */
export function findDiningAccount(
  accountId: string,
  world: World,
): Result<DiningAccountRecord, Refusal> {
  const account = world.indoor.host.accounts.get(accountId)
  return account
    ? ok(account)
    : err({ code: 'ACCOUNT_NOT_FOUND', message: `there is no account ${accountId}` })
}

interface ParsedReference {
  readonly accountId?: string | undefined
  readonly operationMode?: OperationMode | undefined
  readonly identifier?: string | undefined
  readonly merchantId?: string | undefined
}

/** The account reference in the query, validated as in a body. */
function queryReference({ query }: HandlerInput): Result<ParsedReference, Refusal> {
  const [operationMode] = query('operationMode')
  const mode = operationMode === undefined ? undefined : OperationMode.safeParse(operationMode)
  if (mode && !mode.success)
    return refuse(
      'INVALID_PAYLOAD',
      `the query is invalid at operationMode: ${mode.error.issues[0]?.message}`,
    )
  const [identifier] = query('identifier')
  const [accountId] = query('accountId')
  const [merchantId] = query('merchantId')
  return ok({ operationMode: mode?.data, identifier, accountId, merchantId })
}

/** The account reference of the call: path before body, body before query. */
function callReference(input: HandlerInput): Result<ParsedReference, Refusal> {
  const fromQuery = queryReference(input)
  if (!fromQuery.ok) return fromQuery
  const query = fromQuery.value
  const body = (input.body ?? {}) as AccountReference
  return ok({
    accountId: input.params['accountId'] ?? body.accountId ?? query.accountId,
    operationMode: body.operationMode ?? query.operationMode,
    identifier: body.identifier ?? query.identifier,
    merchantId: body.merchantId ?? query.merchantId,
  })
}

/** Whether the client may see the account and it belongs to the named merchant. */
const matchesReference =
  (allowed: readonly string[] | undefined, merchantId: string | undefined) =>
  (account: DiningAccountRecord): boolean =>
    (merchantId === undefined || account.merchantId === merchantId) &&
    (allowed === undefined || allowed.includes(account.merchantId))

const accountNotFound = (label: string): Result<never, Refusal> =>
  refuse('ACCOUNT_NOT_FOUND', `there is no account ${label}`)

function findByKey(
  place: string,
  naming: ParsedReference,
  input: HandlerInput,
): Result<DiningAccountRecord, Refusal> {
  const { host } = input.world.indoor
  const allowed = input.client?.merchants
  const open = findOpenAccount(host, place, matchesReference(allowed, naming.merchantId))
  if (open) return ok(open)
  if (input.settings.conduct.indoor.accountLookup === 'open-only')
    return accountNotFound(`open at ${place}`)
  const merchants = naming.merchantId === undefined ? (allowed ?? ['']) : [naming.merchantId]
  const closed = merchants
    .flatMap((merchantId) => host.lastClosed.get(diningPlaceKey(place, merchantId)) ?? [])
    .flatMap((id) => host.accounts.get(id) ?? [])
    .filter(matchesReference(allowed, naming.merchantId))
    .toSorted((a, b) => a.since - b.since)
  const latest = closed.at(-1)
  return latest ? ok(latest) : accountNotFound(`at ${place}`)
}

/** The account by id, if the client may see it and every other part of the reference matches. */
function findVisible(
  accountId: string,
  naming: ParsedReference,
  input: HandlerInput,
): Result<DiningAccountRecord, Refusal> {
  const account = input.world.indoor.host.accounts.get(accountId)
  const { operationMode, identifier, merchantId } = naming
  const isMatch =
    account &&
    matchesReference(input.client?.merchants, merchantId)(account) &&
    (operationMode === undefined || account.operationMode === operationMode) &&
    (identifier === undefined || account.identifier === identifier)
  return isMatch ? ok(account) : accountNotFound(accountId)
}

function findReferenced(
  naming: ParsedReference,
  input: HandlerInput,
): Result<DiningAccountRecord, Refusal> | undefined {
  const { accountId, operationMode, identifier } = naming
  const { usesAccountId } = input.settings.conduct.indoor
  if (accountId !== undefined)
    return usesAccountId ? findVisible(accountId, naming, input) : accountNotFound(accountId)
  if (operationMode !== undefined && identifier !== undefined)
    return findByKey(diningPlace(operationMode, identifier), naming, input)
  return undefined
}

/** The account of a call; falls back to the account that holds the first item id when the call names no account. */
export function resolveAccount(
  input: HandlerInput,
  itemIds: readonly string[] = [],
): Result<DiningAccountRecord, Refusal> {
  const naming = callReference(input)
  if (!naming.ok) return naming
  const found = findReferenced(naming.value, input)
  if (found) return found
  const { operationMode, identifier } = naming.value
  const [itemId] = itemIds
  const holder = itemId === undefined ? undefined : input.world.indoor.host.items.get(itemId)
  if (holder !== undefined && operationMode === undefined && identifier === undefined)
    return findVisible(holder, {}, input)
  const missing = operationMode === undefined ? 'operationMode' : 'identifier'
  return refuse(
    'INVALID_PAYLOAD',
    `${missing} is missing: an account is named by operationMode and identifier, or by accountId`,
  )
}

/** The target account of a transfer. */
export const resolveTransferTarget = (
  naming: AccountReference,
  input: HandlerInput,
): Result<DiningAccountRecord, Refusal> | undefined => findReferenced(naming, input)

/**
 * Adds the account id to an order that the Ordering Application generates, when it knows the
 * account of the order's place (IND-FLD-03).
 */
export function withAccountId(order: Order, world: World): Order {
  const { indoor } = order.fulfillment
  if (!indoor) return order
  const { operationMode, identifier } = indoor
  const merchantId = order.merchant.id
  const id = activeTableAt({ operationMode, identifier, merchantId }, world.indoor.guest)?.accountId
  return id === undefined
    ? order
    : { ...order, fulfillment: { ...order.fulfillment, indoor: { ...indoor, account: { id } } } }
}
