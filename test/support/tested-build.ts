/** Names the folder of the build that tests share, and removes it after all tests; `tested-command.ts` builds. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export function setup(): () => void {
  // Below node_modules, so that imports resolve; one folder per run, since parallel runs must not overwrite each other.
  const folder = join(root, 'node_modules/.cache', `sparring-tested-${process.pid}`)
  mkdirSync(dirname(folder), { recursive: true })
  process.env['SPARRING_TESTED'] = join(folder, 'bin/sparring.js')
  return () => rmSync(folder, { recursive: true, force: true })
}
