/**
 * Who takes the first item of the agenda: the wall clock, a person, or nobody but the session itself, jumping to the
 * next due instant when nothing is under way. One chained timer, and no other.
 */
import { type Agenda, nextDue, scheduledItems } from '../../engine/agenda/agenda.ts'
import type { Engine, TakenItem } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { ClockMode } from '../../session-api/session-api.ts'
import { problem } from '../../problem.ts'
import { wallNow } from './clock.ts'

export interface DriverOptions {
  readonly engine: Engine
  readonly mode: ClockMode
  readonly speed: number
  /** The virtual clock jumps of its own accord; otherwise only when it is told to settle or to advance. */
  readonly automatic: boolean
  /** Resolves when no exchange is under way. */
  readonly quiet: () => Promise<void>
  /** An item brought down the engine: a bug. */
  readonly onBug: (error: unknown) => void
}

export interface Driver {
  readonly mode: () => ClockMode
  readonly speed: () => number
  /** The session's instant with fractions, which the engine does not have: for measuring. */
  readonly at: () => number
  /** On the wall's clock, an item is due by now and nobody has taken it yet. */
  readonly isPressed: () => boolean
  /** Lets the session's instant catch up with the wall. */
  readonly sync: () => void
  readonly setClock: (change: { readonly mode?: ClockMode; readonly speed?: number }) => void
  readonly step: () => Promise<TakenItem | undefined>
  /** Passes so much time, with everything that comes due in it. */
  readonly advance: (ms: number) => Promise<void>
  /** Passes time until nothing but endless loops is left, and those bring no more news. */
  readonly settle: () => Promise<void>
  readonly stop: () => void
}

/** A timer cannot wait longer than this; it is set again when it fires. */
const longestTimerMs = 3_600_000

/** Items that one settling may take: beyond it something feeds itself. */
const mostTaken = 500_000

/** Items that one tick of the real clock may take before the sockets get a turn. */
const mostPerTick = 200

/** Facts that bring no news: bookkeeping of the agenda, and loops that find what they found before. */
const noNews: ReadonlySet<string> = new Set([
  'events.polled',
  'ticket.polled',
  'customer.pulled',
  'ticket.event-repeated',
  'partner.rejected',
  'partner.unchanged',
])

const silent = ['agenda.', 'call.', 'pause.', 'fault.']

const isNews = ({ kind }: Fact): boolean =>
  !noNews.has(kind) && !silent.some((word) => kind.startsWith(word))

/** The loops that may bring news when they come round. */
function loopsIn(agenda: Agenda): number {
  let loops = 0
  for (const { background } of scheduledItems(agenda)) if (background === true) loops++
  return loops
}

export function createDriver(options: DriverOptions): Driver {
  const { engine, quiet, onBug } = options
  const { agenda } = engine.world
  let { mode, speed } = options
  /** The instant that belongs to a moment of the wall: real time is counted from here. */
  let anchor = { wall: wallNow(), instant: engine.now() }
  let timer: NodeJS.Timeout | undefined
  let armedFor: Instant | undefined
  let pumping: Promise<void> | undefined
  let stopped = false
  /** Items are being taken: whatever is due next is looked for when that is done, not at each fact. */
  let draining = false
  let { automatic } = options

  engine.onFact(wake)

  const exactNow = (): number => anchor.instant + (wallNow() - anchor.wall) * speed

  const instantNow = (): Instant => Math.floor(exactNow())

  function rebase(): void {
    anchor = { wall: wallNow(), instant: engine.now() }
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

  /** Everything that is due by now, a bounded number at a time so that requests are not starved. */
  function drain(): void {
    armedFor = undefined
    sync()
    draining = true
    try {
      for (let taken = 0; taken < mostPerTick; taken++) {
        const due = nextDue(agenda)
        if (due === undefined || due > engine.now()) break
        take()
      }
    } finally {
      draining = false
    }
    wake()
  }

  /** Sees to it that somebody takes the head of the agenda when it is due. */
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
    // By the exact time: a whole millisecond of rounding would be a whole millisecond of lateness.
    const wait = Math.max(0, (due - exactNow()) / speed)
    timer = setTimeout(drain, Math.min(wait, longestTimerMs))
  }

  /**
   * The virtual clock of its own accord: one item, then whatever it set off, then the next, until only loops are left
   * that bring no news. It goes on with the next fact, so it never turns an idle session into a busy machine.
   */
  function pump(): void {
    if (pumping || !automatic || nextDue(agenda) === undefined) return
    let seen = Infinity
    pumping = untilQuiet(() => stopped || mode !== 'virtual')
      .then((last) => void (seen = last))
      .finally(() => {
        pumping = undefined
        // A fact that came behind the last look woke nobody: we were still on our way out.
        if (engine.journal.last() > seen) wake()
      })
    pumping.catch(onBug)
  }

  /** Takes items until nothing but loops is left, and each of those has come round without news; the last fact then. */
  async function untilQuiet(enough: (taken: number) => boolean): Promise<number> {
    await quiet()
    let seen = engine.journal.last()
    let idleRounds = 0
    for (let taken = 0; !enough(taken) && nextDue(agenda) !== undefined; taken++) {
      if (agenda.foreground === 0 && idleRounds >= loopsIn(agenda)) break
      const background = take()?.item.background ?? false
      await quiet()
      const news = engine.journal.after(seen, mostTaken).some(({ fact }) => isNews(fact))
      seen = engine.journal.last()
      idleRounds = !background || news ? 0 : background === true ? idleRounds + 1 : idleRounds
    }
    rebase()
    return seen
  }

  async function passUntil(until: Instant): Promise<void> {
    await quiet()
    for (let taken = 0; ; taken++) {
      const due = nextDue(agenda)
      if (due === undefined || due > until) break
      if (taken > mostTaken) throw endless()
      take()
      await quiet()
    }
    engine.advanceTo(until)
    rebase()
  }

  async function settle(): Promise<void> {
    await untilQuiet((taken) => {
      if (taken > mostTaken) throw endless()
      return false
    })
  }

  const endless = (): Error =>
    problem(
      'cannot settle',
      `after ${mostTaken} items something still happens`,
      'Limit the orders that arrive of their own accord (counterparts.ordering-application.orders.limit).',
    )

  return {
    mode: () => mode,
    speed: () => speed,
    at: () => (mode === 'real' ? exactNow() : engine.now()),
    isPressed() {
      const due = mode === 'real' ? nextDue(agenda) : undefined
      return due !== undefined && due <= exactNow()
    },
    sync,
    setClock(change) {
      sync()
      mode = change.mode ?? mode
      speed = change.speed ?? speed
      rebase()
      clearTimeout(timer)
      armedFor = undefined
      automatic = mode === 'virtual'
      wake()
    },
    async step() {
      sync()
      const taken = take()
      rebase()
      await quiet()
      return taken
    },
    async advance(ms) {
      sync()
      await passUntil(engine.now() + ms)
      wake()
    },
    settle,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
