/** Webhooks: calls of Sparring that hand an event to the subject. */
import { operations, type OperationId } from '../../protocol/catalogue.ts'
import { type Role, roles } from '../../protocol/role.ts'
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

/**
 * Whether the webhook is forged and must be refused. For delivery events the documents require only a token, so there a
 * missing signature is no forgery (LOG-EVT-04).
 */
export function isForgedWebhook(seen: ObservedExchange): boolean {
  if (seen.exchange.fault?.startsWith('wrong-signature ') !== true) return false
  return seen.operation !== 'receiveDeliveryEvent' || Boolean(seen.header('x-app-signature'))
}

/** The subject refused it. Without a reply the outcome is unknown. */
export const isRefusedWebhook = ({ status }: ObservedExchange): boolean => status >= 300
