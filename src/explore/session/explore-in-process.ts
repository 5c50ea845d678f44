/**
 * Explores a service in this process: opens a session on the virtual clock for each batch of schedules, without sockets. Those of
 * a service in a module are opened in worker threads, which run this file too.
 */
import { fileURLToPath } from 'node:url'
import { workerData } from 'node:worker_threads'
import { namedFaultsOf } from '../search/fault-choices.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import { compact } from '../../core/base/compact.ts'
import { configurationParts } from '../../core/session-api/configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { checkPlayed } from '../campaign/check-played.ts'
import { type CampaignBudget, runCampaign } from '../campaign/campaign.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
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
import type { ExploredModule, ExploreOptions, ExploreResult } from './explore-options.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { importDefaultExport } from '../../core/runtime/files/module-file.ts'
import { prepareSession } from '../../core/session/session.ts'
import { answerPlays, SessionWorkers } from './session-workers.ts'

const defaultRuns = 300
/** Schedules side by side in one session. */
const defaultWidth = 64

/** The longest timer that there is, in ms. */
const maxTimerMs = 2 ** 31 - 1
const never = new AbortController().signal

/** The options of a session, as they can be sent to a thread. */
type SessionSettings = Omit<
  ExploreOptions,
  keyof ExploredModule | 'signal' | 'onRecord' | 'strategies'
>

/** What a thread is sent. */
interface ThreadData {
  readonly settings: SessionSettings
  /** Of the module with the service. */
  readonly serviceFile: string
}

/** The default export of a file. */
async function loadService(file: string): Promise<ExploredModule> {
  const found = await importDefaultExport(file, file, 'a service')
  if ('subject' in found && typeof found.subject === 'function') return found as ExploredModule
  const remedy = 'End it with export default { subject: app.fetch, connect }.'
  throw problem(`running ${file}`, 'subject is no function of its default export', remedy)
}

const refused = (wrong: string, remedy: string) => problem('exploring your service', wrong, remedy)

/** The service, and the file of its module; other functions cannot be sent to that. */
async function readService({ subject, connect, visit, service, workers }: ExploreOptions) {
  const functions = compact({ connect, visit, service })
  if (typeof subject === 'function') {
    if (workers === undefined) return { service: { subject, ...functions } }
    const remedy = 'Give subject as the URL of a module that exports it, or leave out workers.'
    throw refused('functions cannot be sent to worker threads', remedy)
  }
  if ((subject as URL | undefined)?.protocol === undefined)
    throw refused(
      'subject is neither a function nor a URL',
      'Give it as one that answers requests, such as app.fetch, or as the URL of a module that exports it.',
    )
  if (subject.protocol !== 'file:')
    throw refused(`${subject.href} is no file`, 'Play it with sparring explore --subject <url>.')
  const file = fileURLToPath(subject)
  const [lost] = Object.keys(functions)
  if (lost === undefined) return { file, service: await loadService(file) }
  const wrong = `the service is that of ${file}, and ${lost} is not`
  throw refused(wrong, `Add ${lost} to the default export of that file.`)
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

function createRunner(
  settings: SessionSettings,
  { subject, connect, visit, service }: ExploredModule,
  enough: AbortSignal,
): ScheduleRunner {
  const { as, channel = 'polling', seed = 1, webhooks, probe, effects, width } = settings
  const { capabilities, conduct, counterparts, tolerances, protocol, dialect, merchants } = settings
  const base = compact({
    capabilities,
    conduct,
    counterparts,
    tolerances,
    protocol,
    dialect,
    merchants,
  })

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

  return createSessionRunner({
    open,
    subject: as,
    channel,
    seed,
    sleep: abortableSleep,
    enough,
    tolerances: configurationParts.tolerances().parse(tolerances ?? {}),
    asks: configurationParts.subject().parse({ asks: settings.asks ?? {} }).asks,
    faultPhaseMs: defaultFaultPhaseMs,
    merchants: [],
    width: () => width ?? defaultWidth,
  })
}

/** See `explore`. */
export async function exploreInProcess(own: ExploreOptions): Promise<ExploreResult> {
  const { channel = own.counterparts?.['ordering-application']?.channel ?? 'polling' } = own
  const options = { ...own, channel }
  const { as, seed = 1, signal = never, maxMs, maxRuns } = options
  if (maxRuns !== undefined && !(Number.isSafeInteger(maxRuns) && maxRuns > 0))
    throw refused(`maxRuns is ${maxRuns}`, 'Give it as a whole number from 1 on, or leave it out.')
  const { file, service } = await readService(options)
  const workloads = options.workloads
    ? workloadsIn(options.workloads, as)
    : workloadsOf(as).filter((each) => service.visit || !isAsked(each, as))
  const { invariants } = await import('../../core/rules/invariants/catalogue.ts')
  const { clauseRule } = await import('../../core/rules/checks/catalogue.ts')
  const kinds = new Map(invariants.map(({ id, kind }) => [id, kind]))

  const budget: CampaignBudget = compact({
    maxRuns: maxRuns ?? (maxMs === undefined && !options.untilCovered ? defaultRuns : undefined),
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
    runner: workers ?? createRunner(options, service, signal),
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
    checkPlayed(state, {
      workloads: workloads.length,
      isPart: options.shard !== undefined,
      channel,
    })
  return { buckets, state }
}

function startWorkers(
  options: ExploreOptions,
  serviceFile: string,
  enough: AbortSignal,
): SessionWorkers {
  const { subject: _module, signal: _signal, onRecord: _listener, ...rest } = options
  const { strategies: _strategies, workers, width = defaultWidth, ...settings } = rest
  const data: ThreadData = { settings, serviceFile }
  const program = new URL(import.meta.url)
  return new SessionWorkers({ program, data, workers, width: () => width, enough })
}

const isThreadData = (data: unknown): data is ThreadData =>
  typeof data === 'object' && data !== null && 'serviceFile' in data

if (isThreadData(workerData)) {
  const service = await loadService(workerData.serviceFile)
  answerPlays(createRunner(workerData.settings, service, never))
}
