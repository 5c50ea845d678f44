/**
 * `npm test`: the checks, then every test but those tagged slow or nightly. `npm run test:all`: the slow ones too, which is what
 * a change must pass. `npm test -- <path…>` runs only the tests that are named, slow or not, without the checks; all arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [first, ...others] = process.argv.slice(2)

function run(program: string, ...args: readonly string[]): void {
  const shell = process.platform === 'win32'
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell })
  if (status !== 0) process.exit(status ?? 1)
}

if (first !== undefined && first !== '--all') run('vitest', 'run', first, ...others)
else {
  run('npm', 'run', '--silent', 'check')
  const left = first === '--all' ? ['nightly'] : ['nightly', 'slow']
  run('vitest', 'run', ...left.map((tag) => `--tags-filter=!${tag}`), ...others)
}
