/** The names of all moves that an order may be offered, valid or forced. */
import { orderTriggers } from '../protocol/orders/lifecycle.ts'

export const orderMoveNames = [
  ...orderTriggers,
  'accept-cancellation',
  'deny-cancellation',
  // The handshake of V1.
  'ask-to-cancel',
  'accept-cancelling',
  'deny-cancelling',
] as const
