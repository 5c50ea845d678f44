/** A folder for what a verb needs while it runs, removed at its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

/** `verb` is a part of its name. */
export function openTemporaryFolder(verb: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `sparring-${verb}-`))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
