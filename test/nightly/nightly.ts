/**
 * `npm run nightly`: installs `test/tools`, and runs the tests that need them or take minutes. CONTRIBUTING.md says why each is
 * not among those that a change must pass. Arguments go to Vitest: `npm run nightly -- package` runs those of the package.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { installTools } from '../tools/install-tools.ts'

installTools()
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'vitest.nightly.config.ts', ...process.argv.slice(2)],
  { stdio: 'inherit', shell: process.platform === 'win32' },
)
process.exitCode = status ?? 1
