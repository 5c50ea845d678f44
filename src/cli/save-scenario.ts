/** Writes what was done by hand as a scenario into the folder of scenarios; never over another one without being told to. */
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { DashboardPorts, NotSaved } from '../dashboard/effects/ports.ts'
import { no, ok, type Result } from '../protocol/result.ts'

interface SaveOptions {
  readonly cwd: string
  /** The scenario of what was done, as the text of a file. */
  readonly textOf: (name: string) => Promise<string>
}

const folderName = 'scenarios'

const hasEnding = (name: string): boolean => /\.ya?ml$/.test(name)

const problemOf = (error: unknown): NotSaved => ({
  kind: 'problem',
  message: `the scenario could not be written: ${error instanceof Error ? error.message : String(error)}`,
})

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

export function createSaveScenario({
  cwd,
  textOf,
}: SaveOptions): NonNullable<DashboardPorts['saveScenario']> {
  const folder = join(cwd, folderName)
  return async ({ name, overwrite }): Promise<Result<string, NotSaved>> => {
    const file = join(folder, hasEnding(name) ? name : `${name}.yaml`)
    const shown = relative(cwd, file)
    try {
      // Asked before the text is made: whoever is asked for another name need not wait for it.
      if (!overwrite && (await isThere(file))) return no({ kind: 'exists', file: shown })
      const text = await textOf(name.replace(/\.ya?ml$/, ''))
      await mkdir(folder, { recursive: true })
      await writeFile(file, text, { flag: overwrite ? 'w' : 'wx' })
      return ok(shown)
    } catch (error) {
      return no(problemOf(error))
    }
  }
}
