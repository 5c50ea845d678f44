/** What the manifest of an Ordering Application declares. */
import {
  type DeclaredCapability,
  parseManifest,
} from '../../../core/protocol/discovery/parse-manifest.ts'
import type { Observed, Trace } from '../../judge/trace.ts'

/** Its manifests, as they were read. */
export const manifests = (trace: Trace): readonly Observed[] =>
  trace.answers('getManifest').filter(({ status }) => status === 200)

/** The declaration of Orders; undefined when there is none that can be read. */
export function declaredOrders(trace: Trace): DeclaredCapability | undefined {
  const last = manifests(trace).at(-1)
  if (!last) return undefined
  const parsed = parseManifest(last.reply)
  return parsed.ok ? parsed.value.capabilities['orders'] : undefined
}

/** Whether it declares the cancellation of items. */
export const declaresItemCancellation = (trace: Trace): boolean =>
  declaredOrders(trace)?.operations.includes('partialItemCancellation') ?? false

/** What our Software Service has declared of a channel to the service; undefined when the service has not asked. */
export function declaredToIt(
  trace: Trace,
  channel: 'supportsWebhook' | 'supportsPolling',
): boolean | undefined {
  const last = trace
    .calls('getManifest')
    .findLast(({ exchange, status }) => exchange.to.role === 'software-service' && status === 200)
  const parsed = last && parseManifest(last.reply)
  return parsed?.ok ? parsed.value.capabilities['orders']?.receiver?.[channel] : undefined
}
