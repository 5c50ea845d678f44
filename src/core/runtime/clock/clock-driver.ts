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
  /** Called when an item makes the engine throw, which is a bug. */
  readonly onBug: (error: unknown) => void
}

export interface ClockDriver {
  readonly mode: () => ClockMode
  readonly speed: () => number
  /** Session time with fractions, which the engine does not have: for measurements. */
  readonly at: () => number
  /** Session time is the wall clock's, to the fraction of a millisecond. */
  readonly isWallClock: () => boolean
  /** On the real clock: an item is due and not yet taken. */
  readonly hasOverdueItem: () => boolean
  /** Advances session time to the wall clock. */
  readonly sync: () => void
  readonly setClock: (change: { readonly mode?: ClockMode; readonly speed?: number }) => void
  readonly step: () => Promise<TakenItem | undefined>
  /** Advances session time by `ms` milliseconds and takes all items that fall due; less when the limits are reached. */
  readonly advance: (ms: number, limits?: AdvanceLimits) => Promise<void>
  /** Advances time until only background items (endless loops) are left, and those yield no relevant facts. */
  readonly settle: () => Promise<void>
  readonly stop: () => void
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

export function createClockDriver(options: ClockDriverOptions): ClockDriver {
  const { engine, whenIdle, onBug } = options
  const { agenda } = engine.world
  let { mode, speed } = options
  /** Pair of wall time and session time from which real time is counted. */
  let anchor = { wall: options.since ?? wallNow(), instant: engine.now() }
  let timer: NodeJS.Timeout | undefined
  let armedFor: Instant | undefined
  let pumping: Promise<void> | undefined
  let stopped = false
  /** Items are being taken: the next due item is looked up afterwards, not at each fact. */
  let draining = false
  let { automatic } = options

  engine.onFact(wake)

  const exactAt = (wall: number): number => anchor.instant + (wall - anchor.wall) * speed
  const exactNow = (): number => exactAt(wallNow())

  const instantNow = (): Instant => Math.floor(exactNow())

  function rebase(): void {
    const wall = wallNow()
    const instant = engine.now()
    // The engine's instants are whole: the fraction must not be lost with every rebase.
    anchor = { wall, instant: mode === 'real' ? Math.max(instant, exactAt(wall)) : instant }
  }

  function sync(): void {
    if (mode === 'real') engine.advanceTo(instantNow())
  }

  function take(): TakenItem | undefined {
    try {
      return engine.take()
    } catch (error) {
      onBug(error)
      return undefined
    }
  }

  /** Takes all items due by now, a bounded number at a time so that requests are not starved. */
  function drain(): void {
    armedFor = undefined
    sync()
    draining = true
    try {
      for (let taken = 0; taken < maxItemsPerTick; taken++) {
        const due = nextDue(agenda)
        if (due === undefined || due > engine.now()) break
        options.onDue?.(due)
        take()
      }
    } finally {
      draining = false
    }
    wake()
  }

  /** Schedules the taking of the agenda's first item: starts the pump or sets the timer. */
  function wake(): void {
    if (stopped || draining) return
    if (mode === 'virtual') {
      pump()
      return
    }
    if (mode !== 'real') return
    const due = nextDue(agenda)
    if (due === undefined || (armedFor !== undefined && armedFor <= due)) return
    clearTimeout(timer)
    armedFor = due
    // Exact time: rounding to whole milliseconds would add up to a millisecond of delay.
    const wait = Math.max(0, (due - exactNow()) / speed)
    timer = setTimeout(drain, Math.min(wait, longestTimerMs))
  }

  /**
   * Runs the virtual clock: takes one item, waits for all work it caused, takes the next, until only loops without
   * relevant facts are left. The next fact resumes it, so an idle session uses no CPU.
   */
  function pump(): void {
    if (pumping || !automatic || nextDue(agenda) === undefined) return
    let lastSeq = Infinity
    pumping = untilQuiet(() => stopped || mode !== 'virtual')
      .then((last) => void (lastSeq = last))
      .finally(() => {
        pumping = undefined
        // A fact recorded after the last check did not wake the pump, since `pumping` was still set.
        if (engine.journal.last() > lastSeq) wake()
      })
    pumping.catch(onBug)
  }

  /**
   * Takes items until only loops are left and each of those has run without relevant facts; returns the last seq
   * read.
   */
  async function untilQuiet(enough: (taken: number) => boolean): Promise<number> {
    await whenIdle()
    let lastSeq = engine.journal.last()
    let idleRounds = 0
    for (let taken = 0; !enough(taken) && nextDue(agenda) !== undefined; taken++) {
      if (agenda.foreground === 0 && idleRounds >= countLoops(agenda)) break
      const background = take()?.item.background ?? false
      await whenIdle()
      const hasNews = engine.journal.after(lastSeq, maxItems).some(({ fact }) => isRelevant(fact))
      lastSeq = engine.journal.last()
      idleRounds = !background || hasNews ? 0 : background === true ? idleRounds + 1 : idleRounds
    }
    rebase()
    return lastSeq
  }

  async function passUntil(until: Instant, limits?: AdvanceLimits): Promise<void> {
    const deadline = limits && wallNow() + limits.wallMs
    await whenIdle()
    for (let taken = 0; ; taken++) {
      const due = nextDue(agenda)
      if (due === undefined || due > until) break
      if (limits && (taken >= limits.items || (deadline ?? 0) <= wallNow())) return rebase()
      if (taken > maxItems) throw endless()
      take()
      await whenIdle()
    }
    engine.advanceTo(until)
    rebase()
  }

  async function settle(): Promise<void> {
    await untilQuiet((taken) => {
      if (taken > maxItems) throw endless()
      return false
    })
  }

  const endless = (): Error =>
    problem(
      'cannot settle',
      `after ${maxItems} items something still happens`,
      'Limit the orders that are created automatically (counterparts.ordering-application.orders.limit).',
    )

  return {
    mode: () => mode,
    speed: () => speed,
    at: () => (mode === 'real' ? exactNow() : engine.now()),
    isWallClock: () => mode === 'real' && speed === 1 && anchor.wall === anchor.instant,
    hasOverdueItem() {
      const due = mode === 'real' ? nextDue(agenda) : undefined
      return due !== undefined && due <= exactNow()
    },
    sync,
    setClock(change) {
      sync()
      rebase()
      mode = change.mode ?? mode
      speed = change.speed ?? speed
      clearTimeout(timer)
      armedFor = undefined
      automatic = mode === 'virtual'
      wake()
    },
    async step() {
      sync()
      const taken = take()
      rebase()
      await whenIdle()
      return taken
    },
    async advance(ms, limits) {
      sync()
      await passUntil(engine.now() + ms, limits)
      wake()
    },
    settle,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
