/** Response schemas of Customer for the API documentation; records are open, since their shape is configurable. */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

/** Any record with an id. */
export const IdentifiedRecord = looseObject(() => ({ id: z.string() }))

/** The body of a 202, where the session has one (CUS-PAY-01). */
export const IngestReceipt = looseObject(() => ({
  status: z.literal('ACCEPTED'),
  correlationId: z.string(),
}))

const count = z.int().min(0)
const pagination = looseObject(() => ({ page: count, pageSize: count, total: count }))

/** A page in any of the configurable shapes (CUS-UND-04). */
export const customerPageOf = (record: z.ZodType, many: string): z.ZodType =>
  z.union([
    pagination.extend({ items: z.array(record) }),
    pagination.extend({ [many]: z.array(record) }),
    z.looseObject({ items: z.array(record), pagination }),
    z.array(record),
  ])
