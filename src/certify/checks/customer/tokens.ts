/** Which scopes the token of a call has, as the service has granted them. */
import { bodyValue } from '../../judge/assertion.ts'
import type { Observed } from '../../judge/trace.ts'

/** Scopes that allow operations of Customer, with any prefix. */
const allows = /(^|\.)(crm|all)$|^(customer|orders\.crm|lead|review)\./

/**
 * The token of this call lacks the scopes of Customer for certain: it was requested for the call alone, was granted, and
 * the reply names other scopes only.
 */
export function lacksCustomerScope(all: readonly Observed[], call: Observed): boolean {
  const request = all.findLast(
    ({ operation, isCall, exchange }) =>
      operation === 'issueToken' && !isCall && exchange.seq < call.exchange.seq,
  )
  const scope = request && bodyValue(request.reply, '/scope')
  if (request?.status !== 200 || typeof scope !== 'string') return false
  const names = scope.split(/\s+/).filter(Boolean)
  return names.length > 0 && !names.some((name) => allows.test(name))
}
