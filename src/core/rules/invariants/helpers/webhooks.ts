/** Webhooks: calls of Sparring that hand an event to the subject. */
import { operations, type OperationId } from '../../../protocol/catalogue.ts'
import { signatureHeaders } from '../../../protocol/signature.ts'
import { type Role, roles } from '../../../protocol/role.ts'
import { phaseOf } from '../../../traffic/failed-requests.ts'
import type { ObservedExchange } from '../judge/observations.ts'

const rows = operations.filter(({ webhook }) => webhook !== undefined)

export const webhookOperations: readonly OperationId[] = rows.map(({ id }) => id)

/** Roles that may receive a webhook. */
export const webhookReceivers: readonly Role[] = roles.filter((role) =>
  rows.some(({ hosts }) => hosts.includes(role)),
)

const ids: ReadonlySet<string> = new Set(webhookOperations)

export const isWebhook = ({ caller, operation }: ObservedExchange): boolean =>
  caller === 'sparring' && operation !== undefined && ids.has(operation)

/** Webhooks for which the documents require only a token (LOG-EVT-04, AUT-GEN-01). */
const withTokenOnly: readonly (OperationId | undefined)[] = [
  'receiveDeliveryEvent',
  'receiveCustomerEvent',
  'receiveLoyaltyEvent',
]

/** Whether the webhook is forged and must be refused. Where a token is enough, a missing signature is no forgery. */
export function isForgedWebhook(observed: ObservedExchange): boolean {
  if (observed.exchange.fault?.startsWith('wrong-signature ') !== true) return false
  return (
    !withTokenOnly.includes(observed.operation) ||
    signatureHeaders.some((name) => Boolean(observed.header(name)))
  )
}

/** The subject refused it. Without a reply the outcome is unknown. */
export const isRefusedWebhook = ({ status }: ObservedExchange): boolean => status >= 300

/** Codes of ours, and phases of a connection, in which no request has left. */
const unsentCodes: ReadonlySet<string> = new Set(['UNSENT', 'REFUSED', 'NO_TOKEN'])
const unsentPhases: ReadonlySet<string> = new Set(['dns', 'connect', 'tls'])

/** Whether the subject may have taken a webhook that it never answered, since its process ended or the connection broke. */
export const mayBeTaken = ({ status, exchange: { failure } }: ObservedExchange): boolean =>
  status === 0 &&
  failure !== undefined &&
  !unsentCodes.has(failure.code) &&
  !unsentPhases.has(phaseOf(failure.code))
