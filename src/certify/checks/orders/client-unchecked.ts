/** Clauses of Orders that no check shows for a client, and why. */
import type { UncheckedClause } from '../../judge/check.ts'

const roles = ['software-service'] as const

export const orderClientUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'ORD-GEN-02',
    roles,
    why: 'that events do not change is shown by their host; what a client makes of a repeated event is ORD-EVR-03',
  },
  {
    clause: 'ORD-GEN-06',
    roles: ['delivery-platform'],
    why: 'a Delivery Platform has no credentials for Orders here, and calls none of its operations',
  },
  {
    clause: 'ORD-CHN-01',
    roles,
    why: 'our Ordering Application declares its channels for the whole session, and a client reads them once',
  },
  {
    clause: 'ORD-UND-04',
    roles,
    why: 'it is about the answer of the host to a call out of turn',
  },
  {
    clause: 'ORD-UND-05',
    roles,
    why: 'it is about the answer of the host to a call for a status that has passed',
  },
]
