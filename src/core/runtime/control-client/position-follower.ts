/**
 * Follows how far a session in another process is, over connections that may break: it tries again after a pause that grows up
 * to a limit. A connection on which nothing comes any more counts as broken.
 */
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type ControlClient, disconnectionText } from './control-client.ts'
import type { PositionGreeting, SessionPosition } from '../control/position-feed.ts'

export interface PositionListener {
  /** A connection was opened. */
  readonly onGreeting: (greeting: PositionGreeting) => void
  /** Something has changed. */
  readonly onPosition: (position: SessionPosition) => void
  /** The session is being stopped; looks are answered for a moment. */
  readonly onEnd: () => void
  /** There is no connection; the next attempt follows after `retryMs`. */
  readonly onLost: (because: string, retryMs: number) => void
}

export interface PositionFollowerOptions extends PositionListener {
  readonly client: ControlClient
  readonly signal: AbortSignal
  /** Milliseconds without a sign of life after which a connection is broken; the server sends one every 15 s. */
  readonly silenceMs?: number
  /** Milliseconds before the first new attempt, and at most. */
  readonly firstRetryMs?: number
  readonly maxRetryMs?: number
}

/** Longer text without an event is no stream of positions. */
const maxPendingText = 65_536

interface StreamEvent {
  readonly event: string
  readonly data: string
}

function eventIn(block: string): StreamEvent | undefined {
  const [, event] = /^event: (.*)$/m.exec(block) ?? []
  const [, data] = /^data: (.*)$/m.exec(block) ?? []
  return event === undefined || data === undefined ? undefined : { event, data }
}

/** The events of a response as they come. */
async function* eventsOf(
  response: IncomingMessage,
  onChunk: () => void,
): AsyncGenerator<StreamEvent, void> {
  response.setEncoding('utf8')
  let text = ''
  for await (const chunk of response as AsyncIterable<string>) {
    onChunk()
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop() ?? ''
    if (text.length > maxPendingText) throw new Error('what it sends is no event stream')
    for (const block of blocks) {
      const found = eventIn(block)
      if (found) yield found
    }
  }
}

const statusText = (status: number | undefined): string =>
  status === 401
    ? 'it asks for another token'
    : status === 503
      ? 'it has too many viewers'
      : `it answered ${status}`

/** Reads one connection to its end; returns why it ended. */
async function readConnection(
  { client, onGreeting, onPosition, onEnd }: PositionFollowerOptions,
  signal: AbortSignal,
  onLife: () => void,
): Promise<string> {
  const response = await client.open('/position', signal)
  const { statusCode } = response
  if (statusCode !== 200) {
    response.destroy()
    return statusText(statusCode)
  }
  let isStopped = false
  try {
    for await (const { event, data } of eventsOf(response, onLife))
      if (event === 'hello') onGreeting(JSON.parse(data) as PositionGreeting)
      else if (event === 'position') onPosition(JSON.parse(data) as SessionPosition)
      else if (event === 'end') {
        isStopped = true
        onEnd()
      }
  } catch (error) {
    if (!isStopped) throw error
  }
  return isStopped ? 'the session was stopped' : 'the connection was closed'
}

/** Follows until the signal is aborted. */
export async function followPosition(options: PositionFollowerOptions): Promise<void> {
  const { signal, onLost, silenceMs = 45_000, firstRetryMs = 250, maxRetryMs = 5000 } = options
  let retryMs = firstRetryMs
  while (!signal.aborted) {
    const silence = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let isSilent = false
    const onLife = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isSilent = true
        silence.abort()
      }, silenceMs)
      timer.unref()
    }
    onLife()
    const greeted = {
      ...options,
      onGreeting(greeting: PositionGreeting) {
        retryMs = firstRetryMs
        options.onGreeting(greeting)
      },
    }
    const because = await readConnection(
      greeted,
      AbortSignal.any([signal, silence.signal]),
      onLife,
    ).catch((error: unknown) => disconnectionText(error))
    clearTimeout(timer)
    if (signal.aborted) return
    onLost(isSilent ? `nothing came for ${silenceMs / 1000} s` : because, retryMs)
    await pause(retryMs, undefined, { signal }).catch(() => undefined)
    retryMs = Math.min(maxRetryMs, 2 * retryMs)
  }
}
