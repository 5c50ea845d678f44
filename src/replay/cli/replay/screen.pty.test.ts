// @module-tag slow
/** A replay on a real terminal: it opens paused, is stepped by keys, and a difference is inspected and accepted. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi, onTestFinished } from 'vitest'
import {
  openReceiver,
  type Receiver,
  receiverSession,
} from '../../../../test/support/webhook-receiver.ts'
import { commandLine, emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { openPty, type Pty } from '../../../../test/support/terminal.ts'
import { openSession } from '../../../core/session/open-session.ts'

const startMs = 30_000

/** Records two orders whose events a subject received by webhook. */
async function recorded(folder: string): Promise<void> {
  await using service = await openReceiver()
  await using session = await openSession(
    receiverSession(service.url, join(folder, 'lunch.rec.ndjson')),
  )
  for (let nth = 0; nth < 2; nth++) {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    await vi.waitFor(() => expect(service.received).toHaveLength(2 * nth + 1))
    await session.submit({ kind: 'order.apply', orderId: made.value.orderId, trigger: 'confirm' })
    await vi.waitFor(() => expect(service.received).toHaveLength(2 * nth + 2))
  }
}

function open(folder: string, ...flags: readonly string[]): Pty {
  const { file, args, env } = commandLine('replay', 'lunch.rec.ndjson', '--port', '0', ...flags)
  const pty = openPty({
    file,
    args,
    columns: 120,
    rows: 40,
    cwd: folder,
    env: { ...env, HOME: folder, TMPDIR: folder, NODE_ENV: 'production' },
  })
  onTestFinished(() => pty.close())
  return pty
}

/** The numbers of exchanges and of webhooks in the recording. */
function inFile(folder: string) {
  const text = readFileSync(join(folder, 'lunch.rec.ndjson'), 'utf8')
  return {
    exchanges: text.split('"type":"http"').length - 1,
    webhooks: text.split('"op":"receiveOrderEvent"').length - 1,
  }
}

/** Accepts webhooks, from the third on with a different status. */
const changedService = (): Promise<Receiver> =>
  openReceiver({ reply: (nth) => ({ status: nth < 3 ? 204 : 200 }) })

test('a recording opens paused and is stepped through; a difference is opened, accepted and saved as a rule', async () => {
  const folder = emptyFolder()
  await recorded(folder)
  await using service = await changedService()
  const pty = open(folder, '--to', service.url)
  await pty.until('‖ PAUSED', startMs)
  await pty.until(/\d ready/)
  expect(service.received).toHaveLength(0)
  await pty.until('[2 Recording]')

  // Each step sends the next exchange and advances the position.
  const { exchanges, webhooks } = inFile(folder)
  const step = async (place: number): Promise<void> => {
    pty.press('n')
    await pty.until(new RegExp(`^ ${place}/${exchanges} `, 'm'))
  }
  let place = 0
  while (service.received.length < 2) await step(++place)

  // Moving back sends nothing.
  await pty.pressUntil(',', '« PAST')
  await pty.pressUntil('n', 'the past cannot be changed')
  await pty.pressUntil('L', '‖ PAUSED')
  expect(service.received).toHaveLength(2)

  // The following webhooks are answered differently.
  await step(++place)
  await pty.pressUntil('+', 'the clock runs at speed x2')
  await pty.pressUntil(' ', '✓ PLAYED')
  await pty.until(new RegExp(`^ ${exchanges}/${exchanges} `, 'm'))
  expect(service.received).toHaveLength(webhooks)
  expect(pty.text()).toContain(`${webhooks - 2} changed`)
  await pty.pressUntil(':1\r', '« PAST 0')
  pty.press('}')
  await pty.pressUntil('\r', /reply \/status/)
  expect(pty.text()).toMatch(/204 +\| 200/)

  // Accepting it accepts all similar differences.
  await pty.pressUntil('i', 'Accept it as:')
  await pty.pressUntil('i', 'accepted from now on: lunch.rules.json')
  await pty.until('user rule, ignore: accepted by hand')
  const { rules } = JSON.parse(readFileSync(join(folder, 'lunch.rules.json'), 'utf8')) as {
    rules: object[]
  }
  expect(rules).toMatchObject([{ at: '$.status', side: 'reply', compare: 'ignore' }])
  await pty.pressUntil('\u{1b}', '[2 Recording]')
  expect(pty.rows()[0]).not.toContain('changed')

  await pty.pressUntil('m', 'bookmarked')
  pty.press('q')
  const { code } = await pty.exited
  expect([code, pty.text()]).toEqual([0, expect.stringContaining('no difference beyond noise')])
  expect(readFileSync(join(folder, 'lunch.marks.json'), 'utf8')).toMatch(/"seq": \d+/)
  expect(pty.modes()).toMatchObject({ alternateScreen: false, cursorVisible: true })
}, 90_000)

test('without a target a recording is read-only: nothing is sent, and play reports that', async () => {
  const folder = emptyFolder()
  await recorded(folder)
  appendFileSync(join(folder, 'lunch.rec.ndjson'), 'this is no line of a recording\n')
  const pty = open(folder)
  await pty.until('○ BROWSE', startMs)
  await pty.pressUntil(' ', 'nothing is sent without a target: open it with --to')
  await pty.pressUntil('...', /^ *3\/\d+ /m)
  await pty.pressUntil('E', 'export to lunch.har')
  await pty.pressUntil('\r', 'written: lunch.har')
  expect(readFileSync(join(folder, 'lunch.har'), 'utf8')).toContain('"entries"')
  pty.press('q')
  expect((await pty.exited).code).toBe(0)
  expect(pty.text()).toContain('nothing was sent.')
  expect(pty.text()).toMatch(/lunch\.rec\.ndjson, line \d+: .*; the rest was shown/s)
}, 60_000)
