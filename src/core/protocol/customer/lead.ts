/**
 * A lead: a person who has not ordered yet (CUS-LED-01 to 04; further fields of the field are accepted, fields.md C13).
 */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { ExternalId } from './identifier.ts'
import { looseObject } from '../../base/lazy-object.ts'

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
})).check((context) => {
  const { value: lead } = context
  if (lead.contact) return
  const lacking = (['id', 'source', 'status'] as const).find((field) => !lead[field])
  if (lacking)
    context.issues.push({
      code: 'custom',
      input: lead,
      path: [lacking],
      message: 'it is missing; a lead without a contact needs id, source and status',
    })
})
export type LeadInput = z.infer<typeof AnyLead>
