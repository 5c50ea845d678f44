/**
 * The Logistics entry of a role's manifest (DIS-LOG-01 to 03, DIS-EVT-01): the Delivery Platform declares what it
 * serves and its tracking mode, a consumer what it calls and that it accepts events.
 */
import type { CapabilityDeclaration } from '../../protocol/discovery/compose-manifest.ts'
import { deliveryEventNames } from '../../protocol/logistics/events.ts'
import type { HandlerInput } from '../handler.ts'

/** The three values that a manifest may list (DIS-LOG-02); a consumer calls all of them. */
const allOperations = ['availability', 'delivery', 'tracking'] as const

function servedNames({ served }: HandlerInput): readonly string[] {
  const names = new Set(
    served.flatMap(({ capability, declaredAs }) =>
      capability === 'logistics' && declaredAs !== undefined ? [declaredAs] : [],
    ),
  )
  return allOperations.filter((name) => names.has(name))
}

export function logisticsDeclaration(input: HandlerInput): readonly CapabilityDeclaration[] {
  const { host, base, settings } = input
  const { protocol, conduct, switchedOff, trackingMode } = settings
  if (switchedOff.has('logistics') || host === 'crm') return []
  const push = trackingMode === 'push'
  const shared = {
    name: 'logistics',
    version: protocol.version,
    supported: true,
    baseUrl: base,
    trackingMode,
  }
  if (host !== 'delivery-platform') {
    const calls = [...allOperations]
    return [
      {
        ...shared,
        role: 'RECEIVER',
        operations: calls,
        receiver: {
          supported: true,
          supportedOperations: calls,
          unsupportedOperations: [],
          supportsWebhook: true,
          supportsPolling: true,
        },
      },
    ]
  }
  const serves = [...servedNames(input)]
  return [
    {
      ...shared,
      role: 'ORIGINATOR',
      operations: serves,
      originator: {
        supported: true,
        supportedOperations: serves,
        unsupportedOperations: [],
        supportedEvents: push ? [...deliveryEventNames(conduct.logistics.eventNames)] : [],
        unsupportedEvents: [],
        supportsWebhook: push,
        supportsPolling: !push,
      },
    },
  ]
}
