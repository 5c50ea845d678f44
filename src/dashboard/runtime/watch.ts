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
const wholeMs = 900
/** Where there is much to judge it is done less often: a twentieth of the time at most goes there. */
const wholeShare = 20

export interface Watch {
  /** Looks now: something was just done that the person wants to see. */
  readonly now: () => void
  readonly stop: () => void
}

export function watch({ face, store, drained, everyMs = 80, idleMs = 1000 }: WatchOptions): Watch {
  let busy = false
  let wanted = false
  let stopped = false
  let lastLook = 0
  let nextWhole = 0
  let asked = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = async (): Promise<void> => {
    if (stopped) return
    if (busy) {
      wanted = true
      return
    }
    busy = true
    wanted = false
    clearTimeout(timer)
    timer = undefined
    lastLook = performance.now()
    const model = store.get()
    asked = JSON.stringify(lookOf(model))
    try {
      const began = performance.now()
      const whole = began >= nextWhole
      const seen = await lookAt(face, model, whole)
      if (whole) nextWhole = began + Math.max(wholeMs, wholeShare * (performance.now() - began))
      if (!stopped) store.send({ kind: 'seen', seen })
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error)
      if (!stopped) store.send({ kind: 'lost', because })
    }
    busy = false
    if (wanted) void look()
  }

  /** Something is new: look when the last look is old enough and the terminal is through with its frame. */
  const soon = (): void => {
    if (stopped || timer !== undefined) return
    const pause = Math.max(0, lastLook + everyMs - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      if (drained()) void look()
      else {
        lastLook = performance.now()
        soon()
      }
    }, pause)
  }

  const unsubscribeFace = face.subscribe(soon)
  const unsubscribeStore = store.subscribe(() => {
    if (JSON.stringify(lookOf(store.get())) !== asked) void look()
  })
  const idle = setInterval(soon, idleMs)
  void look()

  return {
    now: () => void look(),
    stop() {
      stopped = true
      clearTimeout(timer)
      clearInterval(idle)
      unsubscribeFace()
      unsubscribeStore()
    },
  }
}
