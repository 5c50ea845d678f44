/**
 * `npm run foreign-recordings`: records test/foreign/recordings anew. Each session is a foreign service with its bug
 * against `sparring up` as a process, on real sockets and the real clock. Arguments are names to restrict it to.
 */
import { rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { openRemoteSession } from '../../src/core/runtime/control-client/remote-session.ts'
import { problem } from '../../src/core/base/problem.ts'
import { itemIdsOf } from '../../src/core/session-api/order-lines.ts'
import type { NewOrder, SessionApi } from '../../src/core/session-api/session-api.ts'
import { demonstrationKeyFolder } from './demonstration-key-folder.ts'
import { foreignServices, startForeignService } from './foreign-service.ts'
import {
  type ForeignAction,
  type ForeignStory,
  foreignStories,
  ordersBefore,
  recordingOf,
  storyName,
} from './foreign-stories.ts'
import { emptyFolder, startSparring } from './spawn-sparring.ts'

const control = 'http://127.0.0.1:7100'
const partnerUrl = 'http://127.0.0.1:7101'
const servicePort = 3000
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Polls bring several events at once, so that an order takes fewer exchanges. */
const ordersAfter = { polling: 18, webhook: 14 }
/** With polling longer than two polls, so that no poll brings two new orders by chance. */
const orderIntervalMs = { polling: 2500, webhook: 1500 }
const lookEveryMs = 100
const longestMs = 120_000
const over = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

async function runSession(session: SessionApi, story: ForeignStory): Promise<void> {
  const orderIds: string[] = []
  const { channel } = foreignServices[story.service]
  const intervalMs = orderIntervalMs[channel]
  const statusOf = async (slot: number): Promise<string> => {
    const { orders } = await session.look({ orders: { limit: 200 } })
    return orders.find(({ orderId }) => orderId === orderIds[slot - 1])?.status ?? 'unknown'
  }
  const reached = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    const until = performance.now() + longestMs
    while (!(await holds())) {
      if (performance.now() > until)
        throw problem('recording', `${what} did not come`, 'Look at the service.')
      await pause(lookEveryMs)
    }
  }
  const create = async (wish: NewOrder): Promise<void> => {
    const created = await session.createOrder(wish)
    if (!created.ok) throw problem('creating an order', created.error.message, 'Correct it.')
    orderIds.push(created.value.orderId)
  }
  const perform = async (action: ForeignAction): Promise<void> => {
    if ('create' in action) return create(action.create)
    if ('cancelLine' in action) {
      const orderId = orderIds[action.order - 1] ?? ''
      const itemId = (await itemIdsOf(session, orderId))[action.cancelLine - 1] ?? ''
      const done = await session.submit({ kind: 'item.cancel', orderId, itemId, cancellation: {} })
      if (!done.ok) throw problem('cancelling a line', done.error.message, 'Correct it.')
      return
    }
    if ('until' in action)
      return reached(
        `${action.until} of o${action.order}`,
        async () => (await statusOf(action.order)) === action.until,
      )
    if ('pause' in action) {
      await pause(action.pause)
      return
    }
    const orderId = orderIds[action.cancel - 1] ?? ''
    const done = await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    if (!done.ok) throw problem('cancelling an order', done.error.message, 'Correct it.')
  }
  const usualOrders = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      await create({ type: n % 3 === 2 ? 'TAKEOUT' : 'DELIVERY' })
      await pause(intervalMs)
    }
  }
  await usualOrders(ordersBefore)
  for (const action of story.provocation) await perform(action)
  await pause(intervalMs)
  await usualOrders(ordersAfter[channel])
  await reached('the end of all orders', async () => {
    const statuses = await Promise.all(orderIds.map((_, index) => statusOf(index + 1)))
    const { stuck = {} } = story
    return statuses.every((status, index) => {
      const stays = stuck[index + 1]
      return stays === undefined ? over.has(status) : status === stays
    })
  })
  await pause(story.tailMs)
}

async function record(story: ForeignStory): Promise<void> {
  const name = storyName(story)
  const { service, bug } = story
  const { channel } = foreignServices[service]
  const file = join(emptyFolder(), `${name}.rec.ndjson`)
  const pos = await startForeignService(service, { bug, port: servicePort, partnerUrl })
  const up = startSparring(
    [
      'up',
      'ordering-application',
      '--as=software-service',
      '--seed=42',
      `--channel=${channel}`,
      `--record=${file}`,
      // A service that polls need not be found by anybody.
      ...(channel === 'webhook' ? ['--subject', pos.url] : []),
      ...story.faults.flatMap((fault) => ['--fault', fault]),
    ],
    { env: { XDG_CONFIG_HOME: demonstrationKeyFolder() } },
  )
  try {
    await up.until((stdout) => stdout.includes('ready'))
    const session = openRemoteSession({ url: control })
    if (channel === 'polling') await pause(2000)
    await runSession(session, story)
  } finally {
    up.kill('SIGINT')
    await up.ended.catch(() => undefined)
    await pos.stop()
  }
  const text = await readFile(file)
  const target = recordingOf(story)
  rmSync(target, { force: true })
  await writeFile(target, zstdCompressSync(text))
  print(`${target}  ${text.length} bytes, ${String(text).split('\n').length - 2} exchanges`)
}

const names = process.argv.slice(2)
for (const story of foreignStories)
  if (names.length === 0 || names.includes(storyName(story))) await record(story)
