/** The product as it is built: a session that plays the Ordering Application over sockets, on the real clock. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { createPress } from '../documents.ts'
import { memory, usage } from './report.ts'

export interface OursOptions {
  /** The folder that holds `dist`. */
  readonly root: string
  readonly orders: string
  /** Records every exchange to this file. */
  readonly record?: string
}

const { root, orders: file, record } = JSON.parse(process.argv[2] ?? '{}') as OursOptions
const { openSession } = await built(root, 'index.js')
const press = createPress(file)
const session = await openSession({
  port: 0,
  subject: { role: 'software-service' },
  ...(record === undefined ? {} : { recording: { file: record } }),
})
const url = session.urls.get('ordering-application') ?? ''

async function askToken(): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: 'subject',
      client_secret: 'secret',
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

async function create(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const order = press()
    const decision = await session.submit({ kind: 'order.create', order })
    if (!decision.ok) throw new Error(decision.error.message)
    ids.push(order.id)
  }
  return ids
}

/** What is due this soon is waited for; the end of a life comes much later. */
const soonMs = 2000
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

async function calm(): Promise<object> {
  for (;;) {
    const { agenda, info } = await session.look({ agenda: { limit: 1 } })
    const due = agenda[0]?.due ?? Number.POSITIVE_INFINITY
    const behind = info.recording !== undefined && info.recording.written < info.counts.exchanges
    if (due > info.clock.now + soonMs && !behind) return {}
    await pause()
  }
}

async function turnOver(orderIds: readonly string[]): Promise<readonly string[]> {
  for (const orderId of orderIds)
    for (const trigger of ['cancel', 'conclude'] as const) {
      const decision = await session.submit({ kind: 'order.apply', orderId, trigger })
      if (!decision.ok) throw new Error(decision.error.message)
    }
  return create(orderIds.length)
}

/** The exchanges that are in the recording, as its last line says; the file may be larger than memory. */
function recorded(path: string): number {
  const handle = openSync(path, 'r')
  try {
    const tail = Buffer.alloc(4096)
    const size = readSync(
      handle,
      tail,
      0,
      tail.length,
      Math.max(0, fstatSync(handle).size - tail.length),
    )
    const last = tail.toString('utf8', 0, size).trimEnd().split('\n').at(-1) ?? '{}'
    const end = JSON.parse(last) as { _rec?: { counts?: { http?: number } } }
    return end._rec?.counts?.http ?? 0
  } finally {
    closeSync(handle)
  }
}

answer(
  {
    usage,
    memory,
    calm,
    create: ({ count }) => create(count),
    turnOver: ({ orderIds }) => turnOver(orderIds),
    async stop() {
      await session.close()
      return record !== undefined && existsSync(record) ? { recorded: recorded(record) } : {}
    },
  },
  { port: Number(new URL(url).port), token: await askToken() },
)
