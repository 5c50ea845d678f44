/** A folder for the recording of a certification, removed at its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  readonly path: string
}

export function openTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'sparring-certify-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
