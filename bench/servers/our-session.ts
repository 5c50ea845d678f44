/**
 * Shared by the measured sessions of the built product: token, waiting for pending effects, and handlers of IPC calls.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Command, Session } from '../../src/sparring/library/index.ts'
import type { serveIpc } from '../ipc.ts'
import { measureMemory, measureCpu } from './process-usage.ts'

/** An Ordering Application with Orders only: deliveries and customers have rows of their own. */
export const ordersCapabilityOnly = {
  only: ['ordering-application'],
  capabilities: { indoor: false, logistics: false, customer: false },
} as const

/** As the servers by hand: nothing is judged (`watched-life` measures what that costs). */
export const unwatched = { tolerances: { on: false } } as const

type Answers = Parameters<typeof serveIpc>[0]

/** A token of the role at this URL, with every scope that the subject may have. */
export async function fetchToken(url: string): Promise<string> {
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

/** Submits a command and throws when it is refused. */
export async function submitAccepted(session: Session, command: Command) {
  const decision = await session.submit(command)
  if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
  return decision.value
}

/** Items due within this many milliseconds are waited for. */
const soonMs = 2000
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

/** Waits until nothing is due soon, and what is recorded is written. */
export async function waitUntilIdle(session: Session): Promise<object> {
  for (;;) {
    const { agenda, info } = await session.look({ agenda: { limit: 1, background: false } })
    const due = agenda[0]?.due ?? Number.POSITIVE_INFINITY
    const isRecorderBehind =
      info.recording !== undefined && info.recording.written < info.counts.exchanges
    if (due > info.clock.now + soonMs && !isRecorderBehind) return {}
    await pause()
  }
}

/** The number of exchanges in the recording, by its last line: the file may be larger than memory. */
function countRecorded(path: string): number {
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

/** The IPC handlers that every session has. */
export const sessionIpcHandlers = (session: Session, record?: string): Answers => ({
  usage: measureCpu,
  memory: measureMemory,
  calm: () => waitUntilIdle(session),
  async stop() {
    await session.close()
    return record !== undefined && existsSync(record) ? { recorded: countRecorded(record) } : {}
  },
})
