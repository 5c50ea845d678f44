/** Certification of Logistics: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { consumerCancellationChecks } from './consumer-cancellation.ts'
import { consumerChecks } from './consumer-checks.ts'
import {
  cancelledDelivery,
  consumedDelivery,
  declinedDelivery,
  refusedCancel,
} from './consumer-procedures.ts'
import { platformFieldChecks } from './platform-fields.ts'
import { platformLifecycleChecks } from './platform-lifecycle.ts'
import { platformOperationChecks } from './platform-operations.ts'
import { platformRuleChecks } from './platform-rules.ts'
import {
  deliveryCancel,
  deliveryFailure,
  deliveryLife,
  logisticsLookups,
} from './platform-procedures.ts'

export const logisticsChecks: readonly Check[] = [
  ...platformFieldChecks,
  ...platformLifecycleChecks,
  ...platformRuleChecks,
  ...platformOperationChecks,
  ...consumerChecks,
  ...consumerCancellationChecks,
]

/** In the order in which they are carried out. */
export const logisticsProcedures: readonly Procedure[] = [
  logisticsLookups,
  deliveryLife,
  deliveryCancel,
  deliveryFailure,
  consumedDelivery,
  declinedDelivery,
  cancelledDelivery,
  refusedCancel,
]
