/** Dialect options for V1 partners: `conduct.v1.…`. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { flag, word } from '../setting.ts'

export const V1Conduct = strictObject(() => ({
  sends: z
    .strictObject({
      preparing: flag(true).describe('that an order is being prepared'),
      delivered: flag(true).describe('that an order is delivered'),
      pickedUp: flag(true).describe('that an order was picked up'),
      tracking: flag(true).describe('where the courier is'),
    })
    .prefault({})
    .describe('the flags of our orders: which optional calls the merchant is asked to make'),
  deliveredBy: word(['MERCHANT', 'MARKETPLACE'], 'MERCHANT').describe(
    'who delivers our orders; with MARKETPLACE the merchant’s part ends at ready',
  ),
  lastEvent: flag(true).describe(
    'our orders say what their last event was; the field is optional in V1',
  ),
  originatorCancel: word(['handshake', 'direct'], 'handshake').describe(
    'an originator asks the merchant before it cancels, or cancels outright',
  ),
  repeated: word(['refuse', 'announce'], 'refuse').describe(
    'a call that was made before is 422, or its event is announced once more',
  ),
}))
