/**
 * The Orders block in the manifest of a role that we play, with the operations that it serves or calls (DIS-ORD-01 to
 * 04).
 */
import type { CapabilityDeclaration } from '../../protocol/discovery/compose-manifest.ts'
import { orderEventTypes } from '../../protocol/orders/events.ts'
import { receiverOperationNames } from '../../protocol/orders/operations.ts'
import type { HandlerInput } from '../handler.ts'

type Withheld = readonly string[]

const without = (names: readonly string[], withheld: Withheld): string[] =>
  names.filter((name) => !withheld.includes(name))

export function ordersDeclaration(input: HandlerInput): readonly CapabilityDeclaration[] {
  const { host, base, served, settings } = input
  const { conduct, protocol, channels, switchedOff } = settings
  if (switchedOff.has('orders')) return []
  if (host !== 'ordering-application' && host !== 'software-service') return []
  const shared = {
    name: 'orders',
    version: protocol.version,
    supported: true,
    ...(conduct.ordersEndpoint ? { endpoint: base } : {}),
    ...(conduct.extensions.length > 0 ? { extensions: [...conduct.extensions] } : {}),
  }
  const channel = { supportsWebhook: channels.webhook, supportsPolling: channels.polling }
  if (host === 'software-service') {
    // A client lists the operations that it calls (DIS-UND-03): all nine, minus those withheld by configuration.
    const calls = without(receiverOperationNames, conduct.withheldOperations)
    return [
      {
        ...shared,
        role: 'RECEIVER',
        operations: calls,
        receiver: {
          supported: true,
          supportedOperations: calls,
          unsupportedOperations: [...conduct.withheldOperations],
          ...channel,
        },
      },
    ]
  }
  const serves = served
    .filter(({ capability }) => capability === 'orders')
    .map(({ id, declaredAs }) => declaredAs ?? id)
  return [
    {
      ...shared,
      role: 'ORIGINATOR',
      operations: serves,
      originator: {
        supported: true,
        supportedOperations: serves,
        unsupportedOperations: [...conduct.withheldOperations],
        supportedEvents: orderEventTypes.filter(
          (type) => !conduct.unsupportedEvents.includes(type),
        ),
        unsupportedEvents: [...conduct.unsupportedEvents],
        ...channel,
      },
    },
  ]
}
