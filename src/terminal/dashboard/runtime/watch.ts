/**
 * Polls the session for snapshots: at once when a key changed the query, otherwise when the session has news,
 * rate-limited, and only while the terminal keeps up. A slow terminal gets fewer frames, never a queue of them.
 */
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { querySession, sessionQueryOf } from '../model/query.ts'
import type { ModelStore } from './store.ts'

export interface SessionWatcherOptions {
  readonly session: SessionApi
  readonly store: ModelStore
  /** Whether the terminal has consumed all output. */
  readonly isDrained: () => boolean
  /** Minimum interval in ms between two snapshots that no key requested. */
  readonly minIntervalMs?: number
  /** Maximum interval in ms: ages and due times change even when nothing happens. */
  readonly maxIntervalMs?: number
}

/** Minimum interval in ms between queries of verdicts: each one judges anew, and the header only counts them. */
const verdictIntervalMs = 900
/** Milliseconds after which a notice goes by itself, on whichever clock the session runs; `:` keeps it. */
const noticeMs = 15_000
/** Judging may take at most one twentieth of the time: slow judging lengthens the interval. */
const verdictTimeDivisor = 20

export interface SessionWatcher {
  /** Takes a snapshot now, after an action of the operator. */
  readonly refresh: () => void
  readonly stop: () => void
}

export function watchSession({
  session,
  store,
  isDrained,
  minIntervalMs = 80,
  maxIntervalMs = 1000,
}: SessionWatcherOptions): SessionWatcher {
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
    idle.refresh()
    lastRefreshAt = performance.now()
    const model = store.get()
    lastQuery = JSON.stringify(sessionQueryOf(model))
    try {
      const startedAt = performance.now()
      const includeVerdicts = startedAt >= nextVerdictsAt
      const snapshot = await querySession(session, model, includeVerdicts)
      if (includeVerdicts)
        nextVerdictsAt =
          startedAt +
          Math.max(verdictIntervalMs, verdictTimeDivisor * (performance.now() - startedAt))
      if (!stopped) store.send({ kind: 'snapshot', snapshot })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!stopped) store.send({ kind: 'lost', because: reason })
    }
    isRefreshing = false
    if (isRefreshPending) void refresh()
  }

  /** Schedules a snapshot for when the minimum interval is over and the terminal has consumed its frame. */
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

  const idle = setInterval(scheduleRefresh, maxIntervalMs)
  const unsubscribeSession = session.subscribe(scheduleRefresh)
  let { notice } = store.get()
  let noticeTimer: ReturnType<typeof setTimeout> | undefined
  const expireNotice = (): void => {
    if (store.get().notice === notice) return
    clearTimeout(noticeTimer)
    const shown = (notice = store.get().notice)
    if (shown)
      noticeTimer = setTimeout(
        () => store.send({ kind: 'notice-expired', notice: shown }),
        noticeMs,
      )
  }
  const unsubscribeStore = store.subscribe(() => {
    expireNotice()
    if (JSON.stringify(sessionQueryOf(store.get())) !== lastQuery) void refresh()
  })
  void refresh()

  return {
    refresh: () => void refresh(),
    stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(noticeTimer)
      clearInterval(idle)
      unsubscribeSession()
      unsubscribeStore()
    },
  }
}
