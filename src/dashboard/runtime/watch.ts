/**
 * Looks at the session: at once when a key changed what the screen needs, otherwise when something is new, at most so
 * many times a second, and only while the terminal keeps up. A slow terminal gets fewer frames, never a queue of them.
 */
import type { SessionApi } from '../../session-api/session-api.ts'
import { lookAt, lookOf } from '../model/query.ts'
import type { Store } from './store.ts'

export interface WatchOptions {
  readonly face: SessionApi
  readonly store: Store
  /** Whether the terminal has taken everything that was written. */
  readonly drained: () => boolean
  /** Milliseconds between two looks that nobody asked for by a key. */
  readonly everyMs?: number
  /** Ages and due times go on even when nothing happens. */
  readonly idleMs?: number
}

/** Verdicts are judged anew with each look at them, and the header only counts them: so often is enough. */
const verdictIntervalMs = 900
/** Where there is much to judge it is done less often: a twentieth of the time at most goes there. */
const verdictTimeDivisor = 20

export interface Watch {
  /** Looks now: something was just done that the person wants to see. */
  readonly now: () => void
  readonly stop: () => void
}

export function watch({
  face: session,
  store,
  drained: isDrained,
  everyMs: minIntervalMs = 80,
  idleMs: maxIntervalMs = 1000,
}: WatchOptions): Watch {
  let isRefreshing = false
  let isRefreshPending = false
  let stopped = false
  let lastRefreshAt = 0
  let nextVerdictsAt = 0
  let lastQuery = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const refresh = async (): Promise<void> => {
    if (stopped) return
    if (isRefreshing) {
      isRefreshPending = true
      return
    }
    isRefreshing = true
    isRefreshPending = false
    clearTimeout(timer)
    timer = undefined
    lastRefreshAt = performance.now()
    const model = store.get()
    lastQuery = JSON.stringify(lookOf(model))
    try {
      const startedAt = performance.now()
      const includeVerdicts = startedAt >= nextVerdictsAt
      const seen = await lookAt(session, model, includeVerdicts)
      if (includeVerdicts)
        nextVerdictsAt =
          startedAt +
          Math.max(verdictIntervalMs, verdictTimeDivisor * (performance.now() - startedAt))
      if (!stopped) store.send({ kind: 'seen', seen })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!stopped) store.send({ kind: 'lost', because: reason })
    }
    isRefreshing = false
    if (isRefreshPending) void refresh()
  }

  /** Something is new: look when the last look is old enough and the terminal is through with its frame. */
  const scheduleRefresh = (): void => {
    if (stopped || timer !== undefined) return
    const pause = Math.max(0, lastRefreshAt + minIntervalMs - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      if (isDrained()) void refresh()
      else {
        lastRefreshAt = performance.now()
        scheduleRefresh()
      }
    }, pause)
  }

  const unsubscribeSession = session.subscribe(scheduleRefresh)
  const unsubscribeStore = store.subscribe(() => {
    if (JSON.stringify(lookOf(store.get())) !== lastQuery) void refresh()
  })
  const idle = setInterval(scheduleRefresh, maxIntervalMs)
  void refresh()

  return {
    now: () => void refresh(),
    stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(idle)
      unsubscribeSession()
      unsubscribeStore()
    },
  }
}
