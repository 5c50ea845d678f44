/** Certification of Indoor: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
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
import { fiscalChecks } from './fiscal.ts'
import { guestCallChecks } from './guest-calls.ts'
import { guestEventChecks } from './guest-events.ts'
import {
  guestLostEvent,
  guestOrders,
  guestRepeatedEvents,
  guestVisit,
  indoorManifest,
} from './guest-procedures.ts'
import { accountEventChecks } from './host-events.ts'
import { hostOperationChecks } from './host-operations.ts'
import { lifecycleChecks } from './lifecycle.ts'
import { openingChecks } from './opening.ts'
import { orderBlockChecks } from './order-block.ts'
import { permissionChecks } from './permissions.ts'

export const indoorChecks: readonly Check[] = [
  ...openingChecks,
  ...lifecycleChecks,
  ...permissionChecks,
  ...hostOperationChecks,
  ...accountEventChecks,
  ...fiscalChecks,
  ...orderBlockChecks,
  ...guestCallChecks,
  ...guestEventChecks,
]

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
  indoorManifest,
  guestOrders,
  guestVisit,
  guestRepeatedEvents,
  guestLostEvent,
]
