/** The smoke test of the container image, where buildah and root are. */
import { execFileSync, spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../examples/container/smoke.sh', import.meta.url))

const canBuild =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('buildah', ['--version']).status === 0

// Without buildah there is no engine that could build it; it takes a minute, and asks a registry of packages.
test.skipIf(!canBuild)(
  'the image starts in time, is healthy, and stops with its recording whole',
  () => {
    const output = execFileSync(script, { encoding: 'utf8', timeout: 240_000 })
    expect(output).toContain('smoke: passed')
  },
  250_000,
)
