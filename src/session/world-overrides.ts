/**
 * Overrides for a world that is not driven by the counterparts: its reactors, its responder, and a callback for each
 * world created.
 */
import type { Answering } from '../edge/server/responder.ts'
import type { WorldRuntime } from '../edge/world-runtime.ts'
import type { Reactor } from '../engine/engine.ts'

export interface WorldOverrides {
  /** Replace the counterparts and their channels. */
  readonly reactors: readonly Reactor[]
  readonly onWorldCreated: (stage: WorldRuntime) => void
  readonly answering?: Answering
}
