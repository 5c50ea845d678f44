/** Dialect options for V1 partners: `conduct.v1.…`. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'

export const V1Conduct = strictObject(() => ({
  sends: z
    .strictObject({
      preparing: z.boolean().default(true).describe('that an order is being prepared'),
      delivered: z.boolean().default(true).describe('that an order is delivered'),
      pickedUp: z.boolean().default(true).describe('that an order was picked up'),
      tracking: z.boolean().default(true).describe('where the courier is'),
    })
    .prefault({})
    .describe('the flags of our orders: which optional calls the merchant is asked to make'),
  deliveredBy: z
    .enum(['MERCHANT', 'MARKETPLACE'])
    .default('MERCHANT')
    .describe('who delivers our orders; with MARKETPLACE the merchant’s part ends at ready'),
  lastEvent: z
    .boolean()
    .default(true)
    .describe('our orders say what their last event was; the field is optional in V1'),
  originatorCancel: z
    .enum(['handshake', 'direct'])
    .default('handshake')
    .describe('an originator asks the merchant before it cancels, or cancels outright'),
  repeated: z
    .enum(['refuse', 'announce'])
    .default('refuse')
    .describe('a call that was made before is 422, or its event is announced once more'),
}))
