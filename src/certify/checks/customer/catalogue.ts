/** Certification of Customer, Reviews and Loyalty: its checks, procedures, and clauses without a check. */
import type { Check, UncheckedClause } from '../../judge/check.ts'
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
import { bindingChecks } from './binding.ts'
import { fieldChecks, leadFieldChecks } from './fields.ts'
import { eventChecks } from './events.ts'
import { modeChecks } from './modes.ts'
import { eventReceiptChecks } from './event-receipt.ts'
import { loyaltyMovementChecks } from './loyalty-movements.ts'
import { eventObjectChecks } from './event-object.ts'
import { loyaltyAccountChecks } from './loyalty-accounts.ts'
import { hostingChecks } from './hosting.ts'
import { loyaltyRecordChecks } from './loyalty-records.ts'
import { wireChecks } from './wire.ts'
import { roleChecks } from './roles.ts'
import { ingestChecks } from './ingest.ts'
import { errorChecks } from './errors.ts'
import { loyaltySuspendedChecks } from './loyalty-suspended.ts'
import { loyaltyEventChecks } from './loyalty-events.ts'
import { declarationChecks } from './declaration.ts'

export const customerChecks: readonly Check[] = [
  ...declarationChecks,
  ...modeChecks,
  ...roleChecks,
  ...wireChecks,
  ...hostingChecks,
  ...bindingChecks,
  ...fieldChecks,
  ...leadFieldChecks,
  ...ingestChecks,
  ...eventReceiptChecks,
  ...eventChecks,
  ...eventObjectChecks,
  ...errorChecks,
  ...loyaltyAccountChecks,
  ...loyaltyRecordChecks,
  ...loyaltyEventChecks,
  ...loyaltyMovementChecks,
  ...loyaltySuspendedChecks,
]

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
