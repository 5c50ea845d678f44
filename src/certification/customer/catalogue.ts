/** Certification of Customer, Reviews and Loyalty: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import { customerAccess, customerErrors } from './access-procedures.ts'
import {
  customerFailures,
  customerOrders,
  customerPulls,
  loyaltyReading,
} from './client-procedures.ts'
import { customerConsents, customerEvents, orderFacts } from './event-procedures.ts'
import { customerOperations } from './hosted-operations.ts'
import { customerIngest, relatedIngest } from './ingest-procedures.ts'
import {
  loyaltyAccrual,
  loyaltyExpiry,
  loyaltyRedemption,
  loyaltySuspension,
} from './loyalty-procedures.ts'
import { ownCustomers, ownLeads, ownOrders, ownReviews } from './own-facts.ts'

export const customerChecks: readonly Check[] = []

/** In the order in which they are carried out. */
export const customerProcedures: readonly Procedure[] = [
  customerOperations,
  customerAccess,
  customerErrors,
  customerIngest,
  relatedIngest,
  customerEvents,
  customerConsents,
  orderFacts,
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
