/** Library API for exploration: searches fault schedules against a service in this process, on the virtual clock. */
import { compact } from '../compact.ts'
import {
  type Configuration,
  type ConfigurationInput,
  configurationParts,
} from '../configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../edge/files/schema-errors.ts'
import type { EventChannel } from '../engine/emitted-event.ts'
import type { Bucket } from '../exploration/bucket.ts'
import { type CampaignBudget, runCampaign } from '../exploration/campaign.ts'
import type { CampaignRecord } from '../exploration/campaign-record.ts'
import type { CampaignState } from '../exploration/campaign-state.ts'
import { createSessionRunner, type SessionRequest } from '../exploration/session-runner.ts'
import type { Strategy } from '../exploration/strategies/strategy.ts'
import { createWorkload, type Workload } from '../exploration/workload.ts'
import { workloadsOf } from '../exploration/workloads.ts'
import { problem } from '../problem.ts'
import type { Role } from '../protocol/role.ts'
import { configurationOf } from '../scenario/options.ts'
import { Scenario, type ScenarioInput } from '../scenario/schema.ts'
import type { SubjectRequest } from '../scenario/step-context.ts'
import type { FetchHandler, Session } from '../session-api/session.ts'
import { abortableSleep } from './abortable-sleep.ts'
import type { SessionOptions } from './options.ts'
import { prepareSession } from './session.ts'

export interface ExploreOptions extends Pick<
  SessionOptions,
  'capabilities' | 'conduct' | 'counterparts' | 'tolerances' | 'protocol' | 'dialect' | 'merchants'
> {
  /** The role that your service plays. */
  readonly as: Role
  /** Your service. */
  readonly subject: FetchHandler
  /**
   * Called with each new session before it begins: tell your service the addresses (`session.urls`), the way to them
   * (`session.fetch`) and the clock (`session.clock`). What it returns is called when the session is over.
   */
  readonly connect?: (session: Session) => void | (() => void | Promise<void>)
  /** How events are handed over: polling, when absent. */
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** Paths of your service for webhooks; as `subject.webhooks` of the configuration. */
  readonly webhooks?: NonNullable<ConfigurationInput['subject']>['webhooks']
  /** Path of your service that tells an order as it sees it; as `subject.probe`. */
  readonly probe?: string
  /** The same seed and service give the same buckets. */
  readonly seed?: number
  /** Schedules to run: 300, when no other limit is given. */
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

const defaultRuns = 300
const defaultWidth = 16
/** Session time in which faults stay in force after the steps, in ms. */
const faultPhaseMs = 60_000

/** The workloads of scenarios; examples and variants are left to the caller. */
function workloadsIn(scenarios: readonly ScenarioInput[], subject: Role): readonly Workload[] {
  return scenarios.map((scenario) => {
    const checked = checkSchema(Scenario, scenario, 'the scenario')
    if (!checked.ok)
      throw problem(`reading the workload "${scenario.name}"`, schemaErrorsText(checked.error), '')
    const { name, about, orders, steps, session } = scenario
    return createWorkload({
      name,
      about,
      subjects: [subject],
      ...compact({ orders, steps, session }),
    })
  })
}

const channelsOf = (channel: 'polling' | 'webhook' | 'both'): readonly EventChannel[] =>
  channel === 'both' ? ['polling', 'webhook'] : [channel]

/**
 * Searches fault schedules against your service, shrinks what breaks a rule, and returns one bucket for each cause.
 * Nothing waits: sessions run on the virtual clock, without sockets.
 *
 * @example
 * const { buckets } = await explore({
 *   as: 'software-service',
 *   subject: app.fetch,
 *   connect: (session) => app.usePartner(session),
 *   maxRuns: 500,
 * })
 * expect(buckets).toEqual([])
 */
export async function explore(options: ExploreOptions): Promise<ExploreResult> {
  const { as, subject, connect, channel = 'polling', seed = 1, visit, signal } = options
  const { capabilities, conduct, counterparts, tolerances, protocol, dialect, merchants } = options
  const workloads = options.workloads
    ? workloadsIn(options.workloads, as)
    : workloadsOf(as).filter(({ steps }) => visit || !steps.some((step) => 'ask' in step))
  const base = compact({
    capabilities,
    conduct,
    counterparts,
    tolerances,
    protocol,
    dialect,
    merchants,
  })
  const { invariants } = await import('../invariants/catalogue.ts')
  const kinds = new Map(invariants.map(({ id, kind }) => [id, kind]))
  const enough = signal ?? new AbortController().signal

  async function open({ seed: own, settings, faults }: SessionRequest) {
    const scenario = { ...emptyScenario(as), session: settings }
    const run = { scenario, title: '', channel, faults, seed: own, group: undefined }
    const { subject: role, ...configuration } = configurationOf(run, base)
    const session = await prepareSession({
      ...configuration,
      clock: 'virtual',
      automatic: false,
      listen: false,
      as,
      subject: { ...role, ...compact({ webhooks: options.webhooks, probe: options.probe }) },
      handler: subject,
    })
    await Promise.all([session.begin(), session.loadFaults()])
    const disconnect = connect?.(session)
    return {
      session,
      ...(visit ? { requestSubject: visit } : {}),
      async [Symbol.asyncDispose]() {
        const stopped = disconnect?.()
        // A service that stops may wait on the session's clock.
        await session.advance(0)
        await stopped
        await session.close()
      },
    }
  }

  const budget: CampaignBudget = compact({
    maxRuns:
      options.maxRuns ??
      (options.maxMs === undefined && !options.untilCovered ? defaultRuns : undefined),
    maxMs: options.maxMs,
    untilCovered: options.untilCovered,
  })
  const runner = createSessionRunner({
    open,
    subject: as,
    channel,
    seed,
    sleep: abortableSleep,
    enough,
    tolerances: configurationParts.tolerances().parse(tolerances ?? {}),
    asks: configurationParts.subject().parse({ asks: options.asks ?? {} }).asks,
    faultPhaseMs,
    merchants: [],
    width: () => options.width ?? defaultWidth,
  })
  const state = await runCampaign({
    seed,
    channels: channelsOf(channel),
    workloads,
    runner,
    budget,
    now: Date.now,
    kindOf: (rule) => kinds.get(rule) ?? 'liveness',
    onRecord: (record) => options.onRecord?.(record),
    enough,
    ...compact({ shard: options.shard, strategies: options.strategies }),
  })
  return { buckets: [...state.buckets.values()], state }
}

const emptyScenario = (subject: Role): Scenario => ({
  ...Scenario.parse({ name: 'exploration', about: 'Schedules side by side.', subject }),
  session: {},
})
