/** INDOOR orders of an Ordering Application under certification, the accounts that we open for them, and waiting for its calls. */
import type { Command } from '../../../core/engine/command.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { callForOrder, newOrder, progressSteps, untilReads } from '../orders/host-orders.ts'
import { isAtOrPast, statusOf } from '../orders/hosted-orders.ts'
import { bodyValue } from '../../judge/assertion.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../judge/trace.ts'

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

export interface GuestPlace {
  readonly operationMode: 'TABLE' | 'COUNTER'
  readonly identifier: string
}

/** A place that is made up: the order may have another. */
export const guestPlace = (
  { now }: ProcedureContext,
  name: string,
  operationMode: GuestPlace['operationMode'] = 'TABLE',
): GuestPlace => ({
  operationMode,
  identifier: `${name}-${Math.floor(now() / 1000) % 1_000_000}`,
})

/** Has an INDOOR order created with every field that one may have. */
export async function newIndoorOrder(
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
  context.seen().filter(({ operation, isCall }) => operation === 'receiveAccountEvent' && !isCall)

/** The id of the account that our Software Service has opened for an order, once its event was taken. */
export async function accountIdFor(context: ProcedureContext, orderId: string): Promise<string> {
  const found = await context.until(
    () =>
      handedOver(context).find(
        ({ request, status }) => bodyValue(request, '/orderId') === orderId && status > 0,
      ),
    { within: 60_000 },
  )
  const accountId = bodyValue(found?.request, '/accountId')
  return typeof accountId === 'string'
    ? accountId
    : context.skip('our Software Service could not open an account for the order')
}

/** Waits until an event of this type about the account was handed over. */
export const untilHandedOver = (
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
    { within: 120_000 },
  )

/** Waits until the service has read the account. */
export const untilRead = (
  context: ProcedureContext,
  accountId: string,
): Promise<Observed | undefined> =>
  context.until(
    () =>
      context
        .seen()
        .find(({ isCall, reply }) => isCall && bodyValue(reply, '/accountId') === accountId),
    { within: 60_000 },
  )

/** Waits for a call of the service, in addition to those that there were. */
export function untilCalled(
  context: ProcedureContext,
  operation: OperationId,
  known = 0,
): Promise<Observed | undefined> {
  return context.until(() => callsOf(context, operation)[known], { within: 60_000 })
}

const callsOf = (context: ProcedureContext, operation: OperationId): readonly Observed[] =>
  context.seen().filter((each) => each.isCall && each.operation === operation)

/** Has something done at a table of the service, and waits for the call that follows from it. */
export async function haveDone(
  context: ProcedureContext,
  instruction: string,
  command: Command,
  operation: OperationId,
): Promise<void> {
  const known = callsOf(context, operation).length
  await context.ask({ kind: 'other', instruction, command })
  await untilCalled(context, operation, known)
}

/** Time for the effect of a step; what takes longer is left as it is. */
const stepMs = 1000

/** Takes the orders to their end as our Software Service. */
export async function finishOrders(
  context: ProcedureContext,
  orders: readonly string[],
): Promise<void> {
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
