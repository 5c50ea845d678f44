/** The merchants that an application is authorized for (AUT-MER-01; the shape is a default, AUT-UND-02). */
import { z } from 'zod'

export const MerchantRow = z.looseObject({
  merchantId: z.string(),
  name: z.string(),
  status: z.enum(['OPEN', 'CLOSED', 'PAUSED']),
})
export type MerchantRow = z.infer<typeof MerchantRow>

export const MerchantList = z.array(MerchantRow)
