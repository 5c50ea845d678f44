/** Writes a file as a whole or not at all: to `<path>.unfinished`, which is renamed. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

export async function saveText(path: string, text: string): Promise<Result<void, string>> {
  const unfinished = `${path}.unfinished`
  try {
    await writeFile(unfinished, text)
    await rename(unfinished, path)
    return ok(undefined)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    return err(fileProblem(`writing ${path}`, error))
  }
}
