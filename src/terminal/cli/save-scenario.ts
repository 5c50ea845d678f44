/** Saves the operator's actions as a scenario file in the folder `scenarios`; overwrites only on request. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { saveOutput } from '../../core/runtime/files/output.ts'
import type { DashboardPorts, SaveProblem } from '../dashboard/effects/ports.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

interface SaveOptions {
  readonly cwd: string
  /** The text of the scenario file. */
  readonly textOf: (name: string) => Promise<string>
}

const folderName = 'scenarios'

const hasYamlExtension = (name: string): boolean => /\.ya?ml$/.test(name)

const problemOf = (error: unknown): SaveProblem => ({
  kind: 'problem',
  message: `the scenario could not be written: ${error instanceof Error ? error.message : String(error)}`,
})

export function createSaveScenario({
  cwd,
  textOf,
}: SaveOptions): NonNullable<DashboardPorts['saveScenario']> {
  const folder = join(cwd, folderName)
  return async ({ name, overwrite }): Promise<Result<string, SaveProblem>> => {
    const file = join(folder, hasYamlExtension(name) ? name : `${name}.yaml`)
    const shown = relative(cwd, file)
    try {
      // Checked before the text is generated, so that the prompt for another name appears at once.
      if (!overwrite && existsSync(file)) return err({ kind: 'exists', file: shown })
      const text = await textOf(name.replace(/\.ya?ml$/, ''))
      await saveOutput(file, text, { replace: overwrite })
      return ok(shown)
    } catch (error) {
      return err(problemOf(error))
    }
  }
}
