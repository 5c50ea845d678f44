/**
 * A Vitest in a folder of a test that runs one exported test as it stands. The real one starts for seconds, and `minimise` starts
 * it for each proof: that an exported test runs in it is shown once.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vitestStandIn } from '../../src/replay/cli/minimise/proof.ts'

export function addVitestStandIn(cwd: string): void {
  const folder = join(cwd, 'node_modules/vitest')
  mkdirSync(folder, { recursive: true })
  const files = {
    'package.json': JSON.stringify({ name: 'vitest', type: 'module', main: 'main.js' }),
    'main.js': vitestStandIn,
    'vitest.mjs': 'await import(process.argv.at(-1))\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
