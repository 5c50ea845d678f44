/**
 * `npm run bench -- explore`: how many schedules each strategy draws until each defect of the reference service shows,
 * what shrinking leaves of them, how fast schedules run, and whether the correct service is ever blamed. It runs in this
 * process, on virtual time; Node removes the types of the sources itself.
 */
import type { DefectName } from '../../src/demo/defects.ts'
import { measureFalseAlarms } from './false-alarms.ts'
import { createGroupFinder, smallGroupsFirst } from '../../src/explore/search/neighbours.ts'
import type { Workload } from '../../src/explore/workloads/workload.ts'
import { createReferenceRunner } from '../../test/support/reference-runner.ts'
import { type BenchCampaign, type Kill, measureKill, playFaultFreeOnce } from './kill.ts'
import { type ExploreBenchOptions, exploreUsageText, readExploreOptions } from './options.ts'
import { exploreJson, exploreTable } from './report.ts'
import { measureReproducers, type ShrunkDefect } from './reproducers.ts'
import { ours } from './strategies.ts'
import type { DefectRow, ExploreBenchResult } from './summary.ts'

/** It shows without any fault, whatever the channel. */
const canary: DefectName = 'token-per-call'
const canaryRuns = 32
/** Defects whose reproducers are played again, and how often. */
const replayedDefects = 10
const timesAgain = 10

export interface ExploreBenchParts {
  readonly showProgress: (text: string) => void
  /** Absent: the built-in ones. */
  readonly workloads?: readonly Workload[]
  /** A defect that must show at once, and defects of the service that must never show any. */
  readonly canaries: {
    readonly dies: DefectName
    readonly lives: readonly DefectName[]
    /** Schedules in which the correct service must break nothing before anything is measured. */
    readonly runs: number
  }
}

/** Why the measurement cannot be trusted; undefined when it can. */
export async function failedCanary(
  { seeds: [seed = 1], channel, crashes, ghosts, evolution, strategies }: ExploreBenchOptions,
  { canaries: { dies, lives, runs }, workloads }: Pick<ExploreBenchParts, 'canaries' | 'workloads'>,
): Promise<string | undefined> {
  for (const { name, strategies: drawn } of strategies) {
    const campaign = {
      seed,
      channel,
      crashes,
      ghosts,
      evolution,
      workloads,
      strategies: drawn,
      maxRuns: runs,
    }
    const { kill } = await measureKill({ ...campaign, defects: [dies] })
    if (kill.kind !== 'steady' && !(kill.kind === 'killed' && kill.runs === 1))
      return `${name} does not find ${dies} in its first schedule`
    const { alarms } = await measureFalseAlarms({ ...campaign, defects: lives })
    const [alarm] = alarms
    if (alarm) return `${name} blames the correct service: ${alarm.rule} in ${alarm.schedule}`
  }
  return undefined
}

/** All strategies on one defect; what shows without faults is found by the first run of each. */
async function measureDefect(
  defect: DefectName,
  { seeds, maxRuns, channel, crashes, ghosts, evolution, strategies }: ExploreBenchOptions,
  { showProgress, workloads }: ExploreBenchParts,
): Promise<{ readonly kills: ReadonlyMap<string, readonly Kill[]>; readonly doubtful: string[] }> {
  const kills = new Map<string, Kill[]>(strategies.map(({ name }) => [name, []]))
  const doubtful: string[] = []
  for (const seed of seeds) {
    let steady: Kill | undefined
    const runner = playFaultFreeOnce(
      createReferenceRunner({ defects: [defect], seed, channel, crashes }),
    )
    for (const { name, strategies: drawn } of strategies) {
      showProgress(`${defect}, seed ${seed}, ${name}`)
      const common = {
        seed,
        strategies: drawn,
        maxRuns,
        channel,
        crashes,
        ghosts,
        evolution,
        workloads,
      }
      const campaign = { ...common, defects: [defect] }
      const { kill, falseAlarms } = steady
        ? { kill: steady, falseAlarms: [] }
        : await measureKill(campaign, runner)
      if (kill.kind === 'steady') steady = kill
      kills.get(name)?.push(kill)
      for (const { rule, schedule } of falseAlarms) doubtful.push(`${rule}  ${schedule}`)
    }
  }
  return { kills, doubtful }
}

/** The campaign of the first seed with which the usual mix finds the defect, up to the batch that shows it. */
function shrinkCampaign(
  { defect, kills }: DefectRow,
  { seeds, maxRuns, channel, crashes, ghosts, evolution, strategies }: ExploreBenchOptions,
  { workloads }: ExploreBenchParts,
): BenchCampaign | undefined {
  const usual = strategies.find(({ name }) => name === ours)
  const found = (kills.get(ours) ?? []).map((kill, index) => ({ kill, seed: seeds[index] }))
  const first = found.find(({ kill }) => kill.kind === 'killed')
  if (!usual || first?.kill.kind !== 'killed' || first.seed === undefined) return undefined
  return {
    defects: [defect],
    seed: first.seed,
    strategies: usual.strategies,
    // All of the batch that showed it: the company of a schedule may matter.
    maxRuns: Math.min(maxRuns, createGroupFinder(smallGroupsFirst)(first.kill.runs - 1).end),
    channel,
    crashes,
    ghosts,
    evolution,
    workloads,
  }
}

export async function measureExploration(
  options: ExploreBenchOptions,
  parts: ExploreBenchParts,
): Promise<ExploreBenchResult> {
  const { seeds, channel, crashes, ghosts, evolution, maxRuns, strategies, falseAlarmRuns } =
    options
  const { showProgress, workloads } = parts
  const rows: DefectRow[] = []
  const doubtful: string[] = []
  let replayed = 0
  for (const defect of options.defects) {
    const measured = await measureDefect(defect, options, parts)
    doubtful.push(...measured.doubtful)
    const row: DefectRow = { defect, kills: measured.kills }
    const campaign = shrinkCampaign(row, options, parts)
    let shrunk: ShrunkDefect | undefined
    if (campaign) {
      showProgress(`${defect}, shrinking`)
      shrunk = await measureReproducers(campaign, replayed < replayedDefects ? timesAgain : 0)
      if (shrunk.replays) replayed++
    }
    rows.push({ ...row, ...(shrunk ? { shrunk } : {}) })
  }
  const usual = strategies.find(({ name }) => name === ours)?.strategies
  const falseAlarms = await measureFalseAlarms(
    {
      seed: seeds[0] ?? 1,
      strategies: usual,
      maxRuns: falseAlarmRuns,
      channel,
      crashes,
      ghosts,
      evolution,
      defects: [],
      workloads,
    },
    (schedules) => showProgress(`the correct service, ${schedules} of ${falseAlarmRuns}`),
    options.workers,
  )
  return {
    rows,
    strategies: strategies.map(({ name }) => name),
    seeds,
    maxRuns,
    falseAlarms,
    doubtful: [...new Set(doubtful)],
  }
}

/** A line every so many milliseconds where it cannot be written over. */
const progressMs = 10_000

function createProgress(stream: NodeJS.WriteStream): (text: string) => void {
  if (stream.isTTY) return (text) => void stream.write(`\r\u001B[K${text}`)
  let last = 0
  return (text) => {
    const now = performance.now()
    if (now - last < progressMs) return
    last = now
    stream.write(`bench: ${text}\n`)
  }
}

/** Returns the exit code. */
export async function runExploreBench(argv: readonly string[]): Promise<number> {
  const options = readExploreOptions(argv)
  if (!options) {
    process.stderr.write(exploreUsageText)
    return 0
  }
  const showProgress = createProgress(process.stderr)
  const parts: ExploreBenchParts = {
    showProgress,
    canaries: { dies: canary, lives: [], runs: canaryRuns },
  }
  const failed = await failedCanary(options, parts)
  if (failed !== undefined) {
    process.stderr.write(`bench: nothing is measured, because ${failed}.\n`)
    return 1
  }
  const result = await measureExploration(options, parts)
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
  process.stdout.write(`${options.json ? exploreJson(result) : exploreTable(result)}\n`)
  return 0
}
