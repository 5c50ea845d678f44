/** Proof of the checks of Customer: loyalty accounts, points and coupons. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { loyaltyAccountChecks } from './loyalty-accounts.ts'
import { loyaltyEventChecks } from './loyalty-events.ts'
import { loyaltyMovementChecks } from './loyalty-movements.ts'
import { loyaltyRecordChecks } from './loyalty-records.ts'
import { loyaltySuspendedChecks } from './loyalty-suspended.ts'

proveChecks('customer', [
  ...loyaltyAccountChecks,
  ...loyaltyRecordChecks,
  ...loyaltyEventChecks,
  ...loyaltyMovementChecks,
  ...loyaltySuspendedChecks,
])
