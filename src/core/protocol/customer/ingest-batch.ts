/** Validated records of one kind, to be ingested into a store. */
import { z } from 'zod'
import { CustomerInput } from './customer.ts'
import { AnyLead } from './lead.ts'
import { RelatedOrder } from './related-order.ts'
import { Review } from './review.ts'
import { strictObject } from '../../base/lazy-object.ts'

/** One record, with its kind. */
export const IngestEntry = z.discriminatedUnion('entity', [
  strictObject(() => ({ entity: z.literal('customer'), record: CustomerInput })),
  strictObject(() => ({ entity: z.literal('lead'), record: AnyLead })),
  strictObject(() => ({ entity: z.literal('order'), record: RelatedOrder })),
  strictObject(() => ({ entity: z.literal('review'), record: Review })),
])
export type IngestEntry = z.infer<typeof IngestEntry>

/** The records of one ingest, all of one kind. */
export const IngestBatch = z.array(IngestEntry).min(1).max(500)
export type IngestBatch = readonly IngestEntry[]
