/**
 * Bodies of two operations that the documents do not have: V1 has them, and the public standard (fields.md, O21). A merchant
 * adds details to an order, and checks the code that the customer shows.
 */
import { z } from 'zod'
import { looseObject, plainObject } from '../../base/lazy-object.ts'

export const furtherOperationNames = ['validateDeliveryCode', 'patchOrderDetails'] as const
export type FurtherOperationName = (typeof furtherOperationNames)[number]

/** Start of preparation and a remark. */
export const OrderDetails = looseObject(() => ({
  preparationStartDateTime: z.iso.datetime({ offset: true }).optional(),
  observations: z.string().max(2000).optional(),
})).refine((details) => Object.keys(details).length > 0, { message: 'it says nothing' })
export type OrderDetails = z.infer<typeof OrderDetails>

/** The answer to a right code. */
export const DeliveryCodeAnswer = looseObject(() => ({
  orderId: z.string(),
  deliveryCode: z.string(),
}))

export const DeliveryCodeQuery = plainObject(() => ({
  deliveryCode: z.string().optional().describe('The code that the customer has.'),
}))
