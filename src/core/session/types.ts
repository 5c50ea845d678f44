/** Types of an in-process session: the session API and what is not available over the control API. */
import type { Contract } from '../rules/contract/contract.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { ChangedSetting } from '../session-api/configuration/setting-effects.ts'
import type { SettingChange } from '../engine/session/setting-change.ts'
import type { Session } from '../session-api/session.ts'
import type { Transport } from '../runtime/server/messages.ts'
import type { Responder } from '../runtime/server/responder.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import type { CallService } from '../session-api/service-call.ts'
import type { Reactor } from '../engine/engine.ts'

export interface PreparedSession extends Session {
  /**
   * Starts the counterparts, once. Without it they start with the first request that could change something, which
   * waits for them: so the same input gives the same journal, however long loading takes.
   */
  readonly begin: () => Promise<void>
  /** Loads the fault catalogue; required before the synchronous `faults.add`. */
  readonly loadFaults: () => Promise<void>
  /**
   * Takes over another configuration as far as that is possible while the session runs, and returns every setting that
   * differs. Needs the option `live`.
   */
  readonly configure: (desired: Configuration) => Promise<readonly ChangedSetting[]>
  /**
   * Changes single settings, of those that take effect at once, and returns what they were. Needs the option `live`.
   */
  readonly changeSettings: (changes: readonly SettingChange[]) => Promise<readonly SettingChange[]>
  /** The generation of the protocol that our counterparts speak. */
  readonly speaks: Configuration['conduct']['speaks']
  /** The dialect that is configured. */
  readonly dialect: Configuration['dialect']
  /** The OpenAPI documents that its traffic is compared with. */
  readonly contracts: readonly Contract[]
  /** Makes a call to the user's service that no counterpart plans. */
  readonly callService: CallService
  /** Sends a request to any address, with the session's timeout and trusted certificates. */
  readonly transport: Transport
  /** Leaves its ports to another session while that works, and listens on them again. */
  readonly withoutPorts: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/** Replaces what drives a world: its reactors, its responder; and hears of each world that is created. */
export interface WorldOverrides {
  /** Replace the counterparts and their channels. */
  readonly reactors?: readonly Reactor[]
  readonly onWorldCreated: (stage: WorldRuntime) => void
  readonly answering?: Responder
}
