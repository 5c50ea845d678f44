/** The body of a paged list (C10). A partner's may lack page numbers and total. */
import { z } from 'zod'

export const loyaltyPageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    page: z.int().optional(),
    pageSize: z.int().optional(),
    total: z.int().optional(),
  })
