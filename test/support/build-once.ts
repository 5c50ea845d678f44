/**
 * Before the first test, the command line is built once, as it is shipped, in a place of its own: a process that is
 * started from the sources spends half a second on compiling them, and tests start a hundred. `dist` is left alone,
 * since somebody may be using it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Says where to find it, to the workers and so to whatever starts it (spawn-sparring.ts). */
export function setup(): () => void {
  // Below the packages that it needs, and one for each run: two runs side by side must not build over each other.
  const home = join(root, 'node_modules/.cache', `sparring-tested-${process.pid}`)
  execFileSync(process.execPath, ['build.ts', join(home, 'dist')], { cwd: root })
  for (const each of ['package.json', 'README.md', 'bin', 'scenarios'])
    cpSync(join(root, each), join(home, each), { recursive: true })
  process.env['SPARRING_TESTED'] = join(home, 'bin/sparring.js')
  return () => rmSync(home, { recursive: true, force: true })
}
