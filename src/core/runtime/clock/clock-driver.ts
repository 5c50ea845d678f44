/**
 * Takes due items from the agenda: by the wall clock (real), step by step on request (stepped), or by jumping to the
 * next due instant whenever no exchange is in flight (virtual). It uses a single chained timer.
 */
import { type Agenda, nextDue, scheduledItems } from '../../engine/agenda/agenda.ts'
import type { Engine, TakenItem } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { AdvanceLimits, ClockMode } from '../../session-api/session-api.ts'
import { problem } from '../../base/problem.ts'
import { wallNow } from './clock.ts'
import { ServiceTime } from './service-time.ts'

export interface ClockDriverOptions {
  readonly engine: Engine
  readonly mode: ClockMode
  readonly speed: number
  /** The wall clock's time at the engine's: the real clock runs from there. Now, when absent. */
  readonly since?: number | undefined
  /** The virtual clock advances by itself; otherwise only on `settle` or `advance`. */
  readonly automatic: boolean
  /** Resolves when no exchange is in flight. */
  readonly whenIdle: () => Promise<void>
  /** Called on the real clock with the due instant of an item that is about to be taken. */
  readonly onDue?: (due: Instant) => void
  /** Called when the clock was set, and when it was stopped. */
  readonly onSet?: () => void
  readonly onStop?: () => void
  /** Called when an item makes the engine throw, which is a bug. */
  readonly onBug: (error: unknown) => void
}

/** Longest single timer; it is set again when it fires. */
const longestTimerMs = 3_600_000

/** Maximum items that one `settle` takes: beyond it, items are planning each other without end. */
const maxItems = 500_000

/** Maximum items that one tick of the real clock takes before sockets are served. */
const maxItemsPerTick = 200

/** Facts that do not delay idleness: agenda bookkeeping, and polls that find nothing new. */
const irrelevantFacts: ReadonlySet<string> = new Set([
  'events.polled',
  'ticket.polled',
  'customer.pulled',
  'ticket.event-repeated',
  'partner.rejected',
  'partner.unchanged',
])

const irrelevantPrefixes = ['agenda.', 'call.', 'pause.', 'fault.']

const isRelevant = ({ kind }: Fact): boolean =>
  !irrelevantFacts.has(kind) && !irrelevantPrefixes.some((word) => kind.startsWith(word))

/** Number of background items (loops) on the agenda. */
function countLoops(agenda: Agenda): number {
  let loops = 0
  for (const { background } of scheduledItems(agenda)) if (background === true) loops++
  return loops
}

export class ClockDriver {
  readonly #options: ClockDriverOptions
  readonly #engine: Engine
  readonly #agenda: Agenda
  /** The time of a service that sleeps by the wall clock. */
  readonly serviceTime: ServiceTime
  #mode: ClockMode
  #speed: number
  #automatic: boolean
  /** Pair of wall time and session time from which real time is counted. */
  #anchor: { readonly wall: number; readonly instant: number }
  #timer: NodeJS.Timeout | undefined
  #armedFor: Instant | undefined
  #pumping: Promise<void> | undefined
  #stopped = false
  /** Items are being taken: the next due item is looked up afterwards, not at each fact. */
  #draining = false

  constructor(options: ClockDriverOptions) {
    this.#options = options
    const { engine, mode, speed, automatic, since = wallNow() } = options
    this.#engine = engine
    this.#agenda = engine.world.agenda
    this.#mode = mode
    this.#speed = speed
    this.#automatic = automatic
    this.#anchor = { wall: since, instant: engine.now() }
    this.serviceTime = new ServiceTime(() => ({
      at: this.at(),
      mode: this.#mode,
      speed: this.#speed,
    }))
    engine.onFact(() => this.#wake())
  }

  readonly mode = (): ClockMode => this.#mode
  readonly speed = (): number => this.#speed
  /** Session time with fractions, which the engine does not have: for measurements. */
  readonly at = (): number => (this.#mode === 'real' ? this.#exactNow() : this.#engine.now())

  /** Session time is the wall clock's, to the fraction of a millisecond. */
  isWallClock(): boolean {
    return this.#mode === 'real' && this.#speed === 1 && this.#anchor.wall === this.#anchor.instant
  }

  /** On the real clock: an item is due and not yet taken. */
  hasOverdueItem(): boolean {
    const due = this.#mode === 'real' ? nextDue(this.#agenda) : undefined
    return due !== undefined && due <= this.#exactNow()
  }

  /** Advances session time to the wall clock. */
  sync(): void {
    if (this.#mode === 'real') this.#engine.advanceTo(this.#instantNow())
  }

  setClock(change: { readonly mode?: ClockMode; readonly speed?: number }): void {
    this.sync()
    this.#rebase()
    this.#mode = change.mode ?? this.#mode
    this.#speed = change.speed ?? this.#speed
    this.serviceTime.turn()
    clearTimeout(this.#timer)
    this.#armedFor = undefined
    this.#automatic = this.#mode === 'virtual'
    this.#wake()
    this.#options.onSet?.()
  }

  async step(): Promise<TakenItem | undefined> {
    this.sync()
    this.#beginJump()
    const taken = this.#take()
    this.#endJump()
    await this.#options.whenIdle()
    return taken
  }

  /** Advances session time by `ms` milliseconds and takes all items that fall due; less when the limits are reached. */
  async advance(ms: number, limits?: AdvanceLimits): Promise<void> {
    this.sync()
    await this.#passUntil(this.#engine.now() + ms, limits)
    this.#wake()
  }

  /** Advances time until only background items (endless loops) are left, and those yield no relevant facts. */
  async settle(): Promise<void> {
    await this.#untilQuiet((taken) => {
      if (taken > maxItems) throw endless()
      return false
    })
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#options.onStop?.()
  }

  #exactAt(wall: number): number {
    return this.#anchor.instant + (wall - this.#anchor.wall) * this.#speed
  }

  readonly #exactNow = (): number => this.#exactAt(wallNow())
  readonly #instantNow = (): Instant => Math.floor(this.#exactNow())

  #rebase(): void {
    const wall = wallNow()
    const instant = this.#engine.now()
    // The engine's instants are whole: the fraction must not be lost with every rebase.
    this.#anchor = {
      wall,
      instant: this.#mode === 'real' ? Math.max(instant, this.#exactAt(wall)) : instant,
    }
  }

  /** Session time passes by other means than the wall clock from here on. */
  #beginJump(): void {
    if (this.#mode !== 'virtual') this.serviceTime.turn()
  }

  #endJump(): void {
    this.#rebase()
    if (this.#mode !== 'virtual') this.serviceTime.turn()
  }

  #take(): TakenItem | undefined {
    try {
      return this.#engine.take()
    } catch (error) {
      this.#options.onBug(error)
      return undefined
    }
  }

  /** Takes all items due by now, a bounded number at a time so that requests are not starved. */
  #drain(): void {
    this.#armedFor = undefined
    this.sync()
    this.#draining = true
    try {
      for (let taken = 0; taken < maxItemsPerTick; taken++) {
        const due = nextDue(this.#agenda)
        if (due === undefined || due > this.#engine.now()) break
        this.#options.onDue?.(due)
        this.#take()
      }
    } finally {
      this.#draining = false
    }
    this.#wake()
  }

  /** Schedules the taking of the agenda's first item: starts the pump or sets the timer. */
  #wake(): void {
    if (this.#stopped || this.#draining) return
    if (this.#mode === 'virtual') {
      this.#pump()
      return
    }
    if (this.#mode !== 'real') return
    const due = nextDue(this.#agenda)
    if (due === undefined || (this.#armedFor !== undefined && this.#armedFor <= due)) return
    clearTimeout(this.#timer)
    this.#armedFor = due
    // Exact time: rounding to whole milliseconds would add up to a millisecond of delay.
    const wait = Math.max(0, (due - this.#exactNow()) / this.#speed)
    this.#timer = setTimeout(() => this.#drain(), Math.min(wait, longestTimerMs))
  }

  /**
   * Runs the virtual clock: takes one item, waits for all work it caused, takes the next, until only loops without
   * relevant facts are left. The next fact resumes it, so an idle session uses no CPU.
   */
  #pump(): void {
    if (this.#pumping || !this.#automatic || nextDue(this.#agenda) === undefined) return
    let lastSeq = Infinity
    this.#pumping = this.#untilQuiet(() => this.#stopped || this.#mode !== 'virtual')
      .then((last) => void (lastSeq = last))
      .finally(() => {
        this.#pumping = undefined
        // A fact recorded after the last check did not wake the pump, since `pumping` was still set.
        if (this.#engine.journal.last() > lastSeq) this.#wake()
      })
    this.#pumping.catch(this.#options.onBug)
  }

  /**
   * Takes items until only loops are left and each of those has run without relevant facts; returns the last seq
   * read.
   */
  async #untilQuiet(enough: (taken: number) => boolean): Promise<number> {
    this.#beginJump()
    await this.#options.whenIdle()
    let lastSeq = this.#engine.journal.last()
    let idleRounds = 0
    for (let taken = 0; !enough(taken) && nextDue(this.#agenda) !== undefined; taken++) {
      if (this.#agenda.foreground === 0 && idleRounds >= countLoops(this.#agenda)) break
      const background = this.#take()?.item.background ?? false
      await this.#options.whenIdle()
      const hasNews = this.#engine.journal
        .after(lastSeq, maxItems)
        .some(({ fact }) => isRelevant(fact))
      lastSeq = this.#engine.journal.last()
      idleRounds = !background || hasNews ? 0 : background === true ? idleRounds + 1 : idleRounds
    }
    this.#endJump()
    return lastSeq
  }

  async #passUntil(until: Instant, limits?: AdvanceLimits): Promise<void> {
    const deadline = limits && wallNow() + limits.wallMs
    this.#beginJump()
    await this.#options.whenIdle()
    for (let taken = 0; ; taken++) {
      const due = nextDue(this.#agenda)
      if (due === undefined || due > until) break
      if (limits && (taken >= limits.items || (deadline ?? 0) <= wallNow())) return this.#endJump()
      if (taken > maxItems) throw endless()
      this.#take()
      await this.#options.whenIdle()
    }
    this.#engine.advanceTo(until)
    this.#endJump()
  }
}

const endless = (): Error =>
  problem(
    'cannot settle',
    `after ${maxItems} items something still happens`,
    'Limit the orders that are created automatically (counterparts.ordering-application.orders.limit).',
  )
