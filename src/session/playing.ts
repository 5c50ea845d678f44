/**
 * Overrides for a world that is not driven by the counterparts: its reactors, its responder, and a callback for each
 * world created.
 */
import type { Answering } from '../edge/server/responder.ts'
import type { Stage } from '../edge/world-runtime.ts'
import type { Reactor } from '../engine/engine.ts'

export interface Playing {
  /** Replace the counterparts and their channels. */
  readonly reactors: readonly Reactor[]
  readonly raised: (stage: Stage) => void
  readonly answering?: Answering
}
