/** Our webhooks: the calls that hand an event to the subject. */
import { operations, type OperationId } from '../../protocol/catalogue.ts'
import { type Role, roles } from '../../protocol/role.ts'
import type { SeenExchange } from '../judge/observations.ts'

const rows = operations.filter(({ webhook }) => webhook !== undefined)

export const webhooks: readonly OperationId[] = rows.map(({ id }) => id)

/** Whoever may receive one. */
export const receivers: readonly Role[] = roles.filter((role) =>
  rows.some(({ hosts }) => hosts.includes(role)),
)

const ids: ReadonlySet<string> = new Set(webhooks)

export const isWebhook = ({ by, operation }: SeenExchange): boolean =>
  by === 'sparring' && operation !== undefined && ids.has(operation)

/**
 * A stranger forged it: the subject has to turn it away. Of delivery events the documents ask for a token and no more, so
 * there a signature that is missing is no forgery (LOG-EVT-04).
 */
export function isForged(seen: SeenExchange): boolean {
  if (seen.exchange.fault?.startsWith('wrong-signature ') !== true) return false
  return seen.operation !== 'receiveDeliveryEvent' || Boolean(seen.header('x-app-signature'))
}

/** The subject said no to it. Where there was no answer nobody knows. */
export const isTurnedAway = ({ status }: SeenExchange): boolean => status >= 300
