// @module-tag slow
/** The recording of a session in which the service was ended: a replay ends and starts it at the same message, or says that it does not. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordHarness } from '../../../../test/support/recorded-session.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { words } from '../../../../test/support/shell-words.ts'
import {
  demoServiceCommand,
  emptyFolder,
  runSparring,
} from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'

const folder = emptyFolder()
const recording = 'crash.rec.ndjson'

beforeAll(async () => {
  const { text, failedRules } = await recordHarness(
    {
      channel: 'webhook',
      defects: ['resumes-nothing'],
      faults: [{ crash: { operation: 'confirmOrder', when: 'during-call', limit: 1 } }],
      memory: join(folder, 'orders'),
    },
    async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  )
  if (!failedRules.includes('CV-1')) throw new Error('the defect does not show in the recording')
  writeFileSync(join(folder, recording), text)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const replay = (...flags: readonly string[]) => {
  const { io, written } = createTestIo({ cwd: folder })
  const argv = ['replay', recording, '--port', '0', ...flags]
  const ended = runVerbs(argv, io).catch((error: unknown) => String(error))
  return ended.then((code) => ({ code, ...written() }))
}

test.concurrent.each([
  [['--defect', 'resumes-nothing'], 1],
  [[], 0],
])(
  'with --start it is ended and started again: %j ends with %i',
  async (defects, code) => {
    const start = demoServiceCommand('--channel', 'webhook', '--think', '200', ...defects)
    const record = ['--record', `again-${code}.rec.ndjson`]
    const meant = ['--failure', 'left at CREATED', '--bisect', '--max-gap', '1s']
    const argv = ['replay', recording, '--port', '0', '--start', start, ...meant, ...record]
    const ended = await runSparring(argv, { cwd: folder })
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code })
    expect(ended.stderr).not.toContain('and this replay does not')
  },
  120_000,
)

test.concurrent('without it, or by another driver, a line says that the service is not ended', async () => {
  await using service = await openReceiver({ supportsPolling: false })
  const { stderr } = await replay('--to', service.url, '--speed', 'asap')
  expect(stderr).toContain(
    'the recording ends your service at 1 message, and this replay does not: say --start <command>',
  )
})

test('--start and --to exclude each other', async () => {
  expect(await replay(...words`--start false --to http://127.0.0.1:9`)).toMatchObject({
    code: expect.stringContaining('each service of --start listens on a port of its own'),
  })
})
