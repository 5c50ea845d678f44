/** Commands of the Ordering Application as Indoor client: receive account events, read an account, call the host. */
import { compact } from '../../base/compact.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import { diningAccountStep, statusAfterAccountEvent } from '../../protocol/indoor/lifecycle.ts'
import { paymentOfEvent } from '../../protocol/indoor/read.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { CallIntent } from '../calls/call.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TableCommand } from './commands.ts'
import {
  activeTableAt,
  identifyEventTable,
  indoorOrderOf,
  isAwaitingEffect,
  maxUnchangedReads,
  mayCallIndoorHost,
  operationOfTableAction,
  tableBill,
} from './tables.ts'
import { diningPlace, diningPlaceKey, type DiningTable, type TableAction } from './world.ts'
import type { IndoorConduct } from '../../protocol/indoor/conduct.ts'

/**
 * Builds the Ordering Application's calls about an account in the form that the session selects: flat paths with the
 * account in query or body, or paths scoped to the account (IND-TEN-02, IND-UND-03).
 */
type Body = Readonly<Record<string, unknown>>

/** The account reference: its key, and its id where known. */
function accountReference({ accountId, merchantId, operationMode, identifier }: DiningTable) {
  return compact({ operationMode, identifier, merchantId, accountId })
}

const callBase = { from: 'ordering-application', to: 'software-service', attempt: 1 } as const

/** A call about an account, with further path parameters and body fields. */
function accountCall(
  table: DiningTable,
  operation: CallIntent['operation'],
  conduct: IndoorConduct,
  {
    params,
    body,
  }: { readonly params?: Readonly<Record<string, string>>; readonly body?: Body } = {},
): CallIntent {
  const { accountId } = table
  const scoped = conduct.accountPaths === 'scoped' && accountId !== undefined
  const names = accountReference(table)
  const isRead = operation.startsWith('list')
  const inBody = !scoped && !isRead && conduct.accountNaming === 'body'
  const path = { ...params, ...(scoped ? { accountId } : {}) }
  const bodyWithReference = { ...(inBody ? names : {}), ...body }
  return {
    ...callBase,
    operation,
    ...(Object.keys(path).length > 0 ? { params: path } : {}),
    ...(scoped || inBody ? {} : { query: names }),
    ...(isRead ? {} : { body: bodyWithReference }),
  }
}

/**
 * Reads the account by its key, the primary lookup (IND-OPS-01); by its id where the key is missing or means another
 * account.
 */
function accountLookup(table: DiningTable, byId?: true): CallIntent {
  const { accountId, operationMode, identifier, elsewhere } = table
  const keyed = operationMode !== undefined && identifier !== undefined
  if (accountId !== undefined && (!keyed || elsewhere || byId))
    return { ...callBase, operation: 'getAccountById', params: { accountId } }
  return { ...callBase, operation: 'getAccount', query: accountReference(table) }
}

/** Reads the account at an order's place. */
const orderAccountLookup = (
  orderId: string,
  place: Pick<Required<DiningTable>, 'merchantId' | 'operationMode' | 'identifier'>,
): CallIntent => ({ ...callBase, operation: 'getAccount', params: { orderId }, query: place })

/** The body of a payment: the standard's form, or with the amount as a price (IND-UND-03). */
function paymentRequestBody(
  amount: number,
  methodInfo: PaymentMethodInfo,
  tip: number | undefined,
  form: IndoorConduct['paymentBody'],
): Body {
  const tipField = tip === undefined ? {} : { tip }
  if (form === 'standard') return { amount, methodInfo, ...tipField }
  return { amount: { value: amount, currency: 'BRL' }, ...methodInfo, ...tipField }
}

/** The body of a transfer, with the field names of the documents and of the standard side by side (fields.md, N7). */
function transferRequestBody(
  target: Partial<DiningTable>,
  items: readonly { readonly itemId: string; readonly quantity: number }[],
  whole: boolean,
  reason: string | undefined,
): Body {
  const { accountId, operationMode, identifier, merchantId } = target
  const place = compact({ accountId, operationMode, identifier, merchantId })
  return {
    ...compact({ targetAccountId: accountId }),
    target: place,
    transferType: whole ? 'FULL_ACCOUNT' : 'ITEMS',
    itemIds: items.map(({ itemId }) => itemId),
    items,
    ...compact({ reason }),
  }
}

function findTable(
  { tableId }: { readonly tableId: string },
  { world }: DecisionContext,
): Result<DiningTable, Refusal> {
  const table = world.indoor.guest.tables.get(tableId)
  return table
    ? ok(table)
    : refuse('NOT_FOUND', `the Ordering Application knows no table ${tableId}`)
}

const onTable = decisionsOn(findTable)

/**
 * Reads the account or one of its lists, unless something changed since the read was scheduled, or the visit is over.
 */
function readUnlessStale(
  table: DiningTable,
  round: number | undefined,
  call: CallIntent,
  context: DecisionContext,
): Decision {
  const { tableId } = table
  const planned = round !== undefined
  if (planned && (round !== table.round || table.over !== undefined)) return ok([])
  if (!mayCallIndoorHost(context.world)) return ok([{ kind: 'table.put-off', tableId }])
  if (planned && table.quiet >= maxUnchangedReads)
    return ok([{ kind: 'table.left', tableId, because: 'stuck' }])
  return ok([callPlacedFact(call, context)])
}

/** Path parameters and body of a call beside the account reference. */
type CallContent = Pick<CallIntent, 'params'> & {
  readonly body?: Readonly<Record<string, unknown>>
}

/**
 * Calls the host if the lifecycle allows the action by the last known status and no other call is in flight; `force`
 * skips both checks.
 */
function callHost(
  table: DiningTable,
  { act, force }: { readonly act: TableAction; readonly force?: true | undefined },
  context: DecisionContext,
  content: CallContent = {},
): Decision {
  const { tableId, status = 'IN_USE' } = table
  const isAllowed = diningAccountStep(status, act).kind === 'moves'
  if (!force && (!isAllowed || table.over !== undefined || isAwaitingEffect(table))) return ok([])
  if (!mayCallIndoorHost(context.world))
    return refuse('CONFLICT', 'the Software Service is not called before its manifest is valid')
  const call = accountCall(
    table,
    operationOfTableAction[act],
    context.settings.conduct.indoor,
    compact({ params: content.params, body: content.body }),
  )
  const isWrong = diningAccountStep(status, act).kind === 'refused'
  const trial = isWrong ? { trial: `${act} of an account that is ${status}` } : {}
  return ok([{ kind: 'table.asked', tableId, act }, callPlacedFact({ ...call, ...trial }, context)])
}

const cash: PaymentMethodInfo = { method: 'CASH' }

export const tableDecisions: Decisions<TableCommand> = {
  /** Stores an account event, or recognises it as a duplicate (IND-EVR-03). No order changes (IND-EVR-05). */
  'table.notify'({ event }, { world }) {
    const { eventId, eventType, orderId, occurredAt = '' } = event
    if (world.indoor.guest.seen.has(eventId)) return ok([{ kind: 'table.event-repeated', eventId }])
    const table = identifyEventTable(event, world)
    return ok([
      {
        kind: 'table.heard',
        eventId,
        eventType,
        ...compact({
          orderId,
          table,
          after: statusAfterAccountEvent(eventType),
          occurredAt: parseDateTime(occurredAt),
          payment: paymentOfEvent(event),
        }),
      },
    ])
  },
  /** Looks up the account of an order whose ACCOUNT_OPENED may be lost (IND-EVR-04). */
  'table.find'({ orderId }, context) {
    const { world } = context
    const order = indoorOrderOf(orderId, world)
    if (!order)
      return refuse('NOT_FOUND', `the Ordering Application has no INDOOR order ${orderId}`)
    const { merchantId, block } = order
    const { operationMode, identifier } = block
    const place = { merchantId, operationMode, identifier }
    const { guest } = world.indoor
    const latest = guest.byKey.get(
      diningPlaceKey(diningPlace(operationMode, identifier), merchantId),
    )
    const isKnown = guest.tables.get(latest ?? '')?.account?.orders.includes(orderId) ?? false
    if (isKnown || !mayCallIndoorHost(world) || activeTableAt(place, guest)) return ok([])
    return ok([callPlacedFact(orderAccountLookup(orderId, place), context)])
  },

  'table.look': onTable((table, { round, byId }, context) =>
    readUnlessStale(table, round, accountLookup(table, byId), context),
  ),

  'table.list': onTable((table, { what, round }, context) => {
    const operation = what === 'payments' ? 'listAccountPayments' : 'listAccountFiscalDocuments'
    const call = accountCall(table, operation, context.settings.conduct.indoor)
    return readUnlessStale(table, round, call, context)
  }),

  'table.leave': onTable(({ tableId, over }) =>
    ok(over ? [] : [{ kind: 'table.left', tableId, because: 'gone' }]),
  ),

  'table.move': onTable((table, { trigger, reason, discount, force }, context) =>
    callHost(table, { act: trigger, force }, context, { body: compact({ reason, discount }) }),
  ),

  'table.pay': onTable((table, command, context) => {
    const { methodInfo = cash, tip, force, amount = tableBill(table)?.due ?? 0 } = command
    if (amount <= 0 && !force)
      return refuse('UNPROCESSABLE', `nothing is due at the table ${table.tableId}`)
    const form = context.settings.conduct.indoor.paymentBody
    return callHost(table, { act: 'pay', force }, context, {
      body: paymentRequestBody(amount, methodInfo, tip, form),
    })
  }),

  'table.cancel-item': onTable((table, { itemId, reason, force }, context) =>
    callHost(table, { act: 'cancel-item', force }, context, {
      params: { itemId },
      body: compact({ reason }),
    }),
  ),

  'table.transfer': onTable((table, { targetTableId, itemIds, reason, force }, context) => {
    const found = findTable({ tableId: targetTableId }, context)
    if (!found.ok && !force) return found
    // By force the other account may be one that is not known.
    const target = found.ok
      ? found.value
      : { accountId: targetTableId, ...compact({ merchantId: table.merchantId }) }
    // A call in flight for the other table may lock it first.
    if (!force && found.ok && (found.value.status !== 'IN_USE' || found.value.asked !== undefined))
      return ok([])
    const active = (table.account?.items ?? []).filter(({ isActive }) => isActive)
    const wanted = itemIds ? active.filter(({ itemId }) => itemIds.includes(itemId)) : active
    if (wanted.length === 0 && !force)
      return refuse('UNPROCESSABLE', `the table ${table.tableId} has none of these items`)
    const items = [
      ...wanted.map(({ itemId, quantity }) => ({ itemId, quantity })),
      ...(itemIds ?? [])
        .filter((itemId) => force && !active.some((item) => item.itemId === itemId))
        .map((itemId) => ({ itemId, quantity: 1 })),
    ]
    return callHost(table, { act: 'transfer', force }, context, {
      body: transferRequestBody(target, items, itemIds === undefined, reason),
    })
  }),

  'table.request-fiscal': onTable((table, { printDocument, force }, context) =>
    callHost(table, { act: 'request-fiscal', force }, context, {
      body: compact({ printDocument }),
    }),
  ),
}
