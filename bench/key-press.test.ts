// @module-tag slow
/** The calls of one key press stay few: `npm run key-press` counts them, in a process of its own. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('x in the agenda drops its item with at most 400 calls', () => {
  const program = fileURLToPath(new URL('key-press.ts', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
  expect(stdout).toMatch(/ 1 fact; at most 400 calls: ok\n$/)
  expect(status).toBe(0)
})
