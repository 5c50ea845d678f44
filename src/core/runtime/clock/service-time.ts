/**
 * How much time a service that sleeps by the wall clock has had, in milliseconds of the session: while the session's
 * clock stands it goes on, while that jumps it does not, and on the virtual clock it is the session's.
 *
 *   session  12:00 ─── 12:05 (stands for 3 min) ▸ jumps ▸ 13:05 ─── 13:10
 *   service      0 ─── 5 min ─────── 8 min ─────────────── 8 min ─── 13 min
 */
import type { Instant } from '../../engine/instant.ts'
import type { ClockMode } from '../../session-api/session-api.ts'
import { wallNow } from './clock.ts'

/** What the session's clock does at the moment. */
interface ClockState {
  /** With fractions. */
  readonly at: number
  readonly mode: ClockMode
  readonly speed: number
}

/** Both times at a moment at which the session's clock began to stand, jump or run. */
interface Turn {
  readonly at: number
  readonly service: number
}

/** Maximum number of turns; beyond it the oldest are forgotten. */
const maxTurns = 4096

/** The point of a line at `at`, between two turns. */
function interpolate(at: number, from: Turn, to: Turn): number {
  if (to.at <= from.at) return to.service
  const share = Math.min(1, Math.max(0, (at - from.at) / (to.at - from.at)))
  return from.service + share * (to.service - from.service)
}

export class ServiceTime {
  readonly #clock: () => ClockState
  readonly #origin: number
  /** Oldest first. */
  #turns: Turn[]
  #isVirtual: boolean
  #lastWall: number
  #pace: number

  constructor(clock: () => ClockState) {
    const { at, mode, speed } = clock()
    this.#clock = clock
    this.#origin = at
    this.#turns = [{ at, service: 0 }]
    this.#isVirtual = mode === 'virtual'
    this.#lastWall = wallNow()
    this.#pace = this.#isVirtual ? 1 : Math.max(1, speed)
  }

  /** The highest speed of the session so far: a service that goes faster than the wall goes at most so fast. */
  readonly pace = (): number => this.#pace

  /** To be called where the session's clock begins or ends to stand or jump. */
  turn(): void {
    this.#turns.push(this.#now())
    if (this.#turns.length > maxTurns) this.#turns = this.#turns.slice(-maxTurns / 2)
    const { mode, speed } = this.#clock()
    this.#isVirtual = mode === 'virtual'
    this.#lastWall = wallNow()
    if (!this.#isVirtual) this.#pace = Math.max(this.#pace, speed)
  }

  /**
   * Least time of the service between two instants of the session: where its clock stood, from the end of that to the
   * beginning. Unlimited from before the session.
   */
  atLeast(from: Instant, to?: Instant): number {
    if (from < this.#origin) return Infinity
    const end = to === undefined ? this.#now().service : this.#entering(to)
    return Math.max(0, end - this.#leaving(from))
  }

  #now(): Turn {
    const last = this.#lastTurn()
    const { at } = this.#clock()
    const passed = this.#isVirtual
      ? Math.max(0, at - last.at)
      : (wallNow() - this.#lastWall) * this.#pace
    return { at: Math.max(at, last.at), service: last.service + passed }
  }

  #lastTurn(): Turn {
    return this.#turns.at(-1) ?? { at: 0, service: 0 }
  }

  /** The time of the service when the session's clock came to an instant. */
  #entering(at: Instant): number {
    const index = this.#firstIndex((turn) => turn.at >= at)
    const next = this.#turns[index] ?? this.#now()
    return interpolate(at, this.#turns[index - 1] ?? next, next)
  }

  /** The time of the service when the session's clock left an instant; now, while it stands there. */
  #leaving(at: Instant): number {
    const index = this.#firstIndex((turn) => turn.at > at)
    const next = this.#turns[index] ?? this.#now()
    return interpolate(at, this.#turns[index - 1] ?? next, next)
  }

  /** Index of the first turn that meets a condition, which all later ones meet. */
  #firstIndex(isMet: (turn: Turn) => boolean): number {
    let [low, high] = [0, this.#turns.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const turn = this.#turns[middle]
      if (turn && isMet(turn)) high = middle
      else low = middle + 1
    }
    return low
  }
}
