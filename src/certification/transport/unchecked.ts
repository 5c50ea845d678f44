/** Clauses of discovery, transport, authentication, limits and migration that no check shows for these roles. */
import type { UncheckedClause } from '../check.ts'

export const transportUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'DIS-EVT-01',
    roles: ['crm'],
    why: 'its events are those of Customer, whose declaration (DIS-CUS-01) has no originator block; our own manifest has none either',
  },
  {
    clause: 'TRN-STA-02',
    roles: ['software-service'],
    why: 'its operations with 202 are those of accounts, which no procedure of this area opens yet',
  },
  {
    clause: 'TRN-STA-03',
    roles: ['ordering-application', 'software-service', 'delivery-platform', 'crm'],
    why: 'HTTP drops the body of a 204 before it can be seen; its Content-Length is not looked at yet',
  },
  {
    clause: 'MIG-ORD-02',
    roles: ['software-service'],
    why: 'the outcome of a request to cancel is given by the Ordering Application',
  },
  {
    clause: 'MIG-IND-02',
    roles: ['ordering-application', 'software-service'],
    why: 'an account that stays locked needs the procedures of Indoor; the Ordering Application hosts no account',
  },
  {
    clause: 'MIG-MER-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges the services of a merchant',
  },
  {
    clause: 'MIG-MNU-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges a catalog',
  },
  {
    clause: 'MIG-LOG-01',
    roles: ['ordering-application', 'software-service'],
    why: 'the Delivery Platform answers mutations and declares the tracking mode',
  },
]
