/**
 * Tells viewers how far a session is, as server-sent events of a few numbers: one look and one text for all viewers, at most
 * so often. Viewers fetch what they show; one that does not read gets the newest numbers later, never a queue of them.
 */
import type { ServerResponse } from 'node:http'
import type { SessionApi, SessionInfo } from '../../session-api/session-api.ts'
import type { ControlAccess } from './guard.ts'

/** How far a session is. */
export interface SessionPosition {
  readonly seed: number
  /** Facts of this world; they count from 1 again after a reset. */
  readonly facts: number
  /** Exchanges of this session. */
  readonly exchanges: number
}

/** The first event of a viewer. */
export interface PositionGreeting extends SessionPosition {
  /** Differs between any two sessions, and between two starts of one. */
  readonly session: string
  readonly version: string
  /** What the token of this viewer allows. */
  readonly access: ControlAccess
}

/**
 * Milliseconds between two events at least: viewers show what happens within 200 ms, with the time that a look takes.
 */
export const positionIntervalMs = 125

/** Maximum number of viewers; each costs a short text for every event. */
export const maxViewers = 100

const aliveEveryMs = 15_000

/** Milliseconds that viewers have for a last look when the session is stopped. */
export const lastLookMs = 150

const positionOf = ({ seed, counts }: SessionInfo): SessionPosition => ({
  seed,
  facts: counts.facts,
  exchanges: counts.exchanges,
})

const eventText = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

interface Viewer {
  readonly response: ServerResponse
  /** Its first event was sent: no other comes before that. */
  isGreeted: boolean
  /** An event was left out, since the viewer could not take it. */
  isBehind: boolean
  /** It has disconnected, or the server closes. */
  readonly over: PromiseWithResolvers<void>
}

export interface PositionFeed {
  readonly viewers: () => number
  /** Sends events until the viewer disconnects or the server closes. */
  readonly follow: (response: ServerResponse, access: ControlAccess) => Promise<void>
}

interface PositionFeedOptions {
  readonly session: Pick<SessionApi, 'look' | 'subscribe'>
  readonly sessionId: string
  /** Aborted to end all viewers, which are notified that the session ends. */
  readonly closing: AbortSignal
  /** Called before viewers are notified that something has changed. */
  readonly onChange: () => void
  /** Called with errors of the session. */
  readonly onError: (error: unknown) => void
}

export function createPositionFeed({
  session,
  sessionId,
  closing,
  onChange,
  onError,
}: PositionFeedOptions): PositionFeed {
  const viewers = new Set<Viewer>()
  let newest = ''
  let lastAt = -Infinity
  let telling: NodeJS.Timeout | undefined
  let unsubscribe: (() => void) | undefined
  let alive: NodeJS.Timeout | undefined

  closing.addEventListener('abort', () => {
    for (const { over } of viewers) over.resolve()
  })

  function send(viewer: Viewer, text: string): void {
    viewer.isBehind = !viewer.isGreeted || viewer.response.writableNeedDrain
    if (!viewer.isBehind) viewer.response.write(text)
  }

  /** Sends the newest event, if it was left out. */
  function catchUp(viewer: Viewer): void {
    if (viewer.isBehind) send(viewer, newest)
  }

  async function tell(): Promise<void> {
    lastAt = performance.now()
    telling = undefined
    const text = eventText('position', positionOf((await session.look({})).info))
    // Changes of what is not counted, such as the clock, are news too: equal numbers are sent again.
    newest = text
    onChange()
    for (const viewer of viewers) send(viewer, text)
  }

  function plan(): void {
    if (telling !== undefined) return
    const pause = Math.max(0, lastAt + positionIntervalMs - performance.now())
    telling = setTimeout(() => void tell().catch(onError), pause)
    telling.unref()
  }

  function open(): void {
    unsubscribe = session.subscribe(plan)
    alive = setInterval(() => {
      for (const { response, isGreeted } of viewers)
        if (isGreeted && !response.writableNeedDrain) response.write(': still here\n\n')
    }, aliveEveryMs)
    alive.unref()
  }

  function close(): void {
    unsubscribe?.()
    clearInterval(alive)
    clearTimeout(telling)
    telling = undefined
  }

  return {
    viewers: () => viewers.size,
    async follow(response, access) {
      const over = Promise.withResolvers<void>()
      response.on('close', over.resolve)
      // One that disconnected before is not followed by a `close`.
      if (response.destroyed) return
      const viewer: Viewer = { response, isGreeted: false, isBehind: false, over }
      response.on('drain', () => catchUp(viewer))
      if (viewers.size === 0) open()
      viewers.add(viewer)
      try {
        const { info } = await session.look({})
        const greeting: PositionGreeting = {
          session: sessionId,
          version: info.version,
          access,
          ...positionOf(info),
        }
        response.writeHead(200, {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
        response.write(`retry: 1000\n\n${eventText('hello', greeting)}`)
        viewer.isGreeted = true
        catchUp(viewer)
        if (!closing.aborted) await over.promise
        if (closing.aborted) await sendEnd(response)
        response.end()
      } finally {
        viewers.delete(viewer)
        if (viewers.size === 0) close()
      }
    },
  }
}

/** Notifies a viewer that the session ends, and leaves it the time of a last look. */
async function sendEnd(response: ServerResponse): Promise<void> {
  response.write(eventText('end', {}))
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, lastLookMs)
    response.on('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}
