/**
 * `npm run nightly`: installs `test/tools`, and runs the tests that need them, then those beside the sources that are tagged
 * nightly. README.md beside it says why each is not among those that a change must pass. Arguments go to Vitest: `npm run nightly --
 * package` runs those of the package.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { installTools } from '../tools/install-tools.ts'

installTools()
const statuses = [['--config', 'vitest.nightly.config.ts'], ['--tags-filter=nightly']].map(
  (choice) =>
    spawnSync('vitest', ['run', '--passWithNoTests', ...choice, ...process.argv.slice(2)], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    }).status,
)
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1
