/** Clauses of Customer that no check shows, with the reason. */
import type { UncheckedClause } from '../../judge/check.ts'

export const customerUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'CUS-GEN-06',
    roles: ['crm'],
    why: 'our Ordering Application declares Orders, and what it declares cannot change while a session runs',
  },
  {
    clause: 'CUS-TEN-06',
    roles: ['ordering-application'],
    why: 'an Ordering Application hosts no ingest, and whether it should take a 409 for success is not said',
  },
  {
    clause: 'CUS-BND-01',
    roles: ['software-service', 'delivery-platform'],
    why: 'these roles neither host nor call an operation of Customer',
  },
]
