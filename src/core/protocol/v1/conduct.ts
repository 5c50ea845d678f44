/** Dialect options for V1 partners: `conduct.v1.…`. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff, oneWord } from '../setting.ts'

export const V1Conduct = strictObject(() => ({
  sends: z
    .strictObject({
      preparing: onOrOff(true).describe('that an order is being prepared'),
      delivered: onOrOff(true).describe('that an order is delivered'),
      pickedUp: onOrOff(true).describe('that an order was picked up'),
      tracking: onOrOff(true).describe('where the courier is'),
    })
    .prefault({})
    .describe('the flags of our orders: which optional calls the merchant is asked to make'),
  lifecycle: oneWord(['free', 'strict'], 'free').describe(
    'steps of an order: V1 prescribes no order of them, so that dispatch and delivered follow CONFIRMED without those between, or V2’s',
  ),
  deliveredBy: oneWord(['MERCHANT', 'MARKETPLACE'], 'MERCHANT').describe(
    'who delivers our orders; with MARKETPLACE the merchant’s part ends at ready',
  ),
  lastEvent: onOrOff(true).describe(
    'our orders say what their last event was; the field is optional in V1',
  ),
  originatorCancel: oneWord(['handshake', 'direct'], 'handshake').describe(
    'an originator asks the merchant before it cancels, or cancels outright',
  ),
  merchantStubs: onOrOff(true).describe(
    'a merchant’s onboarding, the news of its menu and the question for its status are accepted, and have no effect',
  ),
  repeated: oneWord(['refuse', 'announce'], 'refuse').describe(
    'a call that was made before is 422, or its event is announced once more',
  ),
}))
