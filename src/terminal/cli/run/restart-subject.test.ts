// @module-tag slow
/** A service that `restart-subject` starts anew: the new process has no token, and polls at once, as it should. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { demoServiceCommand } from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { runVerb } from '../../../sparring/verbs/run.ts'
import { runProgram } from '../../../sparring/verbs/support/program.ts'

const scenario = `name: Started again and again
about: A process that is new knows nothing of the calls of the one before.
orders: { o1: { type: TAKEOUT }, o2: { type: TAKEOUT } }
steps:
  - create: o1
  - await: { status: CONCLUDED, order: o1, within: 5m }
  - restart-subject: true
  - restart-subject: true
  - restart-subject: true
  - create: o2
  - await: { status: DELIVERED, order: o2, within: 5m }
`

test('no rule blames a correct service for what it began anew', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-restart-'))
  writeFileSync(join(cwd, 's.yaml'), scenario)
  const { io, written } = createTestIo({ cwd, env: { PATH: process.env['PATH'] } })
  const named = { name: 'sparring', summary: '', version: '1', verbs: [runVerb] }
  const start = demoServiceCommand('--speed', '10')
  await runProgram(named, ['run', 's.yaml', '--port', '0', '--speed', '10', '--start', start], io)
  const { stdout } = written()
  expect(stdout).not.toMatch(/[A-Z]{2}-\d+ failed|FAIL/)
  expect(stdout).toMatch(/1 run: 1 (?:passed|inconclusive)/)
}, 120_000)
