/** The body of a list that is cut into pages (C10). A partner's may lack the numbers. */
import { z } from 'zod'

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    page: z.int().optional(),
    pageSize: z.int().optional(),
    total: z.int().optional(),
  })
