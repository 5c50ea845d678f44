/**
 * Builds the command line once before all tests, as it is shipped, into a temporary folder: a process started from the
 * sources compiles for half a second, and tests start a hundred. `dist` is left alone because it may be in use.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Passes the location to the workers, and so to spawn-sparring.ts. */
export function setup(): () => void {
  // Below node_modules, so that imports resolve; one folder per run, since parallel runs must not overwrite each other.
  const home = join(root, 'node_modules/.cache', `sparring-tested-${process.pid}`)
  execFileSync(process.execPath, ['bin/build/build.ts', join(home, 'dist')], { cwd: root })
  for (const each of ['package.json', 'README.md', 'CHANGELOG.md', 'bin', 'docs', 'scenarios'])
    cpSync(join(root, each), join(home, each), { recursive: true })
  process.env['SPARRING_TESTED'] = join(home, 'bin/sparring.js')
  return () => rmSync(home, { recursive: true, force: true })
}
