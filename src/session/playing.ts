/**
 * What a session gets where somebody else has the say in its world than the counterparts: who reacts, who answers, and who
 * is told of each world that is put up.
 */
import type { Answering } from '../edge/server/responder.ts'
import type { Stage } from '../edge/world-runtime.ts'
import type { Reactor } from '../engine/engine.ts'

export interface Playing {
  /** In place of the counterparts and their channels. */
  readonly reactors: readonly Reactor[]
  readonly raised: (stage: Stage) => void
  readonly answering?: Answering
}
