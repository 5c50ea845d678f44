/** Schema of `fulfillment.indoor` of an INDOOR order: table, tab or counter, and how the food is handed off. */
import { z } from 'zod'
import { ConsumptionType, OperationMode } from '../indoor/labels.ts'
import { looseObject } from '../../base/lazy-object.ts'

/** Where a guest orders (IND-FLD-04). */
export const orderingPoints = [
  'TOTEM',
  'QR_CODE',
  'CUSTOMER_TABLET',
  'WAITER_TABLET',
  'FRONT_DESK',
  'POS',
  'APP',
  'CHAT',
  'OTHER',
] as const

const Handoff = looseObject(() => ({
  type: z.enum(['DISPATCH', 'CALL']),
  call: z
    .looseObject({
      notifyOriginator: z.boolean().optional(),
      type: z.enum(['TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'CHAT', 'OTHER']).optional(),
      label: z.string().optional(),
    })
    .optional(),
  dispatch: z
    .looseObject({
      id: z.string().optional(),
      label: z.string().optional(),
      sector: z.string().optional(),
      seat: z.looseObject({ id: z.string().optional(), label: z.string().optional() }).optional(),
    })
    .optional(),
}))

export const IndoorBlock = looseObject(() => ({
  operationMode: OperationMode,
  identifier: z.string().min(1),
  account: z.looseObject({ id: z.string() }).optional(),
  originChannel: z.looseObject({
    type: z.enum(orderingPoints),
    id: z.string().optional(),
    notes: z.string().optional(),
  }),
  consumptionType: ConsumptionType,
  fulfillment: Handoff.optional(),
  service: z
    .looseObject({
      waiterCode: z.string().optional(),
      waiterName: z.string().optional(),
      peopleCount: z.int().min(0).optional(),
    })
    .optional(),
  notifications: z.looseObject({ chatId: z.string().optional() }).optional(),
  fiscal: z
    .looseObject({
      shouldIssueDocument: z.boolean(),
      documentStatus: z.enum(['NOT_ISSUED', 'ISSUED', 'PENDING']).optional(),
      printDocument: z.boolean().optional(),
      paymentNSURequiredForNFCE: z.boolean().optional(),
    })
    .optional(),
}))
export type IndoorBlock = z.infer<typeof IndoorBlock>
