/** Commands of the Ordering Application as Indoor client: receive account events, read an account, call the host. */
import { compact } from '../../base/compact.ts'
import { diningAccountStep } from '../../protocol/indoor/lifecycle.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { CallIntent } from '../calls/call.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { CommandOf } from '../command.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TableCommand } from './commands.ts'
import {
  accountCall,
  accountLookup,
  orderAccountLookup,
  paymentRequestBody,
  transferRequestBody,
} from './table-calls.ts'
import {
  activeTableAt,
  isAwaitingEffect,
  mayCallIndoorHost,
  maxUnchangedReads,
  identifyEventTable,
  operationOfTableAction,
  indoorOrderOf,
} from './tables.ts'
import { diningPlaceKey, diningPlace, type DiningTable, type TableAction } from './world.ts'

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

/** Stores an account event, or recognises it as a duplicate (IND-EVR-03). No order changes (IND-EVR-05). */
function storeEvent({ event }: CommandOf<'table.notify'>, { world }: DecisionContext): Decision {
  const { eventId, eventType, orderId } = event
  if (world.indoor.guest.seen.has(eventId)) return ok([{ kind: 'table.event-repeated', eventId }])
  const table = identifyEventTable(event, world)
  return ok([
    {
      kind: 'table.heard',
      eventId,
      eventType,
      ...compact({ orderId, table }),
    },
  ])
}

/** Looks up the account of an order whose ACCOUNT_OPENED may be lost (IND-EVR-04). */
function findAccountOfOrder(
  { orderId }: CommandOf<'table.find'>,
  context: DecisionContext,
): Decision {
  const { world } = context
  const order = indoorOrderOf(orderId, world)
  if (!order) return refuse('NOT_FOUND', `the Ordering Application has no INDOOR order ${orderId}`)
  const { merchantId, block } = order
  const { operationMode, identifier } = block
  const place = { merchantId, operationMode, identifier }
  const { guest } = world.indoor
  const latest = guest.byKey.get(diningPlaceKey(diningPlace(operationMode, identifier), merchantId))
  const isKnown = guest.tables.get(latest ?? '')?.account?.orders.includes(orderId) ?? false
  if (isKnown || !mayCallIndoorHost(world) || activeTableAt(place, guest)) return ok([])
  return ok([callPlacedFact(orderAccountLookup(orderId, place), context)])
}

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
  return ok([{ kind: 'table.asked', tableId, act }, callPlacedFact(call, context)])
}

const cash: PaymentMethodInfo = { method: 'CASH' }

export const tableDecisions: Decisions<TableCommand> = {
  'table.notify': storeEvent,
  'table.find': findAccountOfOrder,

  'table.look': onTable((table, { round }, context) =>
    readUnlessStale(table, round, accountLookup(table), context),
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
    const { methodInfo = cash, tip, force, amount = table.account?.due ?? 0 } = command
    if (amount <= 0) return refuse('UNPROCESSABLE', `nothing is due at the table ${table.tableId}`)
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
    const target = findTable({ tableId: targetTableId }, context)
    if (!target.ok) return target
    // A call in flight for the other table may lock it first.
    if (!force && (target.value.status !== 'IN_USE' || target.value.asked !== undefined))
      return ok([])
    const active = (table.account?.items ?? []).filter(({ isActive }) => isActive)
    const wanted = itemIds ? active.filter(({ itemId }) => itemIds.includes(itemId)) : active
    if (wanted.length === 0)
      return refuse('UNPROCESSABLE', `the table ${table.tableId} has none of these items`)
    const items = wanted.map(({ itemId, quantity }) => ({ itemId, quantity }))
    return callHost(table, { act: 'transfer', force }, context, {
      body: transferRequestBody(target.value, items, itemIds === undefined, reason),
    })
  }),

  'table.request-fiscal': onTable((table, { printDocument, force }, context) =>
    callHost(table, { act: 'request-fiscal', force }, context, {
      body: compact({ printDocument }),
    }),
  ),
}
