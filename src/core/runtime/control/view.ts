/** Schema of a snapshot query as a request body. */
import { z } from 'zod'
import { OrderStatus } from '../../protocol/orders/order.ts'
import type { View } from '../../session-api/session-api.ts'
import { sessionEntityKinds } from '../../session-api/entities.ts'
import { strictObject } from '../../base/lazy-object.ts'

const number = z.exactOptional(z.int().min(0))
const limit = z.int().min(0).max(1000)
const orderId = z.exactOptional(z.string())
const kind = z.enum(sessionEntityKinds)
const contains = z.exactOptional(z.string().max(200))
const list = { limit, before: number, after: number, orderId }

export const ViewBody: z.ZodType<View> = strictObject(() => ({
  journal: z.exactOptional(z.strictObject({ ...list, contains })),
  traffic: z.exactOptional(
    z.strictObject({ ...list, filter: z.exactOptional(z.string().max(1000)) }),
  ),
  agenda: z.exactOptional(
    z.strictObject({
      limit,
      orderId,
      background: z.exactOptional(z.boolean()),
      aside: z.exactOptional(z.boolean()),
      held: z.exactOptional(z.literal(true)),
      contains,
    }),
  ),
  orders: z.exactOptional(
    z.strictObject({ limit, offset: number, status: z.exactOptional(OrderStatus), contains }),
  ),
  entities: z.exactOptional(
    z.strictObject({
      kind,
      limit,
      offset: number,
      status: z.exactOptional(z.string()),
      contains,
    }),
  ),
  orderId,
  entity: z.exactOptional(z.strictObject({ kind, id: z.string() })),
  exchange: number,
  item: number,
  pinned: z.exactOptional(z.array(z.string().max(200)).max(20)),
  menu: z.exactOptional(
    z.strictObject({
      limit,
      offset: number,
      merchant: z.exactOptional(z.string().min(1).max(200)),
    }),
  ),
  faults: z.exactOptional(z.literal(true)),
  rate: z.exactOptional(z.literal(true)),
  metrics: z.exactOptional(z.literal(true)),
  verdicts: z.exactOptional(z.literal(true)),
  operatorActions: z.exactOptional(z.literal(true)),
  explain: z.exactOptional(z.string().min(1).max(200)),
  at: number,
}))
