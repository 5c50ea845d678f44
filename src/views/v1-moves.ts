/** Order moves specific to V1: the cancellation handshake with the merchant. */
import type { Settings } from '../engine/settings.ts'
import type { OrderRecord, World } from '../engine/world.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import { orderStep } from '../protocol/orders/lifecycle.ts'
import type { Move } from '../session-api/entities.ts'

export function v1Moves(
  { order, status, cancellation }: OrderRecord,
  { v1 }: World,
  { conduct }: Settings,
): readonly Move[] {
  const orderId = order.id
  if (
    !speaksV1(conduct) ||
    orderStep(status, 'cancel', order.fulfillment.orderType).kind !== 'moves'
  )
    return []
  if (v1.handshakes.has(orderId))
    return (['accept', 'deny'] as const).map((answer) => ({
      trigger: `${answer}-cancelling`,
      to: answer === 'accept' ? 'CANCELLED' : status,
      by: 'software-service',
      command: { kind: 'handshake.answer', orderId, answer },
    }))
  return cancellation === 'accept' || conduct.v1.originatorCancel === 'direct'
    ? []
    : [
        {
          trigger: 'ask-to-cancel',
          to: 'CANCELLED',
          by: 'ordering-application',
          command: { kind: 'handshake.offer', orderId },
        },
      ]
}
