/**
 * Explores a service in this process: opens a session on the virtual clock for each batch of schedules, without
 * sockets.
 */
import { namedFaultsOf } from '../search/fault-choices.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import { compact } from '../../core/base/compact.ts'
import { configurationParts } from '../../core/session-api/configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { checkPlayed } from '../campaign/check-played.ts'
import { type CampaignBudget, runCampaign } from '../campaign/campaign.ts'
import {
  type SessionRequest,
  createSessionRunner,
  defaultFaultPhaseMs,
  sessionConfiguration,
} from '../batch/session-runner.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { problem } from '../../core/base/problem.ts'
import type { Role } from '../../core/protocol/role.ts'
import { Scenario, type ScenarioInput } from '../../core/scenario/schema.ts'
import type { ExploreOptions, ExploreResult } from './explore-options.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { prepareSession } from '../../core/session/session.ts'

const defaultRuns = 300
const defaultWidth = 64

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

/** Whether the service itself is asked for something in it. */
const isAsked = ({ steps, orders }: Workload, subject: Role): boolean =>
  steps.some((step) => 'ask' in step) ||
  (subject === 'ordering-application' && Object.keys(orders).length > 0)

/** See `explore`. */
export async function exploreInProcess(options: ExploreOptions): Promise<ExploreResult> {
  const { as, subject, connect, channel = 'polling', seed = 1, visit, signal } = options
  const { capabilities, conduct, counterparts, tolerances, protocol, dialect, merchants } = options
  const { webhooks, probe, effects, service } = options
  const workloads = options.workloads
    ? workloadsIn(options.workloads, as)
    : workloadsOf(as).filter((each) => visit || !isAsked(each, as))
  const base = compact({
    capabilities,
    conduct,
    counterparts,
    tolerances,
    protocol,
    dialect,
    merchants,
  })
  const { invariants } = await import('../../core/rules/invariants/catalogue.ts')
  const { clauseRule } = await import('../../core/rules/checks/catalogue.ts')
  const kinds = new Map(invariants.map(({ id, kind }) => [id, kind]))
  const enough = signal ?? new AbortController().signal

  async function open(request: SessionRequest) {
    const { subject: role, ...configuration } = sessionConfiguration(
      request,
      { subject: as, channel },
      base,
    )
    const session = await prepareSession({
      ...configuration,
      clock: 'virtual',
      automatic: false,
      listen: false,
      as,
      subject: { ...role, ...compact({ webhooks, probe, effects }) },
      handler: subject,
      ...compact({ service }),
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
    faultPhaseMs: defaultFaultPhaseMs,
    merchants: [],
    width: () => options.width ?? defaultWidth,
  })
  const state = await runCampaign({
    seed,
    channels: eventChannelsOf(channel, as),
    workloads,
    runner,
    budget,
    now: Date.now,
    kindOf: (rule) => kinds.get(rule) ?? clauseRule(rule)?.kind ?? 'liveness',
    onRecord: (record) => options.onRecord?.(record),
    enough,
    namedFaults: namedFaultsOf(options),
    ...(service ? { isPossible: () => true } : {}),
    ...compact({ shard: options.shard, strategies: options.strategies }),
  })
  const buckets = [...state.buckets.values()]
  if (!enough.aborted && buckets.length === 0)
    checkPlayed(state, { workloads: workloads.length, isPart: options.shard !== undefined })
  return { buckets, state }
}
