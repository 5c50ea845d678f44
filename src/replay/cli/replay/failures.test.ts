/** `sparring replay` of a recording with failures: they come again, are gone, or are new. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import {
  openReceiver,
  type ReceiverOptions,
  receiverSession,
} from '../../../../test/support/webhook-receiver.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { freePort } from '../../../terminal/cli/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-failures-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A service whose late CONFIRMED fails. */
const buggy: ReceiverOptions = {
  reply: (_, { eventType }) => ({ status: eventType === 'CONFIRMED' ? 500 : 204 }),
}

async function replay(recording: string, url: string, ...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const code = await runVerbs(
    ['replay', recording, '--to', url, '--speed', 'asap', ...argv],
    held.io,
  )
  return { code, ...held.written() }
}

const closedPort = async (): Promise<string> => `http://127.0.0.1:${await freePort('127.0.0.1')}`

/** `good.rec.ndjson` of two orders; what a buggy and an absent service make of it is recorded in turn. */
beforeAll(async () => {
  const good = join(folder, 'good.rec.ndjson')
  {
    await using service = await openReceiver()
    await using session = await openSession(receiverSession(service.url, good))
    for (let nth = 0; nth < 2; nth++) {
      const made = await session.createOrder({ type: 'TAKEOUT' })
      if (!made.ok) throw new Error(made.error.message)
      await session.submit({
        kind: 'order.apply',
        orderId: made.value.orderId,
        trigger: 'confirm',
      })
      await vi.waitFor(() => {
        if (service.received.length !== 2 * nth + 2) throw new Error('not all came yet')
      })
    }
  }
  await using service = await openReceiver(buggy)
  await replay('good.rec.ndjson', service.url, '--record', join(folder, 'failed.rec.ndjson'))
  await replay('good.rec.ndjson', await closedPort(), '--record', join(folder, 'absent.rec.ndjson'))
})

test('a recorded failure that comes again is no difference, and is told', async () => {
  await using service = await openReceiver(buggy)
  const { code, stdout } = await replay('failed.rec.ndjson', service.url)
  expect(stdout).toContain('the 2 failures of the recording came again (2 5xx)')
  expect(stdout).not.toContain('first divergence')
  expect(code).toBe(0)
})

test('a recorded failure that is gone is told, and ends with 0', async () => {
  await using service = await openReceiver()
  const { code, stdout } = await replay('failed.rec.ndjson', service.url)
  expect(stdout).toContain('the 2 failures of the recording are gone (2 5xx)')
  expect(stdout).toMatch(
    /^gone +#\d+ .*receiveOrderEvent CONFIRMED.* {2}500 when it was recorded, 204 now$/m,
  )
  expect(stdout).not.toContain('first divergence')
  expect(code).toBe(0)
  const json = await replay('failed.rec.ndjson', service.url, '--json')
  expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    ok: true,
    counts: { gone: 2 },
    failures: { gone: { '5xx': 2 } },
  })
})

test('a new failure differs, and is told beside those that came again', async () => {
  await using service = await openReceiver({ reply: () => ({ status: 500 }) })
  const { code, stdout } = await replay('failed.rec.ndjson', service.url)
  expect(stdout).toContain('the 2 failures of the recording came again (2 5xx)')
  expect(stdout).toContain('2 failures are new (2 5xx)')
  expect(stdout).toMatch(/^first divergence: #\d+ .*receiveOrderEvent CREATED/m)
  expect(code).toBe(1)
})

test('with --failure it is told whether that one still shows, and which one it is', async () => {
  await using service = await openReceiver(buggy)
  const again = await replay('failed.rec.ndjson', service.url, '--failure', '1')
  expect(again.stderr).toMatch(
    /^the failure still shows: receiveOrderEvent CONFIRMED of order \S+ is answered 500/m,
  )
  const none = replay('failed.rec.ndjson', service.url, '--failure', '0')
  await expect(none).rejects.toThrow('the failure that is named does not show in it. It shows: 1. ')
})

test('a recorded network failure is no divergence from a service that answers', async () => {
  await using service = await openReceiver()
  const { code, stdout } = await replay('absent.rec.ndjson', service.url)
  expect(stdout).toContain('the failure of the recording is gone (1 without an answer)')
  expect(stdout).toContain('ECONNREFUSED when it was recorded, 200 now')
  expect(stdout).not.toContain('first divergence')
  expect(code).toBe(0)
})
