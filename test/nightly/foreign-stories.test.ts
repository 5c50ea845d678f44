/** Every story on every service of `test/foreign` that is right: none is blamed. Ten times as fast as the wall clock. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const tool = fileURLToPath(new URL('../foreign/try-mutants.mjs', import.meta.url))

test.each(['restaurant', 'tables', 'relations', 'platform', 'marketplace'])(
  'the correct %s is blamed by no story of its role',
  (name) => {
    const { status, stdout } = spawnSync(process.execPath, [tool, name, 'story', '--mutants', '0'])
    expect({ status, stdout: String(stdout) }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('| correct |  | clean |'),
    })
  },
  3_600_000,
)
