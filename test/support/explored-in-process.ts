/** `sparring explore` against the reference service in this process: without sockets, on virtual time. */
import { Problem } from '../../src/core/base/problem.ts'
import type { Crash, CrashWatch } from '../../src/explore/batch/crash.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import { CampaignState } from '../../src/explore/campaign/campaign-state.ts'
import { readStoredCampaign } from '../../src/explore/cli/stored-campaign.ts'
import type { ExploreFlags } from '../../src/explore/cli/explore-flags.ts'
import type {
  ExploredService,
  ExploredServiceOptions,
} from '../../src/explore/cli/explored-service.ts'
import { runExplore } from '../../src/explore/cli/run-explore.ts'
import { createSessionConfigurator } from '../../src/explore/cli/session-configurator.ts'
import { runScenarios } from '../../src/terminal/cli/run/run-scenarios.ts'
import { playInProcess } from './play-scenario-in-process.ts'
import { exploreFolder } from './explore-verb.ts'
import {
  createInProcessService,
  type InProcessServiceOptions,
  serviceCapabilities,
  servicePaths,
} from './in-process-service.ts'
import { createTestIo } from './test-io.ts'

/** The pace of the service of kept-demo.ts. */
const pace = { pollMs: 1000, thinkMs: 200, reconcileMs: 12_000 }

/** A service that is fresh for each session; one that crashes does not answer, nor call, any more. */
const openService =
  ({ defects = [], crashesOn }: Pick<ExploreInProcess, 'defects' | 'crashesOn'>) =>
  async (options: ExploredServiceOptions): Promise<ExploredService> => {
    const { channel, subject } = options
    const configurator = createSessionConfigurator({
      ...options,
      isKept: false,
      seedOf: ({ seed }) => seed,
    })
    return {
      isKept: false,
      activity: () => ({ sessions: 0, exchanges: 0 }),
      unavailable: () => undefined,
      signal: new AbortController().signal,
      async open(request, settings = {}) {
        const { input } = await configurator.configure(request, settings)
        const service = createInProcessService({ channel, pace, defects })
        const crashed = new AbortController()
        const session = await prepareSession({
          ...input,
          clock: 'virtual',
          speed: 1,
          as: subject,
          subject: { ...input.subject, ...servicePaths },
          capabilities: serviceCapabilities(false),
          listen: false,
          automatic: false,
          handler: (sent) =>
            crashed.signal.aborted ? Promise.reject(new TypeError('ended')) : service.fetch(sent),
        })
        await Promise.all([session.begin(), session.loadFaults()])
        const started = service.start(session, async (called) => {
          const answer = await session.fetch(called)
          if (crashesOn?.(called, answer)) crashed.abort()
          return crashed.signal.aborted ? new Promise(() => undefined) : answer
        })
        const crash: Crash = {
          because: 'it ended with code 1',
          output: ['TypeError: the order has no body'],
        }
        const crashWatch: CrashWatch = {
          ended: crashed.signal,
          crash: async () => (crashed.signal.aborted ? crash : undefined),
        }
        return {
          session,
          answerMs: () => undefined,
          starved: () => Promise.resolve(undefined),
          ...(crashesOn ? { crashWatch } : {}),
          async [Symbol.asyncDispose]() {
            await started[Symbol.asyncDispose]()
            await session.close()
          },
        }
      },
      [Symbol.asyncDispose]: async () => configurator[Symbol.dispose](),
    }
  }

/** The flags of a campaign whose records stateIn reads. */
export const search = (seed: number, maxRuns: number) =>
  ({
    workload: ['takeout'],
    seed,
    'max-runs': maxRuns,
    concurrency: 16,
    out: 'records.ndjson',
  }) as const

/** What the record file in a folder holds. */
export async function stateIn(cwd: string) {
  const { records, header } = await readStoredCampaign('records.ndjson', cwd)
  const state = new CampaignState()
  for (const record of records) state.apply(record)
  return { state, records, header }
}

export interface ExploreInProcess {
  readonly defects?: InProcessServiceOptions['defects'] | undefined
  /** Whether the answer to a call ends it. */
  readonly crashesOn?: ((called: Request, answer: Response) => boolean) | undefined
  readonly cwd?: string
}

export function startExplore(
  flags: ExploreFlags,
  { cwd = exploreFolder(), ...service }: ExploreInProcess = {},
) {
  const test = createTestIo({ cwd })
  const ended = runExplore({ as: 'software-service', ...flags }, test.io, openService(service))
  return { ...test, cwd, ended }
}

/** With the message of a problem that it throws. */
export async function explored(flags: ExploreFlags, options?: ExploreInProcess) {
  const { ended, written, cwd } = startExplore(flags, options)
  const end = await ended.catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })
  return { code: end instanceof Problem ? end.exit : end, end: String(end), ...written(), cwd }
}

/** `sparring run` of a kept scenario against the same service. */
export async function rerun(
  file: string,
  { defects = [], cwd }: ExploreInProcess & { cwd: string },
) {
  const { io, written } = createTestIo({ cwd })
  const code = await runScenarios({ scenario: [file] }, io, () => async (planned, { enough }) => {
    const { run } = planned.loaded
    const configuration = { tolerances: planned.input.tolerances ?? {} }
    const outcome = await playInProcess(run, { defects, enough, pace, configuration })
    return { kind: 'played', outcome }
  })
  return { code, ...written() }
}
