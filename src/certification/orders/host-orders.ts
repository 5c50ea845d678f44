/** Orders of an Ordering Application under certification: had created, read, and moved by calls of a Software Service. */
import { compact } from '../../compact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderType } from '../../protocol/orders/order.ts'
import { bodyValue } from '../look.ts'
import type { ProcedureContext } from '../procedure.ts'
import { emittedEvents, type Observed } from '../trace.ts'

/** How long an order may take to be announced, where a person has to create it at the service. */
const announcementMs = 60_000
/** How long an accepted call may take to show its effect. */
const effectMs = 15_000
const readEveryMs = 500

/** Has an order created at the service, like this document where one is given, and waits for its CREATED event. */
export async function newOrder(
  context: ProcedureContext,
  type: OrderType,
  document?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const createdIds = (): readonly string[] =>
    emittedEvents(context.seen()).flatMap(({ eventType, orderId }) =>
      eventType === 'CREATED' && orderId !== undefined ? [orderId] : [],
    )
  const known = new Set(createdIds())
  await context.ask({ kind: 'create-order', type, ...compact({ document }) })
  const orderId = await context.until(() => createdIds().find((id) => !known.has(id)), {
    within: announcementMs,
  })
  return orderId ?? context.skip(`no CREATED event of a new ${type} order came within 60 s`)
}

export const readOrder = (
  context: ProcedureContext,
  step: string,
  orderId: string,
): Promise<Observed> =>
  context.call(step, { as: 'software-service', operation: 'getOrder', params: { orderId } })

export const callForOrder = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
  options: { readonly step?: string; readonly body?: unknown } = {},
): Promise<Observed> =>
  context.call(options.step ?? operation, {
    as: 'software-service',
    operation,
    params: { orderId },
    body: options.body ?? {},
  })

/** The status that a read shows. */
export const statusOf = ({ reply }: Observed): unknown => bodyValue(reply, '/status')

/** Reads the order until it has this status; false when it has not in time. */
export async function untilStatus(
  context: ProcedureContext,
  orderId: string,
  status: string,
): Promise<boolean> {
  const end = context.now() + effectMs
  for (;;) {
    const seen = await readOrder(context, `read-${status}`, orderId)
    if (statusOf(seen) === status) return true
    if (context.now() >= end) return false
    await context.sleep(readEveryMs)
  }
}
