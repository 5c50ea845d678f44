/**
 * Explores a service in this process, on the virtual clock: in this thread where it is given as functions, otherwise in worker
 * threads.
 */
import { fileURLToPath } from 'node:url'
import { namedFaultsOf } from '../search/fault-choices.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import { compact } from '../../core/base/compact.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { checkPlayed } from '../campaign/check-played.ts'
import { type CampaignBudget, runCampaign } from '../campaign/campaign.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { problem } from '../../core/base/problem.ts'
import type { Role } from '../../core/protocol/role.ts'
import { Scenario, type ScenarioInput } from '../../core/scenario/schema.ts'
import type { ExploreOptions, ExploreResult } from './explore-options.ts'
import type { ExploreWorkerData } from './explore-worker.ts'
import { createInProcessRunner, defaultWidth, loadService } from './in-process-runner.ts'
import { SessionWorkers } from './session-workers.ts'

const defaultRuns = 300

/** The program of a thread: beside this file, or above the chunk that has it in the build. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './explore-worker.ts' : '../explore-worker.js',
  import.meta.url,
)

/** The longest timer that there is, in ms. */
const maxTimerMs = 2 ** 31 - 1
const never = new AbortController().signal

/** The service of a module, and its file; other functions cannot be sent to it. */
async function loadModule({ subject, connect, visit, service }: ExploreOptions) {
  if (!(subject instanceof URL))
    return { service: { subject, ...compact({ connect, visit, service }) } }
  const file = fileURLToPath(subject)
  const [lost] = Object.keys(compact({ connect, visit, service }))
  if (lost === undefined) return { file, service: await loadService(file) }
  const wrong = `the service is that of ${file}, and ${lost} is not`
  throw problem('exploring your service', wrong, `Add ${lost} to the default export of that file.`)
}

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
  const { as, channel = 'polling', seed = 1, signal = never, maxMs } = options
  const { file, service } = await loadModule(options)
  const workloads = options.workloads
    ? workloadsIn(options.workloads, as)
    : workloadsOf(as).filter((each) => service.visit || !isAsked(each, as))
  const { invariants } = await import('../../core/rules/invariants/catalogue.ts')
  const { clauseRule } = await import('../../core/rules/checks/catalogue.ts')
  const kinds = new Map(invariants.map(({ id, kind }) => [id, kind]))

  const budget: CampaignBudget = compact({
    maxRuns:
      options.maxRuns ?? (maxMs === undefined && !options.untilCovered ? defaultRuns : undefined),
    maxMs,
    untilCovered: options.untilCovered,
  })
  const over = maxMs === undefined ? never : AbortSignal.timeout(Math.min(maxMs, maxTimerMs))
  const open = AbortSignal.any([signal, over])
  await using workers = file === undefined ? undefined : startWorkers(options, file, open)
  const enough = workers ? AbortSignal.any([signal, workers.died]) : signal
  const state = await runCampaign({
    seed,
    channels: eventChannelsOf(channel, as),
    workloads,
    runner: workers ?? createInProcessRunner(options, service, signal),
    budget,
    now: Date.now,
    kindOf: (rule) => kinds.get(rule) ?? clauseRule(rule)?.kind ?? 'liveness',
    onRecord: (record) => options.onRecord?.(record),
    enough,
    namedFaults: namedFaultsOf(options),
    // What threads play then is abandoned.
    ...(workers && maxMs !== undefined && { deadline: (atMs) => (atMs < maxMs ? never : over) }),
    ...(service.service ? { isPossible: () => true } : {}),
    ...compact({ shard: options.shard, strategies: options.strategies }),
  })
  const buckets = [...state.buckets.values()]
  if (workers?.died.aborted)
    throw Object.assign(workers.died.reason as Error, { cause: { buckets, state } })
  if (!enough.aborted && buckets.length === 0)
    checkPlayed(state, { workloads: workloads.length, isPart: options.shard !== undefined })
  return { buckets, state }
}

function startWorkers(options: ExploreOptions, file: string, enough: AbortSignal): SessionWorkers {
  const { subject: _module, signal: _signal, onRecord: _listener, ...rest } = options
  const { strategies: _strategies, workers, width = defaultWidth, ...settings } = rest
  const data: ExploreWorkerData = { settings, file }
  return new SessionWorkers({ program, data, workers, width: () => width, enough })
}
