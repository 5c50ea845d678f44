/**
 * A lead: a person who has not ordered yet (CUS-LED-01 to 04; further fields of the field are accepted, fields.md C13).
 */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { ExternalId } from './identifier.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { evenIfInvalid } from '../unknown-record.ts'

const id = z.string().min(1).max(200)

const common = () => ({
  customerRef: id.nullish(),
  name: z.unknown().optional(),
  contact: z
    .union([z.string().min(1), looseObject(() => ({ type: z.string(), value: z.string() }))])
    .nullish(),
  externalIds: z.array(ExternalId).max(100).nullish(),
  createdAt: DateTime.nullish(),
  updatedAt: DateTime.nullish(),
})

/** A lead of the binding, which requires id, source and stage. */
export const Lead = looseObject(() => ({
  id,
  source: z.string().min(1),
  status: z.string().min(1),
  ...common(),
}))

/** A lead on the flow's path, which may have a contact instead, as in the field. */
export const AnyLead = looseObject(() => ({
  id: id.nullish(),
  source: z.string().min(1).nullish(),
  status: z.string().min(1).nullish(),
  ...common(),
})).superRefine((lead, context) => {
  if (lead.contact) return
  for (const lacking of (['id', 'source', 'status'] as const).filter((field) => !lead[field]))
    context.addIssue({
      code: 'custom',
      path: [lacking],
      message: 'it is missing; a lead without a contact needs id, source and status',
    })
}, evenIfInvalid)
export type LeadInput = z.infer<typeof AnyLead>
