/** Certification of Customer, Reviews and Loyalty: its checks, procedures, and clauses without a check. */
import type { UncheckedClause } from '../../../core/rules/checks/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { customerAccess, customerErrors } from './access-procedures.ts'
import {
  customerFailures,
  customerOrders,
  customerPulls,
  loyaltyReading,
} from './client-procedures.ts'
import { crmOrderFacts, customerConsents, customerEventReceipt } from './event-procedures.ts'
import { everyCustomerOperation } from './hosted-operations.ts'
import { customerIngest, relatedIngest } from './ingest-procedures.ts'
import {
  loyaltyAccrual,
  loyaltyExpiry,
  loyaltyRedemption,
  loyaltySuspension,
} from './loyalty-procedures.ts'
import { ownCustomers, ownLeads, ownOrders, ownReviews } from './own-facts.ts'

/** In the order in which they are carried out. */
export const customerProcedures: readonly Procedure[] = [
  everyCustomerOperation,
  customerAccess,
  customerErrors,
  customerIngest,
  relatedIngest,
  customerEventReceipt,
  customerConsents,
  crmOrderFacts,
  ownCustomers,
  ownLeads,
  ownReviews,
  ownOrders,
  customerOrders,
  customerPulls,
  loyaltyAccrual,
  loyaltyRedemption,
  loyaltySuspension,
  loyaltyExpiry,
  loyaltyReading,
  customerFailures,
]

/** Clauses of Customer that no check shows, with the reason. */
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
