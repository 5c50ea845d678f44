/** What the measured sessions of the built product have in common: a token, calm, and their answers to the bench. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Command, Session } from '../../src/index.ts'
import type { answer } from '../asks.ts'
import { memory, usage } from './report.ts'

/** An Ordering Application with its orders and nothing else: what a delivery or a customer costs has rows of its own. */
export const ordersAlone = {
  only: ['ordering-application'],
  capabilities: { indoor: false, logistics: false, customer: false },
} as const

type Answers = Parameters<typeof answer>[0]

/** A token of the role at this URL, with all that the subject may do there. */
export async function askToken(url: string): Promise<string> {
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

/** Does what a command says; it must be taken. */
export async function told(session: Session, command: Command) {
  const decision = await session.submit(command)
  if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
  return decision.value
}

/** What is due this soon is waited for. */
const soonMs = 2000
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

async function calm(session: Session): Promise<object> {
  for (;;) {
    const { agenda, info } = await session.look({ agenda: { limit: 1, background: false } })
    const due = agenda[0]?.due ?? Number.POSITIVE_INFINITY
    const behind = info.recording !== undefined && info.recording.written < info.counts.exchanges
    if (due > info.clock.now + soonMs && !behind) return {}
    await pause()
  }
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

/** What every session answers the bench. */
export const answersOf = (session: Session, record?: string): Answers => ({
  usage,
  memory,
  calm: () => calm(session),
  async stop() {
    await session.close()
    return record !== undefined && existsSync(record) ? { recorded: recorded(record) } : {}
  },
})
