/** The checks of every area: what must be observed in traffic for each clause, by the role that it binds. */
import type { ProtocolGeneration } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import type { RuleDescription } from '../invariants/verdict.ts'
import { type Check, ruleOfCheck } from './check.ts'
import { addressChecks } from './transport/addresses.ts'
import { beginAnewChecks } from './transport/begin-anew.ts'
import { clientAuthenticationChecks } from './transport/auth-client.ts'
import { hostAuthenticationChecks } from './transport/auth-host.ts'
import { scopeChecks } from './transport/auth-scopes.ts'
import { clientRetryChecks } from './transport/client-retries.ts'
import { discoveryEndpointChecks } from './transport/discovery-endpoint.ts'
import { limitChecks } from './transport/limits.ts'
import { manifestCapabilityChecks } from './transport/manifest-capabilities.ts'
import { manifestFieldChecks } from './transport/manifest-fields.ts'
import { manifestIdentityChecks } from './transport/manifest-identity.ts'
import { manifestUseChecks } from './transport/manifest-use.ts'
import { messageChecks } from './transport/messages.ts'
import { merchantMigrationChecks } from './transport/migration-merchants.ts'
import { statusChecks } from './transport/statuses.ts'
import { orderCancellationChecks } from './orders/client-cancellation.ts'
import { orderEventChecks } from './orders/client-events.ts'
import { orderItemChecks } from './orders/client-items.ts'
import { orderCallChecks } from './orders/client-operations.ts'
import { orderFlowChecks } from './orders/client-flow.ts'
import { orderHostCallChecks } from './orders/host-calls.ts'
import { orderHostEventChecks } from './orders/host-events.ts'
import { orderHostTransitionChecks } from './orders/host-transitions.ts'
import { orderHostEventFormChecks } from './orders/host-event-forms.ts'
import { orderHostCancellationChecks } from './orders/host-cancellation.ts'
import { orderHostDeclarationChecks } from './orders/host-declarations.ts'
import { orderHostOperationChecks } from './orders/host-operations.ts'
import { orderHostChannelChecks } from './orders/host-channels.ts'
import { orderHostItemChecks } from './orders/host-items.ts'
import { fullOrderFieldChecks, orderFieldChecks } from './orders/host-fields.ts'
import { orderItemFieldChecks } from './orders/host-item-fields.ts'
import { consumerChecks } from './logistics/consumer-checks.ts'
import { platformFieldChecks } from './logistics/platform-fields.ts'
import { platformLifecycleChecks } from './logistics/platform-lifecycle.ts'
import { platformOperationChecks } from './logistics/platform-operations.ts'
import { platformRuleChecks } from './logistics/platform-rules.ts'
import { bindingChecks, wireChecks } from './customer/binding.ts'
import { fieldChecks, leadFieldChecks } from './customer/fields.ts'
import { eventChecks } from './customer/events.ts'
import { modeChecks } from './customer/modes.ts'
import { eventReceiptChecks } from './customer/event-receipt.ts'
import { loyaltyMovementChecks } from './customer/loyalty-movements.ts'
import { eventObjectChecks } from './customer/event-object.ts'
import { loyaltyAccountChecks, loyaltyRecordChecks } from './customer/loyalty-accounts.ts'
import { hostingChecks } from './customer/hosting.ts'
import { roleChecks } from './customer/roles.ts'
import { ingestChecks } from './customer/ingest.ts'
import { errorChecks } from './customer/errors.ts'
import { loyaltySuspendedChecks } from './customer/loyalty-suspended.ts'
import { loyaltyEventChecks } from './customer/loyalty-events.ts'
import { declarationChecks } from './customer/declaration.ts'
import { fiscalChecks } from './indoor/fiscal.ts'
import { guestCallChecks } from './indoor/guest-calls.ts'
import { guestEventChecks } from './indoor/guest-events.ts'
import { accountEventChecks } from './indoor/host-events.ts'
import { hostOperationChecks } from './indoor/host-operations.ts'
import { lifecycleChecks } from './indoor/lifecycle.ts'
import { openingChecks } from './indoor/opening.ts'
import { orderBlockChecks } from './indoor/order-block.ts'
import { permissionChecks } from './indoor/permissions.ts'
import { v1AuthenticationForms } from './migration/v1-authentication.ts'
import { v1CallForms } from './migration/v1-calls.ts'
import { v1OrderForms } from './migration/v1-orders.ts'

export const transportChecks: readonly Check[] = [
  ...discoveryEndpointChecks,
  ...manifestFieldChecks,
  ...manifestIdentityChecks,
  ...manifestCapabilityChecks,
  ...manifestUseChecks,
  ...hostAuthenticationChecks,
  ...scopeChecks,
  ...clientAuthenticationChecks,
  ...messageChecks,
  ...addressChecks,
  ...statusChecks,
  ...clientRetryChecks,
  ...beginAnewChecks,
  ...limitChecks,
  ...merchantMigrationChecks,
]

export const ordersChecks: readonly Check[] = [
  // Of an Ordering Application.
  ...orderFieldChecks,
  ...fullOrderFieldChecks,
  ...orderItemFieldChecks,
  ...orderHostTransitionChecks,
  ...orderHostCallChecks,
  ...orderHostEventChecks,
  ...orderHostEventFormChecks,
  ...orderHostCancellationChecks,
  ...orderHostItemChecks,
  ...orderHostChannelChecks,
  ...orderHostOperationChecks,
  ...orderHostDeclarationChecks,
  // Of a Software Service.
  ...orderCallChecks,
  ...orderFlowChecks,
  ...orderEventChecks,
  ...orderCancellationChecks,
  ...orderItemChecks,
]

export const logisticsChecks: readonly Check[] = [
  ...platformFieldChecks,
  ...platformLifecycleChecks,
  ...platformRuleChecks,
  ...platformOperationChecks,
  ...consumerChecks,
]

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

/**
 * Forms of V1 that V2 has changed, in terms of what V2 has in their place. One that is still in use is no violation in V1:
 * it is advised to change it.
 */
export const v1Checks: readonly Check[] = [
  ...v1AuthenticationForms,
  ...v1OrderForms,
  ...v1CallForms,
].map((form) => ({ ...form, level: 'SHOULD' }))

/** Checks of V2, the generation that the clauses describe. */
export const checks: readonly Check[] = [
  ...transportChecks,
  ...ordersChecks,
  ...logisticsChecks,
  ...customerChecks,
  ...indoorChecks,
]

/** What is said of a Bearer token and of HTTP itself holds in V1 too; its orders have forms, statuses and answers of their own. */
const commonClauses: ReadonlySet<string> = new Set(['AUT-GEN-01', 'TRN-HDR-01', 'TRN-STA-03'])

const clausesOfOneProcess: ReadonlySet<string> = new Set(
  'AUT-TOK-03 AUT-TOK-04 TRN-STA-10 TRN-STA-12 TRN-ERB-01 DIS-WKN-07'.split(' '),
)

/** Whether a clause is about what one process of a service remembers of its own calls, as `ofOneProcess` says of a rule. */
export const isOfOneProcess = ({ clauses: [clause] }: Check): boolean =>
  clausesOfOneProcess.has(clause)

/** What a session judges clause by clause. */
export const sessionChecks: Readonly<Record<ProtocolGeneration, readonly Check[]>> = {
  v2: checks,
  v1: checks.filter(({ clauses: [first] }) => commonClauses.has(first)),
}

/**
 * The rule by which a session judges a clause in traffic with a service of a role, or of any; undefined for one that no check
 * is named by.
 */
export function clauseRule(clause: string, role?: Role): RuleDescription | undefined {
  const named = checks.filter(({ clauses: [first] }) => first === clause)
  const ofRole = named.filter(({ roles }) => role === undefined || roles.includes(role))
  const check = ofRole.find(({ assertion }) => assertion.live) ?? ofRole[0] ?? named[0]
  return check && ruleOfCheck(check)
}
