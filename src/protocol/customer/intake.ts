/** Records of one kind on their way into a store, each as it was sent and found whole. */
import { z } from 'zod'
import { CustomerInput } from './customer.ts'
import { AnyLead } from './lead.ts'
import { RelatedOrder } from './related-order.ts'
import { Review } from './review.ts'

/** One record. */
export const Entry = z.discriminatedUnion('entity', [
  z.strictObject({ entity: z.literal('customer'), record: CustomerInput }),
  z.strictObject({ entity: z.literal('lead'), record: AnyLead }),
  z.strictObject({ entity: z.literal('order'), record: RelatedOrder }),
  z.strictObject({ entity: z.literal('review'), record: Review }),
])
export type Entry = z.infer<typeof Entry>

/** What came at once: one or more, all of one kind. */
export const Intake = z.array(Entry).min(1).max(500)
export type Intake = readonly Entry[]
