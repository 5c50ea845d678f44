// @module-tag slow
/** Exchanges are edited on a real terminal, in the person's own editor: what is sent, answered and reported then. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi, onTestFinished } from 'vitest'
import { clientAt } from '../../../../test/support/plain-client.ts'
import { commandLine, emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { openPty } from '../../../../test/support/terminal.ts'
import { openReceiver, type Receiver } from '../../../../test/support/webhook-receiver.ts'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { freeServicePort } from '../../../terminal/cli/ports.ts'

const capabilities = { indoor: false, logistics: false, customer: false } as const

/** A service that reads each order that is announced to it; what it read is kept. */
async function openReadingService(partner: () => string) {
  const displayIds: unknown[] = []
  const receiver = await openReceiver({
    async reply(_nth, { eventType, orderId }) {
      if (eventType !== 'CREATED') return { status: 204 }
      const ask = await clientAt(partner())
      const { json } = await ask('GET', `/orders/${orderId}`)
      displayIds.push(json['displayId'])
      return { status: 204 }
    },
  })
  return { ...receiver, displayIds }
}

const received = ({ received: all }: Pick<Receiver, 'received'>, count: number): Promise<void> =>
  vi.waitFor(() => expect(all).toHaveLength(count), 20_000)

/** Records an order that is announced, read and confirmed; returns the numbers of its exchanges. */
async function recorded(folder: string) {
  let partner = ''
  await using service = await openReadingService(() => partner)
  const file = join(folder, 'lunch.rec.ndjson')
  {
    await using session = await openSession({
      port: 0,
      subject: { role: 'software-service', url: service.url },
      capabilities,
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      tolerances: { on: false },
      recording: { file, redact: false, unsafe: true },
    })
    partner = session.urls.get('ordering-application') ?? ''
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    await received(service, 1)
    await vi.waitFor(() => expect(service.displayIds).toHaveLength(1))
    await session.submit({ kind: 'order.apply', orderId: made.value.orderId, trigger: 'confirm' })
    await received(service, 2)
  }
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  const numbers = (operation: string): readonly number[] =>
    read.value.exchanges.flatMap((each) => (each.operation === operation ? [each.seq] : []))
  const [, confirmed = 0] = numbers('receiveOrderEvent')
  const [order = 0] = numbers('getOrder')
  return { confirmed, order }
}

/** An editor that at first leaves invalid JSON, then adds a note; in an answer it changes the display id. */
function writeEditor(folder: string): void {
  const script = [
    '#!/bin/sh',
    'case "$1" in',
    '  *-reply.json) sed -i "s/\\"displayId\\": \\"[^\\"]*\\"/\\"displayId\\": \\"edited\\"/" "$1" ;;',
    '  *) if [ -e twice ]; then sed -i "s/@@/\\"/; s/\\"body\\": {/\\"body\\": { \\"note\\": \\"late\\",/" "$1"',
    '     else touch twice; sed -i "0,/\\"/s//@@/" "$1"; fi ;;',
    'esac',
  ]
  const file = join(folder, 'editor')
  writeFileSync(file, `${script.join('\n')}\n`)
  chmodSync(file, 0o700)
}

test('a request and an answer are edited, sent alone and played; the report says so and how to do it again', async () => {
  const folder = emptyFolder()
  const { confirmed, order } = await recorded(folder)
  writeEditor(folder)
  const port = await freeServicePort('127.0.0.1')
  writeFileSync(
    join(folder, 'sparring.config.yaml'),
    JSON.stringify({ port: 0, counterparts: { 'ordering-application': { port } }, capabilities }),
  )
  await using service = await openReadingService(() => `http://127.0.0.1:${port}`)
  const { file, args, env } = commandLine('replay', 'lunch.rec.ndjson', '--to', service.url)
  const pty = openPty({
    file,
    args,
    columns: 140,
    rows: 40,
    cwd: folder,
    env: { ...env, HOME: folder, TMPDIR: folder, NODE_ENV: 'production', EDITOR: './editor' },
  })
  onTestFinished(() => pty.close())
  await pty.until('‖ PAUSED', 30_000)
  await pty.until(/\d ready/)
  await pty.until('[2 Recording]')

  // What would not do is told with its place, and is there again.
  await pty.pressUntil(`:${confirmed}\r`, new RegExp(`>.*#${confirmed} `))
  await pty.pressUntil('e', /line 2, column 3: a name in double quotes is missing/)
  await pty.pressUntil('e', 'edited: $.note added: "late"')
  await pty.until(new RegExp(`#${confirmed} .*edited receiveOrderEvent`))

  await pty.pressUntil('R', `#${confirmed} goes out alone`)
  await received(service, 1)
  expect(service.received[0]?.event).toMatchObject({ eventType: 'CONFIRMED', note: 'late' })

  await pty.pressUntil(`:${order}\r`, new RegExp(`>.*#${order} `))
  await pty.pressUntil('e', /edited: \$\.displayId.*; your service gets it when it asks, z undoes/)
  pty.press(' ')
  await pty.until('✓ PLAYED', 20_000)
  await received(service, 3)
  expect(service.received.map(({ event }) => event.eventType)).toEqual([
    'CONFIRMED',
    'CREATED',
    'CONFIRMED',
  ])
  expect(service.received[2]?.event).toMatchObject({ note: 'late' })
  expect(service.displayIds).toEqual(['edited'])

  pty.press('q')
  const { code } = await pty.exited
  const text = pty.text()
  expect([code, text]).toEqual([0, text])
  expect(text).toContain(`edited  #${confirmed}  receiveOrderEvent: $.note added: "late"`)
  expect(text).toMatch(new RegExp(`edited  #${order}  getOrder: \\$\\.displayId .*, now "edited"`))
  expect(text.replaceAll('\n', '')).toContain(`--set '#${confirmed} $.note="late"'`)
}, 90_000)
