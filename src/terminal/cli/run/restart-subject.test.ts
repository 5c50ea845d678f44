// @module-tag slow
/** A service that is ended and started again: the new process has no token, and polls at once, as it should. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { demoServiceCommand } from '../../../../test/support/spawn-sparring.ts'
import { isSoak } from '../../../../test/support/soak.ts'
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

/** What `run` prints of these files, with the demo as it is started by a command. */
async function played(files: readonly string[], ...flags: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-restart-'))
  writeFileSync(join(cwd, 's.yaml'), scenario)
  const { io, written } = createTestIo({ cwd, env: { PATH: process.env['PATH'] } })
  const named = { name: 'sparring', summary: '', version: '1', verbs: [runVerb] }
  const start = demoServiceCommand('--speed', '10', ...flags)
  const args = ['run', ...files, '--port', '0', '--speed', '10', '--start', start]
  const code = await runProgram(named, args, io)
  return { code, stdout: written().stdout }
}

test('no rule blames a correct service for what it began anew', async () => {
  const { stdout } = await played(['s.yaml'])
  expect(stdout).not.toMatch(/[A-Z]{2}-\d+ failed|FAIL/)
  expect(stdout).toMatch(/1 run: 1 (?:passed|inconclusive)/)
}, 120_000)

const folder = fileURLToPath(new URL('../../../../scenarios/', import.meta.url))
const stories = readdirSync(folder).filter((file) => /killed|rolling/.test(file))

/** All of them are played in process, on the virtual clock, with the other scenarios. */
test.each(stories.filter((file) => isSoak || file.startsWith('acknowledged')))(
  '%s passes over sockets, with a process that is killed',
  async (file) => {
    const { stdout, code } = await played([join(folder, file)])
    expect(stdout).not.toMatch(/[A-Z]{2}-\d+ failed|FAIL|went away/)
    expect({ code, stdout }).toMatchObject({ code: 0 })
  },
  240_000,
)

/** An order that never ends is waited for. */
test.runIf(isSoak)(
  'what a service forgets when it is killed is found, and no crash of its own',
  async () => {
    const file = join(folder, 'acknowledged-and-then-killed.yaml')
    const { stdout, code } = await played([file], '--defect', 'stores-what-it-has-read')
    expect(code).toBe(1)
    expect(stdout).toMatch(/CV-2/)
    expect(stdout).not.toContain('went away')
  },
  240_000,
)
