/**
 * The Indoor entry of a role's manifest: the host declares what it serves and how it invoices, the client what it
 * calls (DIS-IND-01 to 04, DIS-UND-02, DIS-UND-03). Declared only beside Orders (IND-GEN-02); switched off in a
 * session that speaks V1 only (MIG-IND-01).
 */
import type { CapabilityDeclaration } from '../../protocol/discovery/compose-manifest.ts'
import { accountEventTypes } from '../../protocol/indoor/events.ts'
import { indoorOperations } from '../../protocol/indoor/operations.ts'
import type { HandlerInput } from '../handler.ts'

/** The operations that the Ordering Application calls: those that the Software Service hosts. */
const calledOperations = (): string[] =>
  indoorOperations.flatMap(({ id, hosts }) =>
    (hosts as readonly string[]).includes('software-service') ? [id] : [],
  )

export function indoorDeclaration(input: HandlerInput): readonly CapabilityDeclaration[] {
  const { host, base, served, settings } = input
  const { protocol, conduct, switchedOff } = settings
  const plays = host === 'software-service' || host === 'ordering-application'
  if (!plays || switchedOff.has('indoor')) return []
  const shared = { name: 'indoor', version: protocol.version, supported: true, endpoint: base }
  if (host === 'ordering-application') {
    const operations = calledOperations()
    return [{ ...shared, role: 'ORIGINATOR', operations }]
  }
  const { invoiceIssuer, invoiceIssueMoment, usesAccountId, omittedEvents } = conduct.indoor
  const operations = served.filter(({ capability }) => capability === 'indoor').map(({ id }) => id)
  return [
    {
      ...shared,
      role: 'RECEIVER',
      operations,
      invoiceIssuer,
      invoiceIssueMoment,
      usesAccountId,
      receiver: {
        supported: true,
        supportedOperations: operations,
        unsupportedOperations: [],
        supportedEvents: accountEventTypes.filter(
          (type) => !(omittedEvents as readonly string[]).includes(type),
        ),
        unsupportedEvents: [...omittedEvents],
        supportsWebhook: true,
        supportsPolling: false,
      },
    },
  ]
}
