/**
 * Streams changes of a session as server-sent events: `fact`, `exchange`, and `session` for anything else.
 * Backpressure applies; a reconnect resumes after `Last-Event-ID` and may repeat later events.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SessionApi } from '../../session-api/session-api.ts'
import { type ChangeCursor, currentCursor, followSession, type SessionChanges } from './follow.ts'
import { writeWithBackpressure } from '../recording/write-with-backpressure.ts'

/** Maximum number of concurrent streams; each takes a snapshot for every change. */
export const maxStreams = 32

const aliveEveryMs = 15_000

const line = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

function textOf({ facts, exchanges, missed, info, cursor }: SessionChanges): string {
  const parts = [
    ...(missed > 0 ? [line('missed', { facts: missed })] : []),
    ...facts.map((row) => line('fact', row)),
    ...exchanges.map((row) => line('exchange', row)),
  ]
  const events = parts.length > 0 ? parts : [line('session', info)]
  // The id goes with the last event only: a reader cut off before it must not skip the rest.
  return `${events.slice(0, -1).join('')}id: ${cursor.fact}-${cursor.exchange}\n${events.at(-1)}`
}

/** Position to resume from: `Last-Event-ID`, which a reader that reconnects sends, else the one that it began with. */
function resumePosition(
  { headers }: IncomingMessage,
  after: string | undefined,
): ChangeCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(String(headers['last-event-id'] ?? after))
  return match ? { fact: Number(match[1]), exchange: Number(match[2]) } : undefined
}

/** Start position. One from another session, beyond our last exchange, restarts exchanges from 0. */
const startPosition = (from: ChangeCursor, now: ChangeCursor): ChangeCursor =>
  from.exchange > now.exchange ? { ...from, exchange: 0 } : from

/** Streams until the reader disconnects or `closing` is aborted. */
export async function streamChanges(
  session: SessionApi,
  request: IncomingMessage,
  response: ServerResponse,
  { after, closing }: { readonly after?: string | undefined; readonly closing: AbortSignal },
): Promise<void> {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, closing])
  response.on('close', () => gone.abort())
  // One that disconnected before is not followed by a `close`.
  if (response.destroyed) return
  const now = await currentCursor(session)
  const from = startPosition(resumePosition(request, after) ?? now, now)
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.write('retry: 1000\n\n')
  const alive = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n')
  }, aliveEveryMs)
  alive.unref()
  try {
    for await (const news of followSession(session, { from, signal }))
      await writeWithBackpressure(response, textOf(news))
  } finally {
    clearInterval(alive)
    response.end()
  }
}
