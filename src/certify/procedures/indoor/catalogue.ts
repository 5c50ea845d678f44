/** Certification of Indoor: its checks, procedures, and clauses without a check. */
import type { UncheckedClause } from '../../../core/rules/checks/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import {
  accountFiscal,
  fiscalFailure,
  lostAccountEvent,
  paymentAdjustment,
} from './fiscal-procedures.ts'
import {
  accountAfterClosing,
  accountLife,
  accountOpening,
  accountTransfer,
} from './host-procedures.ts'
import { guestLostEvent, guestOrders, guestRepeatedEvents, guestVisit } from './guest-procedures.ts'

/** In the order in which they are carried out. */
export const indoorProcedures: readonly Procedure[] = [
  accountOpening,
  accountLife,
  accountAfterClosing,
  accountTransfer,
  accountFiscal,
  fiscalFailure,
  paymentAdjustment,
  lostAccountEvent,
  guestOrders,
  guestVisit,
  guestRepeatedEvents,
  guestLostEvent,
]

/** Clauses of Indoor that bind a role whose traffic does not show them. */
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
