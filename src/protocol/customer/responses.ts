/** Response schemas of Customer for the API documentation; records are open, since their shape is configurable. */
import { z } from 'zod'

/** Any record with an id. */
export const IdentifiedRecord = z.looseObject({ id: z.string() })

const count = z.int().min(0)
const pagination = z.looseObject({ page: count, pageSize: count, total: count })

/** A page in any of the configurable shapes (CUS-UND-04). */
export const customerPageOf = (record: z.ZodType, many: string): z.ZodType =>
  z.union([
    pagination.extend({ items: z.array(record) }),
    pagination.extend({ [many]: z.array(record) }),
    z.looseObject({ items: z.array(record), pagination }),
    z.array(record),
  ])
