/** The folder of reproducers: those of earlier campaigns are read from it, and new ones are written to it. */
import { makeTemporaryFolder } from '../../core/runtime/files/file-access.ts'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { errorCode, fileProblem } from '../../core/runtime/files/file-problem.ts'
import { makeFolder } from '../../core/runtime/files/make-folder.ts'
import { saveOutput } from '../../core/runtime/files/output.ts'
import { readDataFile } from '../../core/runtime/files/data-file.ts'
import { type Schedule, scheduleHash } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'
import { Problem } from '../../core/base/problem.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { yamlText } from '../../core/scenario/yaml-text.ts'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'
import { scheduleOfScenario } from './schedule-of-scenario.ts'

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
  /** Returns the file, relative to the current folder. */
  readonly saveScenario: (name: string, scenario: ScenarioInput) => Promise<string>
  /** Calls `record` with a file to record to, and keeps that when it returns true. */
  readonly saveRecording: (
    name: string,
    record: (file: string) => Promise<boolean>,
  ) => Promise<string | undefined>
}

const header = `# Kept by sparring explore. It is played first by the next one, and by: sparring run <this file>
`

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
    saveScenario: (name, scenario) =>
      save(join(path, `${name}.yaml`), `${header}${yamlText(scenario)}`),
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
  }
}
