/** A folder for what a verb needs while it runs, removed at its end. */
import { rmSync } from 'node:fs'
import { makeTemporaryFolder } from '../../core/runtime/files/file-access.ts'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

/** `verb` is a part of its name. */
export function openTemporaryFolder(verb: string): TemporaryFolder {
  const path = makeTemporaryFolder(`sparring-${verb}-`)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
