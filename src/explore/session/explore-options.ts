/** Options and result of `explore`. */
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import type { Bucket } from '../investigation/bucket.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import type { CampaignState } from '../campaign/campaign-state.ts'
import type { Strategy } from '../search/strategies/strategy.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import type { SubjectRequest } from '../../core/scenario/ask-subject.ts'
import type { FetchHandler, Session } from '../../core/session-api/session.ts'
import type { SessionOptions } from '../../core/session/options.ts'

/** The default export of a module with a service: what cannot be sent to a thread. */
export interface ExploredModule extends Pick<ExploreOptions, 'connect' | 'visit' | 'service'> {
  readonly subject: FetchHandler
}

export interface ExploreOptions extends Pick<
  SessionOptions,
  'capabilities' | 'conduct' | 'counterparts' | 'tolerances' | 'protocol' | 'dialect' | 'merchants'
> {
  /** The role that your service plays. */
  readonly as: Role
  /**
   * Your service; or the file of a module whose default export has it as `subject`, with `connect`, `visit` and `service`. Its
   * sessions are played in worker threads, each of which loads the module; a function cannot be sent to one, and is called in
   * this thread.
   */
  readonly subject: FetchHandler | URL
  /**
   * Worker threads for the service of a module: one for each core and at most 8, when absent; each may take half a gigabyte. Their
   * number changes how long it takes, and nothing of what is found.
   */
  readonly workers?: number
  /**
   * Called with each new session before it begins: tell your service the addresses (`session.urls`), how to find them
   * (`session.fetch`) and the clock (`session.clock`). What it returns is called when the session is over.
   */
  readonly connect?: (session: Session) => void | (() => void | Promise<void>)
  /** How events are handed over: as `counterparts` has it for the Ordering Application, else polling, when absent. */
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** Paths of your service for webhooks; as `subject.webhooks` of the configuration. */
  readonly webhooks?: NonNullable<ConfigurationInput['subject']>['webhooks']
  /** Path of your service that tells an order as it sees it; as `subject.probe`. */
  readonly probe?: string
  /** What your service does once per order, by kind, each with a path of your service; as `subject.effects`. */
  readonly effects?: NonNullable<ConfigurationInput['subject']>['effects']
  /** The same seed and service give the same buckets. */
  readonly seed?: number
  /** Schedules to run: 300, when there is no other limit. */
  readonly maxRuns?: number
  /** Milliseconds on the wall clock. */
  readonly maxMs?: number
  /** Stops when every kind of fault was tried and little new is expected. */
  readonly untilCovered?: true
  /** Workloads of yours in place of the built-in ones: scenarios, whose faults and expectations are not used. */
  readonly workloads?: readonly ScenarioInput[]
  /** Asks your service itself for something, as a person at its screen would; returns the HTTP status. */
  readonly visit?: (request: SubjectRequest) => Promise<number>
  /** The paths on which it is asked, as `subject.asks` of the configuration. */
  readonly asks?: Partial<Configuration['subject']['asks']>
  /** Ends your service as a process ends, and starts it again: crashes are searched too. */
  readonly service?: SessionOptions['service']
  /** Another app of the store acts on orders as well. */
  readonly ghosts?: true
  /** Bodies are written as other implementations and later versions of the partner do. */
  readonly evolution?: true
  /** The part that is run, of so many: `{ part: 1, of: 8 }`. */
  readonly shard?: { readonly part: number; readonly of: number }
  readonly strategies?: readonly Strategy[]
  /** Schedules that run side by side in one session. */
  readonly width?: number
  readonly onRecord?: (record: CampaignRecord) => void
  readonly signal?: AbortSignal
}

/** What was found, and what was tried. */
export interface ExploreResult {
  /** One for each cause, in the order in which they were found. */
  readonly buckets: readonly Bucket[]
  readonly state: CampaignState
}
