/**
 * `npm test`: the checks, then every test. `npm test -- <path…>` runs only the tests that are named, without the checks;
 * all arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const named = process.argv.slice(2)

function run(program: string, ...args: readonly string[]): void {
  const shell = process.platform === 'win32'
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}

if (named.length === 0) run('npm', 'run', '--silent', 'check')
run('vitest', 'run', ...named)
