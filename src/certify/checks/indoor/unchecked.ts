/** Clauses of Indoor that bind a role whose traffic does not show them. */
import type { UncheckedClause } from '../../judge/check.ts'

export const indoorUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'IND-GEN-05',
    roles: ['software-service'],
    why: 'the status of an order is hosted by the Ordering Application, where the check of its role sees it',
  },
  {
    clause: 'IND-PRM-01',
    roles: ['ordering-application'],
    why: 'an order may be placed before the lock is known: the host decides, and its role has the check',
  },
  {
    clause: 'IND-OPS-02',
    roles: ['ordering-application'],
    why: 'the lookup by key is the primary one, and nothing makes a client read by the id',
  },
  {
    clause: 'IND-UND-04',
    roles: ['ordering-application'],
    why: 'it leaves open what a host answers, and asks nothing of the client',
  },
]
