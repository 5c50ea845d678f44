/**
 * Procedures with an Ordering Application as Indoor client: our Software Service opens accounts for its INDOOR orders.
 */
import {
  callForOrder,
  newOrder,
  progressSteps,
  readOrder,
  untilOrderRead,
  untilReads,
} from '../orders/host-orders.ts'
import { bodyValue } from '../../../core/rules/checks/assertion.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import type { Command } from '../../../core/engine/command.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isAtOrPast, statusOf } from '../../../core/rules/checks/orders/hosted-orders.ts'

// INDOOR orders of an Ordering Application under certification, the accounts that we open for them,
// and waiting for its calls.

/** What the hand-off of an order may be; each has every optional field. */
const handoffs = {
  DISPATCH: {
    type: 'DISPATCH',
    dispatch: {
      id: 'table-7',
      label: 'Mesa 7',
      sector: 'Salão',
      seat: { id: 'lugar-1', label: 'Lugar 1' },
    },
  },
  CALL: {
    type: 'CALL',
    call: { notifyOriginator: true, type: 'TICKET_NUMBER', label: 'A7' },
  },
} as const

interface GuestPlace {
  readonly operationMode: 'TABLE' | 'COUNTER'
  readonly identifier: string
}

/** A place that is made up: the order may have another. */
const guestPlace = (
  { now }: ProcedureContext,
  name: string,
  operationMode: GuestPlace['operationMode'] = 'TABLE',
): GuestPlace => ({
  operationMode,
  identifier: `${name}-${Math.floor(now() / 1000) % 1_000_000}`,
})

/** Has an INDOOR order created with every field that one may have. */
async function newIndoorOrder(
  context: ProcedureContext,
  place: GuestPlace,
  handoff: keyof typeof handoffs,
  accountId?: string,
): Promise<string> {
  const document = {
    merchant: { externalCode: 'LOJA-001' },
    fulfillment: {
      orderType: 'INDOOR',
      indoor: {
        ...place,
        ...(accountId === undefined ? {} : { account: { id: accountId } }),
        originChannel: { type: 'OTHER', id: 'canal-1', notes: 'anotado à mão' },
        consumptionType: 'DINE_IN',
        fulfillment: handoffs[handoff],
        service: { waiterCode: 'G1', waiterName: 'Ana', peopleCount: 2 },
        notifications: { chatId: '5511999990000' },
        fiscal: {
          shouldIssueDocument: true,
          documentStatus: 'PENDING',
          printDocument: true,
          paymentNSURequiredForNFCE: false,
        },
      },
    },
  }
  return (await newOrder(context, 'INDOOR', { document })).orderId
}

/** Account events that were handed to the service. */
const handedOver = (context: ProcedureContext): readonly Observed[] =>
  context
    .observed()
    .filter(({ operation, isCall }) => operation === 'receiveAccountEvent' && !isCall)

/** The id of the account that our Software Service has opened for an order, once its event was taken. */
async function accountIdFor(context: ProcedureContext, orderId: string): Promise<string> {
  const found = await context.until(
    () =>
      handedOver(context).find(
        ({ request, status }) => bodyValue(request, '/orderId') === orderId && status > 0,
      ),
    { within: 60_000, what: `the answer to ACCOUNT_OPENED of order ${orderId}` },
  )
  const accountId = bodyValue(found?.request, '/accountId')
  return typeof accountId === 'string'
    ? accountId
    : context.skip('our Software Service could not open an account for the order')
}

/** Waits until an event of this type about the account was handed over. */
const untilHandedOver = (
  context: ProcedureContext,
  eventType: string,
  accountId: string,
): Promise<Observed | undefined> =>
  context.until(
    () =>
      handedOver(context).find(
        ({ request }) =>
          bodyValue(request, '/eventType') === eventType &&
          bodyValue(request, '/accountId') === accountId,
      ),
    { within: 120_000, what: `the answer to ${eventType} of account ${accountId}` },
  )

/** Waits until the service has read the account. */
const untilRead = (context: ProcedureContext, accountId: string): Promise<Observed | undefined> =>
  context.until(
    () =>
      context
        .observed()
        .find(({ isCall, reply }) => isCall && bodyValue(reply, '/accountId') === accountId),
    { within: 60_000, what: `a read of account ${accountId}` },
  )

/** Waits for a call of the service, in addition to those that there were. */
function untilCalled(
  context: ProcedureContext,
  operation: OperationId,
  known = 0,
): Promise<Observed | undefined> {
  return context.until(() => callsOf(context, operation)[known], {
    within: 60_000,
    what: operation,
  })
}

const callsOf = (context: ProcedureContext, operation: OperationId): readonly Observed[] =>
  context.observed().filter((each) => each.isCall && each.operation === operation)

/** Has something done at a table of the service, and waits for the call that follows from it. */
async function haveDone(
  context: ProcedureContext,
  action: {
    readonly table: string
    readonly operation: OperationId
    readonly instruction: string
    readonly command?: Command
  },
): Promise<void> {
  const { operation } = action
  const known = callsOf(context, operation).length
  await context.ask({ kind: 'other', ...action })
  await untilCalled(context, operation, known)
}

/** Time for the effect of a step; what takes longer is left as it is. */
const stepMs = 1000

/** Takes the orders to their end as our Software Service. */
async function finishOrders(context: ProcedureContext, orders: readonly string[]): Promise<void> {
  for (const [operation, status] of progressSteps.INDOOR) {
    for (const orderId of orders)
      await callForOrder(context, operation, orderId, { step: 'finish' })
    const held = orders.map((orderId) => ({ orderId }))
    await untilReads(context, held, (read) => isAtOrPast(statusOf(read), status, 'INDOOR'), {
      step: 'read-finish',
      within: stepMs,
    })
  }
}

/** Has the bill of a table asked for and paid, waits until its account is closed, and finishes the order. */
async function leaveTable(
  context: ProcedureContext,
  visit: { readonly place: GuestPlace; readonly orderId: string; readonly tableId: string },
): Promise<void> {
  const { place, orderId, tableId } = visit
  await context.ask({
    kind: 'other',
    instruction: `Ask for the bill of table ${place.identifier}, pay it and close the account.`,
    command: { kind: 'table.move', tableId, trigger: 'pre-close', force: true },
    operation: 'preCloseAccount',
    table: place.identifier,
  })
  await untilHandedOver(context, 'ACCOUNT_CLOSED', tableId)
  await finishOrders(context, [orderId])
}

/** What guests do whose events are disturbed. */
const guestTable = {
  roles: ['ordering-application'],
  needs: ['orders', 'indoor'],
  actions: ['an INDOOR order, its bill, its payment and its closing'],
  changes: 'one INDOOR order, which ends as DELIVERED',
} as const

const repeatedTypes = [
  'ACCOUNT_OPENED',
  'PAYMENT_CREATED',
  'ACCOUNT_PRE_CLOSED',
  'ACCOUNT_CLOSED',
] as const

export const guestProcedures = defineProcedures(
  {},
  {
    /** Orders with every field, an account event, and what they leave as it was. */
    'guest-orders': {
      about:
        'has INDOOR orders created, opens accounts for them, and tells of that by account events',
      roles: ['ordering-application'],
      needs: ['orders', 'indoor'],
      actions: ['two INDOOR orders of one table, and one of a counter'],
      changes:
        'three INDOOR orders, which end as DELIVERED, and one item of them, which is cancelled',
      async run(context) {
        const place = guestPlace(context, 'G')
        const first = await newIndoorOrder(context, place, 'DISPATCH')
        const called = await newIndoorOrder(context, guestPlace(context, 'B', 'COUNTER'), 'CALL')
        const read = await readOrder(context, 'read', first)
        await readOrder(context, 'read', called)
        await callForOrder(context, 'confirmOrder', first)
        await untilOrderRead(context, first, 'CONFIRMED')
        const accountId = await accountIdFor(context, first)
        await untilCalled(context, 'getAccount')
        const second = await newIndoorOrder(context, place, 'DISPATCH', accountId)
        await readOrder(context, 'read', second)
        await accountIdFor(context, second)
        await readOrder(context, 'read-after-event', first)
        const itemId = bodyValue(read.reply, '/items/*/id')
        await context.call('cancel-order-item', {
          as: 'software-service',
          operation: 'cancelOrderItem',
          params: { orderId: first, itemId: typeof itemId === 'string' ? itemId : '1' },
          body: { reason: 'acabou', code: 'UNAVAILABLE_ITEM', mode: 'MANUAL' },
        })
        await context.until(
          () =>
            emittedEvents(context.observed()).some(
              (event) => event.eventType === 'ITEM_CANCELLED' && event.orderId === first,
            ),
          { within: 5000 },
        )
        await readOrder(context, 'read-item-cancelled', first)
        await finishOrders(context, [first, called, second])
        await readOrder(context, 'read-end', first)
      },
    },
    /** A visit in which every operation of a table comes up. */
    'guest-visit': {
      about: 'has every operation about an account done at a table of the service',
      roles: ['ordering-application'],
      needs: ['orders', 'indoor'],
      actions: [
        'INDOOR orders of two tables',
        'an item cancelled, another moved, the bill taken back, asked for and paid, and a fiscal document',
      ],
      changes: 'two INDOOR orders, which end as DELIVERED',
      async run(context) {
        const [place, otherPlace] = [guestPlace(context, 'V'), guestPlace(context, 'W')]
        const first = await newIndoorOrder(context, place, 'DISPATCH')
        const other = await newIndoorOrder(context, otherPlace, 'DISPATCH')
        const tableId = await accountIdFor(context, first)
        const otherTableId = await accountIdFor(context, other)
        // A service may look for an account by itself only when its order is confirmed.
        for (const orderId of [first, other]) {
          await callForOrder(context, 'confirmOrder', orderId)
          await untilOrderRead(context, orderId, 'CONFIRMED')
        }
        await readOrder(context, 'read-before-visit', first)
        const reads = await Promise.all([tableId, otherTableId].map((id) => untilRead(context, id)))
        const itemId = bodyValue(reads[0]?.reply, '/items/*/itemId')
        const table = place.identifier
        await haveDone(context, {
          table,
          operation: 'cancelAccountItem',
          instruction: `Cancel an item of the account of table ${table}.`,
          ...(typeof itemId === 'string'
            ? { command: { kind: 'table.cancel-item', tableId, itemId, force: true } }
            : {}),
        })
        await haveDone(context, {
          table: otherPlace.identifier,
          operation: 'transferAccountContent',
          instruction: `Move everything on the account of table ${otherPlace.identifier} to that of table ${table}.`,
          command: {
            kind: 'table.transfer',
            tableId: otherTableId,
            targetTableId: tableId,
            force: true,
          },
        })
        await haveDone(context, {
          table,
          operation: 'preCloseAccount',
          instruction: `Ask for the bill of table ${table}, and do not pay it yet.`,
          command: { kind: 'table.move', tableId, trigger: 'pre-close', force: true },
        })
        await haveDone(context, {
          table,
          operation: 'unlockAccount',
          instruction: `Take back the bill of table ${table}.`,
          command: {
            kind: 'table.move',
            tableId,
            trigger: 'unlock',
            force: true,
          },
        })
        await haveDone(context, {
          table,
          operation: 'listAccountPayments',
          instruction: `Show the payments of the account of table ${table}.`,
          command: { kind: 'table.list', tableId, what: 'payments' },
        })
        await haveDone(context, {
          table,
          operation: 'preCloseAccount',
          instruction: `Ask for the bill of table ${table} again, pay it and close the account.`,
          command: { kind: 'table.move', tableId, trigger: 'pre-close', force: true },
        })
        await untilHandedOver(context, 'ACCOUNT_CLOSED', tableId)
        await readOrder(context, 'read-after-visit', first)
        await haveDone(context, {
          table,
          operation: 'requestFiscalDocument',
          instruction: `Request a fiscal document for table ${table}.`,
          command: { kind: 'table.request-fiscal', tableId, force: true },
        })
        await haveDone(context, {
          table,
          operation: 'listAccountFiscalDocuments',
          instruction: `Show the fiscal documents of table ${table}.`,
          command: { kind: 'table.list', tableId, what: 'documents' },
        })
        await finishOrders(context, [first, other])
      },
    },
    /** Every account event comes twice. */
    'guest-repeated-events': {
      about: 'hands over every account event twice',
      ...guestTable,
      async run(context) {
        const place = guestPlace(context, 'R')
        context.fault({ duplicate: { event: [...repeatedTypes], times: 2 } })
        const orderId = await newIndoorOrder(context, place, 'DISPATCH')
        const tableId = await accountIdFor(context, orderId)
        await leaveTable(context, { place, orderId, tableId })
      },
    },
    /** The event of a lock is lost, so only the account shows it. */
    'guest-lost-event': {
      about: 'loses the event of a pre-close',
      ...guestTable,
      async run(context) {
        const place = guestPlace(context, 'L')
        context.fault({ drop: { event: 'ACCOUNT_PRE_CLOSED' } })
        const orderId = await newIndoorOrder(context, place, 'DISPATCH')
        const tableId = await accountIdFor(context, orderId)
        context.note('lost', tableId)
        await leaveTable(context, { place, orderId, tableId })
      },
    },
  },
)
