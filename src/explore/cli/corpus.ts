/** The folder of reproducers: those of earlier campaigns are read from it, and new ones are written to it. */
import { makeTemporaryFolder } from '../../core/runtime/files/file-access.ts'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { errorCode, fileProblem } from '../../core/runtime/files/file-problem.ts'
import { makeFolder } from '../../core/runtime/files/make-folder.ts'
import { saveOutput } from '../../core/runtime/files/output.ts'
import { readDataFile } from '../../core/runtime/files/data-file.ts'
import {
  createSchedule,
  type FaultMatcher,
  type Schedule,
  type ScheduledFault,
  scheduleHash,
} from '../schedules/schedule.ts'
import { type FileReplays, fileReplaysText, isReproducedByFile } from '../investigation/bucket.ts'
import { placementOrder, trimWorkload, type Workload } from '../workloads/workload.ts'
import { Problem } from '../../core/base/problem.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { yamlText } from '../../core/scenario/yaml-text.ts'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'
import { isDeepStrictEqual } from 'node:util'
import { compact } from '../../core/base/compact.ts'
import { scenarioOfSchedule } from '../schedules/scenario-of-schedule.ts'
import { type OperationId, operations } from '../../core/protocol/catalogue.ts'
import { parseDuration } from '../../core/protocol/duration.ts'

/** A scenario file as it is written. */
export type WrittenScenario = Readonly<Record<string, unknown>>

const operationOf = (value: unknown): OperationId | undefined =>
  operations.find(({ id }) => id === value)?.id

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** `{ drop: { event: 'CONFIRMED', order: 'o1' } }` as a scheduled fault; undefined for what no schedule has. */
function faultOf(spec: unknown): ScheduledFault | undefined {
  const [entry, ...others] = isUnknownRecord(spec) ? Object.entries(spec) : []
  if (!entry || others.length > 0 || !isUnknownRecord(entry[1])) return undefined
  const { event, operation, trigger, order, channel, nth, burst, ...options } = entry[1]
  const match: FaultMatcher = compact({
    event: textIn(event),
    operation: operationOf(operation),
    trigger: textIn(trigger),
    order: textIn(order),
    channel: channel === 'polling' || channel === 'webhook' ? channel : undefined,
    nth: typeof nth === 'number' ? nth : undefined,
  })
  const times = typeof burst === 'number' || burst === 'outlast' ? burst : undefined
  return compact({ name: entry[0], match, options, burst: times })
}

/** The time after the steps in which faults stay active: the last step, which is no step of the workload. */
function faultPhaseOf({ steps }: WrittenScenario): number | undefined {
  const last: unknown = Array.isArray(steps) ? steps.at(-1) : undefined
  const advance = isUnknownRecord(last) ? last['advance'] : undefined
  return typeof advance === 'string' ? parseDuration(advance) : undefined
}

/** What makes two scenarios play the same, whatever they are called. */
const played = ({ subject, channel, orders, steps, faults, session }: WrittenScenario): unknown => {
  const { tolerances: _, ...settings } = isUnknownRecord(session) ? session : {}
  // Through JSON: what is undefined in one is absent in the other.
  return JSON.parse(
    JSON.stringify({ subject, channel, orders: orders ?? {}, steps, faults, settings }),
  )
}

/** The ways in which a workload may be trimmed: its first orders only, or its first steps only. */
function* trimsOf(workload: Workload): Generator<NonNullable<Schedule['trim']>> {
  const slots = placementOrder(workload)
  for (let orders = slots.length; orders >= 1; orders--)
    for (let steps = workload.steps.length; steps >= 0; steps--)
      yield {
        ...(orders < slots.length ? { orders: slots.slice(0, orders) } : {}),
        ...(steps < workload.steps.length ? { steps } : {}),
      }
  if (slots.length === 0) yield {}
}

/**
 * The schedule that a kept scenario was made of: the workload that it plays, what is left of it,
 * and its faults. Undefined for a scenario that is no schedule of these workloads.
 */
export function scheduleOfScenario(
  scenario: WrittenScenario,
  workloads: readonly Workload[],
  channel: 'polling' | 'webhook' | 'both',
): Schedule | undefined {
  const faultPhaseMs = faultPhaseOf(scenario)
  const specs: readonly unknown[] = Array.isArray(scenario['faults']) ? scenario['faults'] : []
  const faults = specs.flatMap((spec) => faultOf(spec) ?? [])
  if (faultPhaseMs === undefined || faults.length < specs.length) return undefined
  for (const whole of workloads)
    for (const trim of trimsOf(whole)) {
      const schedule = createSchedule(whole.name, faults, { ...trim, faultPhaseMs })
      const workload = trimWorkload(whole, schedule.trim)
      const written = scenarioOfSchedule({ schedule, workload, channel, faultPhaseMs })
      if (isDeepStrictEqual(played(written), played(scenario))) return schedule
    }
  return undefined
}

/** A reproducer that is played first. */
export interface KnownScenario {
  /** Relative to the current folder. */
  readonly file: string
  readonly schedule: Schedule
}

export interface CorpusContent {
  readonly known: readonly KnownScenario[]
  /** Scenarios that are no schedules of this campaign. */
  readonly others: readonly string[]
}

function scenarioFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name))
      .toSorted()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw new Problem(`${fileProblem(`reading the folder ${folder}`, error)}.`, 2)
  }
}

/** Throws a problem with all errors of all files. A folder that is not there is empty. */
export async function readCorpus(
  folder: string,
  cwd: string,
  workloads: readonly Workload[],
  channel: 'polling' | 'webhook' | 'both',
): Promise<CorpusContent> {
  const files = scenarioFilesIn(resolve(cwd, folder)).map((name) => join(folder, name))
  if (files.length > 0) await loadScenarios(files, cwd)
  const known = new Map<string, KnownScenario>()
  const others: string[] = []
  for (const file of files) {
    const { value } = await readDataFile(file, resolve(cwd, file), 'a scenario')
    const schedule = isUnknownRecord(value)
      ? scheduleOfScenario(value, workloads, channel)
      : undefined
    if (!schedule) others.push(file)
    else known.set(scheduleHash(schedule), { file, schedule })
  }
  return { known: [...known.values()], others }
}

/** The name of a reproducer, without extension: `SE-1-0a1b2c3d`. */
export const reproducerName = ({
  rule,
  id,
}: {
  readonly rule: string
  readonly id: string
}): string => `${rule.replaceAll(/[^\w-]/g, '-')}-${id}`

export interface CorpusWriter {
  /** Returns the file, relative to the current folder; how often it was played and failed stands in its first line. */
  readonly saveScenario: (
    name: string,
    scenario: ScenarioInput,
    replays: FileReplays,
  ) => Promise<string>
  /** Calls `record` with a file to record to, and keeps that when it returns true. */
  readonly saveRecording: (
    name: string,
    record: (file: string) => Promise<boolean>,
  ) => Promise<string | undefined>
  /** Removes what was saved by this name. */
  readonly remove: (name: string) => void
}

/** A file that was not shown to fail does not say that it does. */
const headerOf = (replays: FileReplays): string =>
  [
    `# Kept by sparring explore; ${fileReplaysText(replays)}.`,
    isReproducedByFile(replays)
      ? '# It fails while its rule is broken, and passes when nothing breaks it: sparring run <this file>'
      : '# It passes on a service that breaks its rule, as far as is known: sparring explore searches for it again.',
    '',
  ].join('\n')

export function createCorpusWriter(folder: string, cwd: string): CorpusWriter {
  const path = resolve(cwd, folder)
  const shown = (file: string): string => relative(cwd, file) || file

  async function save(file: string, content: string | Buffer): Promise<string> {
    try {
      makeFolder(path)
      await saveOutput(file, content, { replace: true })
    } catch (error) {
      if (errorCode(error) === '') throw error
      throw new Problem(`${fileProblem(`writing ${shown(file)}`, error)}.`, 2)
    }
    return shown(file)
  }

  return {
    saveScenario: (name, scenario, replays) =>
      save(join(path, `${name}.yaml`), `${headerOf(replays)}${yamlText(scenario)}`),
    async saveRecording(name, record) {
      const temporary = makeTemporaryFolder('sparring-explore-')
      try {
        const file = join(temporary, `${name}.rec.ndjson`)
        if (!(await record(file))) return undefined
        return await save(join(path, `${name}.rec.ndjson`), readFileSync(file))
      } finally {
        rmSync(temporary, { recursive: true, force: true })
      }
    },
    remove(name) {
      for (const type of ['yaml', 'rec.ndjson'])
        rmSync(join(path, `${name}.${type}`), { force: true })
    },
  }
}
