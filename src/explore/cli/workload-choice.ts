/** The workloads of `--workload`: built-in ones by name, and scenario files, whose faults and expectations are not used. */
import { compact } from '../../core/base/compact.ts'
import { isDataFile, readDataFile } from '../../core/runtime/files/data-file.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { problem } from '../../core/base/problem.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import type { Role } from '../../core/protocol/role.ts'
import { examplesOf } from '../../core/scenario/examples.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { resolve } from 'node:path'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'

const isFile = (text: string): boolean => isDataFile(text) || text.includes('/')

/** A workload for each row of each file; the files were checked before. */
async function workloadsIn(file: string, cwd: string, subject: Role): Promise<readonly Workload[]> {
  const { value } = await readDataFile(file, resolve(cwd, file), 'a scenario')
  const rows = examplesOf(value)
  return rows.map(({ name: row, value: written }) => {
    const { name, about, orders, steps, session } = written as ScenarioInput
    return createWorkload({
      name: rows.length > 1 ? `${name} [${row ?? ''}]` : name,
      about,
      subjects: [subject],
      ...compact({ orders, steps, session }),
    })
  })
}

async function workloadsOfFile(
  text: string,
  subject: Role,
  cwd: string,
): Promise<readonly Workload[]> {
  const loaded = await loadScenarios([text], cwd)
  const other = loaded.find(({ run }) => run.scenario.subject !== subject)
  if (other)
    throw problem(
      `reading the workload ${other.file}`,
      `it is about your service as ${other.run.scenario.subject}, and yours is ${subject}`,
      'Say subject: in the scenario, or another --as.',
    )
  const files = [...new Set(loaded.map(({ file }) => file))]
  return (await Promise.all(files.map((file) => workloadsIn(file, cwd, subject)))).flat()
}

function builtIn(name: string, subject: Role): Workload {
  const all = workloadsOf(subject)
  const found = all.find((each) => each.name === name)
  if (found) return found
  const names = all.map((each) => each.name)
  const near = findClosestName(name, names)
  throw problem(
    'reading --workload',
    `there is no workload "${name}" of ${subject}`,
    near === undefined
      ? `There are ${names.join(', ')}; a scenario file is named by its path.`
      : `Did you mean "${near}"?`,
  )
}

/** All built-in ones of the role, when none is named. Names are unique. */
export async function chosenWorkloads(
  named: readonly string[] | undefined,
  subject: Role,
  cwd: string,
): Promise<readonly Workload[]> {
  if (!named) return workloadsOf(subject)
  const chosen: Workload[] = []
  for (const text of named)
    chosen.push(
      ...(isFile(text) ? await workloadsOfFile(text, subject, cwd) : [builtIn(text, subject)]),
    )
  const names = chosen.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return chosen
  throw problem(
    'reading --workload',
    `two workloads are called "${twice}"`,
    'Name each once, and give scenarios names of their own.',
  )
}
