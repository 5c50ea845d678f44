/** The condition for aborting all runs: the subject answers but rejects our credentials or cannot receive events. */
import type { ScenarioRun } from '../../scenario/runs.ts'
import type { ScenarioObserver } from '../../scenario/observer.ts'

export interface AbortCondition {
  readonly because: string
  readonly remedy: string
}

/** Rejected manifests before aborting: a service that is starting up may have none yet. */
const maxRejections = 3

export function findAbortCondition(
  observer: ScenarioObserver,
  { channel }: ScenarioRun,
): AbortCondition | undefined {
  const refusal = observer.rejectedCredentials()
  if (refusal)
    return {
      because: `it refuses our credentials (${refusal.evidence.line})`,
      remedy: 'Compare the credentials of our counterparts with what your service accepts.',
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
