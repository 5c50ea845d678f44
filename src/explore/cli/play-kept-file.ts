/** Plays a kept scenario on the service as `sparring run FILE` does: read from the file, planned and judged in the same way. */
import { compact } from '../../core/base/compact.ts'
import { problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { playRun } from '../../core/scenario/play.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'
import { type PlannedRun, planRuns } from '../../terminal/cli/run/plan.ts'
import { crashRule } from '../batch/crash.ts'
import { watchRule } from '../batch/session-runner.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import type { ExploredService } from './explored-service.ts'

export interface FilePlayerOptions {
  readonly plan: Pick<CampaignPlan, 'base'>
  readonly service: Pick<ExploredService, 'open'>
  readonly start: string | undefined
  readonly io: Pick<Io, 'cwd'>
  /** Aborts when the campaign is to end. */
  readonly enough: AbortSignal
}

/** Whether the rule failed in a run. `late`: that is not known, since Sparring itself was late. */
export type FileRun = 'failed' | 'held' | 'late' | 'stopped'

/** Records the run to a file. */
export type FilePlayer = (file: string, rule: string, recording: string) => Promise<FileRun>

export function createFilePlayer(options: FilePlayerOptions): FilePlayer {
  const { plan, service, start, io, enough } = options

  async function plannedRun(file: string): Promise<PlannedRun> {
    const { runs } = planRuns(await loadScenarios([file], io.cwd), {
      base: plan.base,
      ...compact({ start }),
    })
    const [run, another] = runs
    if (run && !another) return run
    throw problem(`playing ${file}`, `it is ${runs.length} runs`, 'Leave out its variants.')
  }

  async function play(file: string, rule: string, recording: string): Promise<FileRun> {
    const { loaded, seed, configuration } = await plannedRun(file)
    const { scenario, faults } = loaded.run
    if (enough.aborted) return 'stopped'
    await using opened = await service.open(
      { seed, settings: scenario.session, faults },
      { recording, enough, isFirst: true },
    )
    const { session, requestSubject, crashWatch } = opened
    using decided = watchRule(session, rule)
    const ended = crashWatch ? [crashWatch.ended] : []
    const { failures, result } = await playRun(loaded.run, session, {
      sleep: abortableSleep,
      enough: AbortSignal.any([enough, decided.broken, ...ended]),
      awaits: decided.awaits,
      tolerances: configuration.tolerances,
      asks: configuration.subject.asks,
      requestSubject,
    })
    const crash = await crashWatch?.crash()
    if (enough.aborted) return 'stopped'
    if (crash) return rule === crashRule.id ? 'failed' : 'held'
    if (decided.broken.aborted) return 'failed'
    if (failures.some(({ verdict }) => verdict?.id === rule)) return 'failed'
    return result === 'inconclusive' ? 'late' : 'held'
  }

  return (file, rule, recording) =>
    play(file, rule, recording).catch((error: unknown) => {
      if (enough.aborted && error === enough.reason) return 'stopped'
      throw error
    })
}
