/** What the operations of Customer answer, as it is documented; records are open, whatever shape a session writes. */
import { z } from 'zod'

/** A record that has an id. */
export const Identified = z.looseObject({ id: z.string() })

const figure = z.int().min(0)
const pagination = z.looseObject({ page: figure, pageSize: figure, total: figure })

/** A page in any of the shapes that a session may answer (CUS-UND-04). */
export const pageOf = (record: z.ZodType, many: string): z.ZodType =>
  z.union([
    pagination.extend({ items: z.array(record) }),
    pagination.extend({ [many]: z.array(record) }),
    z.looseObject({ items: z.array(record), pagination }),
    z.array(record),
  ])
