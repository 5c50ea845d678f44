/** Certification of Customer, Reviews and Loyalty: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { customerAccess, customerErrors } from './access-procedures.ts'
import {
  customerFailures,
  customerOrders,
  customerPulls,
  loyaltyReading,
} from './client-procedures.ts'
import { customerConsents, customerEventReceipt, crmOrderFacts } from './event-procedures.ts'
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
