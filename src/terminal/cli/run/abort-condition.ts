/** When no further run can be played: the subject answers, but rejects our credentials or cannot receive events. */
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { defaultClient } from '../../../core/protocol/auth/default-client.ts'
import type { ScenarioObserver } from '../../../core/scenario/observer.ts'
import { isWebhookOperation } from '../../../core/protocol/catalogue.ts'
import type { ScenarioRun } from '../../../core/scenario/runs.ts'

export interface AbortCondition {
  readonly because: string
  readonly remedy: string
}

/** Rejected manifests before aborting: a service that is starting up may have none yet. */
const maxRejections = 3

export function findAbortCondition(
  observer: ScenarioObserver,
  { channel }: Pick<ScenarioRun, 'channel'>,
  { counterparts }: Configuration,
): AbortCondition | undefined {
  const refusal = observer.rejectedCredentials()
  const { reason } = refusal?.exchange ?? {}
  // A webhook is signed with the secret of the service, and need not have a token.
  if (refusal && reason !== undefined && isWebhookOperation(refusal.exchange.operation))
    return {
      because: `it refuses our webhooks (${refusal.evidence.line})`,
      remedy: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    }
  if (refusal) {
    const { role } = refusal.exchange.from
    const { clientId, clientSecret } = counterparts[role].credentials
    // One of the configuration is not shown.
    const secret =
      clientSecret === defaultClient(role).clientSecret ? `secret ${clientSecret}` : 'its secret'
    return {
      because: `it refuses our credentials (${refusal.evidence.line})`,
      remedy: `Have it accept the client ${clientId} with ${secret}, or set counterparts.${role}.credentials to what it accepts.`,
    }
  }
  observer.read()
  const rejections = observer.orders.manifestRejections()
  // A polling subject needs no manifest.
  if (channel === 'polling' || rejections.length < maxRejections) return undefined
  return {
    because: `it cannot be sent events, because its manifest cannot be used: ${rejections.at(-1)}`,
    remedy: 'Have it answer GET /.well-known/<name> with a manifest that declares webhooks.',
  }
}
