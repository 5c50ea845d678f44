/** Repeated requests, which a V1 host refuses and a V2 host accepts (fields.md, 4.3, I#5, I#102). */
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { orderLifecycle, type ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import { err, ok } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { orderEventFacts } from '../orders/emit.ts'
import { refuse } from '../refusal.ts'
import type { OrderRecord } from '../world.ts'

/** A call whose effect has already happened: 202 in V2; in V1 422, or its event is emitted again. */
export function decideRepeatedCall(
  { order, status }: OrderRecord,
  trigger: ProgressionTrigger,
  context: DecisionContext,
): Decision {
  const { conduct } = context.settings
  if (!speaksV1(conduct)) return ok([])
  const row = orderLifecycle.find((each) => each.trigger === trigger)
  if (conduct.v1.repeated === 'announce' && row)
    return ok(orderEventFacts(order, row.emits, context))
  return refuse('INVALID_TRANSITION', `the order ${order.id} is ${status} already`, 422)
}

/** A cancellation that was requested before: V1 reports its status in the error; undefined for a new one. */
export function decideRepeatedCancellation(
  { order, status, cancellation }: OrderRecord,
  { settings }: DecisionContext,
): Decision | undefined {
  if (!speaksV1(settings.conduct)) return undefined
  const outcome =
    status === 'CANCELLED'
      ? 'CANCELLED'
      : cancellation === 'deny'
        ? 'CANCELLATION_REQUEST_DENIED'
        : undefined
  const pending = cancellation === 'asked' || cancellation === 'open' || cancellation === 'accept'
  if (outcome === undefined && !pending) return undefined
  return err({
    code: 'INVALID_TRANSITION',
    message: `cancelling the order ${order.id} was asked for before`,
    status: 422,
    ...(outcome === undefined ? {} : { more: { cancellationStatus: outcome } }),
  })
}
