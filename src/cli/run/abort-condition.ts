/** When there is no point in going on: your service answers, and will have nothing to do with us. */
import type { Run } from '../../scenario/runs.ts'
import type { Witness } from '../../scenario/observer.ts'

export interface Hopeless {
  readonly because: string
  readonly remedy: string
}

/** A service that is just starting up may have nothing to say for itself at first. */
const rejectionsEnough = 3

export function hopeless(witness: Witness, { channel }: Run): Hopeless | undefined {
  const refusal = witness.turnedAway()
  if (refusal)
    return {
      because: `it refuses our credentials (${refusal.evidence.line})`,
      remedy: 'Compare the credentials of our counterparts with what your service accepts.',
    }
  witness.read()
  const rejections = witness.orders.rejections()
  // Whoever polls us need not say anything of itself.
  if (channel === 'polling' || rejections.length < rejectionsEnough) return undefined
  return {
    because: `it cannot be sent events, because its manifest cannot be used: ${rejections.at(-1)}`,
    remedy: 'Have it answer GET /.well-known/<name> with a manifest that declares webhooks.',
  }
}
