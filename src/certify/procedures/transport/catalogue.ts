/**
 * Certification of discovery, transport, authentication, limits and migration: its checks,
 * procedures, and clauses without a check.
 */
import type { UncheckedClause } from '../../../core/rules/checks/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { access, scopes, tokenRequests } from './access-procedures.ts'
import { activity } from './activity.ts'
import { beginAnew } from './access-procedures.ts'
import { introduction } from './access-procedures.ts'
import { brokenRequests, repeatedReads, repeats } from './host-procedures.ts'
import { limits } from './access-procedures.ts'
import { retryProcedures } from './retry-procedures.ts'

/** In the order in which they are carried out. */
export const transportProcedures: readonly Procedure[] = [
  introduction,
  activity,
  access,
  scopes,
  tokenRequests,
  brokenRequests,
  repeatedReads,
  repeats,
  limits,
  ...retryProcedures,
  beginAnew,
]

/**
 * Clauses of discovery, transport, authentication, limits and migration that no check shows for
 * these roles.
 */
export const transportUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'DIS-EVT-01',
    roles: ['crm'],
    why: 'its events are those of Customer, whose declaration (DIS-CUS-01) has no originator block; our own manifest has none either',
  },
  {
    clause: 'TRN-STA-03',
    roles: ['delivery-platform'],
    why: 'no operation that a Delivery Platform hosts is answered with 204',
  },
  {
    clause: 'MIG-ORD-02',
    roles: ['software-service'],
    why: 'the outcome of a request to cancel is given by the Ordering Application',
  },
  {
    clause: 'MIG-IND-02',
    roles: ['ordering-application'],
    why: 'the Ordering Application hosts no account, and calls what the documents have',
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
