/**
 * Waiting while a scenario is played. On a stepped or virtual clock it takes one agenda item after the other until the
 * condition holds, so nothing is skipped; on the real clock, and on one that a step has paused, it listens for changes.
 * On a paused one, what is not about orders goes on while there are none. Every wait has a timeout.
 */
import type { Instant } from '../engine/instant.ts'
import type { AgendaRow } from '../session-api/session-api.ts'
import type { Session } from '../session-api/session.ts'
import { isOfOrder } from './item.ts'

export interface ScenarioClock {
  /** Lets session time pass. */
  readonly advance: (ms: number) => Promise<void>
  /** Lets time pass until a condition holds; returns false after the timeout. */
  readonly waitUntil: (
    condition: () => boolean | Promise<boolean>,
    timeoutMs: number,
  ) => Promise<boolean>
  readonly now: () => Promise<Instant>
  /** Whether time passes by steps alone: the service has no clock of its own. */
  readonly isDriven: () => Promise<boolean>
  /** Whether a step has paused it while the service goes on by a clock of its own. */
  readonly isPaused: () => Promise<boolean>
  /** Pauses the real clock, or lets it run again. A clock that the steps drive stands between them anyway. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
}

/** An action due at an instant, whatever step is waiting. */
export interface ScheduledAction {
  readonly at: Instant
  readonly run: () => Promise<void>
}

export interface ScenarioClockOptions {
  readonly session: Session
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** The next action that has not been run. */
  readonly nextScheduled: () => ScheduledAction | undefined
  readonly enough: AbortSignal
}

/** Silence on a paused clock after which what is not about orders goes on, in ms of the machine's. */
const silenceMs = 50

/** Maximum jump of the clock, in ms: some conditions become true by time alone. */
const maxJumpMs = 1000

/** Maximum sleep on the real clock, in ms: a silence that lasts long enough raises no change. */
const maxSleepMs = 250

/** Maximum wait on a paused clock for a service to do what it does by itself, in ms of the machine's. */
const maxPausedMs = 2000

/** Maximum agenda rows of one view. */
const maxRows = 1000

/** Maximum agenda items of one wait; beyond it there is an endless loop. */
const maxItems = 500_000

/** Items of orders before the first of the agenda that is meant; undefined where there is none. */
export async function itemsBefore(
  session: Session,
  isMeant: (row: AgendaRow) => boolean,
): Promise<readonly AgendaRow[] | undefined> {
  const { agenda } = await session.look({ agenda: { limit: maxRows } })
  const due = agenda.filter(({ held }) => !held)
  const next = due.findIndex(isMeant)
  return next < 0 ? undefined : due.slice(0, next).filter(isOfOrder)
}

/** Takes the first item but for these, which come after it. */
export async function stepAround(session: Session, early: readonly AgendaRow[]): Promise<void> {
  for (const { id } of early) session.editQuietly({ kind: 'agenda.hold', id })
  await session.step()
  const { agenda } = await session.look({ agenda: { limit: maxRows, held: true } })
  const edits = agenda
    .filter(({ id }) => early.some((row) => row.id === id))
    .map(({ id }) => ({ kind: 'agenda.release', id }) as const)
  // All at once, so that those that are overdue by now keep their order.
  session.editQuietly({ kind: 'agenda.batch', edits })
}

/** Whether it is neither of an order nor of a loop. */
const isOfNoOrder = (row: AgendaRow): boolean =>
  row.kind === 'pause.end' || (!row.background && !isOfOrder(row))

export function createScenarioClock({
  session,
  sleep,
  nextScheduled: appointment,
  enough: signal,
}: ScenarioClockOptions): ScenarioClock {
  const info = async () => (await session.look({})).info
  const now = async (): Promise<Instant> => (await info()).clock.now
  let isPaused = false
  /** The session is on the real clock, for a service with a clock of its own. */
  let real: Promise<boolean> | undefined
  const isReal = (): Promise<boolean> =>
    (real ??= info().then(({ clock }) => clock.mode === 'real'))

  /** The session's time, and the next item; held ones are listed among the others, and are skipped. */
  async function ahead(
    held = 0,
  ): Promise<{ readonly now: Instant; readonly item: AgendaRow | undefined }> {
    const { info: about, agenda } = await session.look({ agenda: { limit: held + 1 } })
    const item = agenda.find((row) => !row.held)
    return item || about.counts.held <= held
      ? { now: about.clock.now, item }
      : ahead(about.counts.held)
  }

  async function runDueActions(by: Instant): Promise<void> {
    for (let next = appointment(); next && next.at <= by; next = appointment()) await next.run()
  }

  /** Takes one item or one scheduled action, or advances to `end`. */
  async function advanceOnce(
    { now: at, item }: Awaited<ReturnType<typeof ahead>>,
    end: Instant,
  ): Promise<void> {
    const next = appointment()
    if (next && next.at <= end && (item === undefined || next.at <= item.due)) {
      await session.advance(Math.max(0, next.at - at))
      return runDueActions(next.at)
    }
    await (item && item.due <= end ? session.step() : session.advance(end - at))
  }

  async function waitByStepping(
    condition: () => boolean | Promise<boolean>,
    end: Instant,
  ): Promise<boolean> {
    for (let taken = 0; taken < maxItems && !signal.aborted; taken++) {
      if (await condition()) return true
      const place = await ahead()
      if (place.now >= end && (place.item?.due ?? Infinity) > end) return false
      await advanceOnce(place, Math.min(end, place.now + maxJumpMs))
    }
    return false
  }

  async function waitByListening(
    condition: () => boolean | Promise<boolean>,
    end: Instant,
  ): Promise<boolean> {
    while (!signal.aborted) {
      await runDueActions(await now())
      if (await condition()) return true
      const { clock } = await info()
      if (clock.now >= end) return false
      const wake = Math.min(end, appointment()?.at ?? end)
      await waitForChange(Math.max(1, Math.min(maxSleepMs, (wake - clock.now) / clock.speed)))
    }
    return false
  }

  /** Waits on a paused clock, for what a service with a clock of its own does: `ms` are of the machine's. */
  async function waitPaused(
    condition: () => boolean | Promise<boolean>,
    ms: number,
  ): Promise<boolean> {
    const ended = new AbortController()
    let isOver = false
    void sleep(ms, ended.signal).then(() => void (isOver = true))
    try {
      while (!signal.aborted) {
        if (await condition()) return true
        if (isOver) return false
        const early = await itemsBefore(session, isOfNoOrder)
        const isSilent = !(await waitForChange(early ? silenceMs : maxSleepMs))
        if (early && isSilent) await stepAround(session, early)
      }
      return false
    } finally {
      ended.abort()
    }
  }

  /** Waits for a change in the session, at most `ms`; returns whether there was one. */
  async function waitForChange(ms: number): Promise<boolean> {
    const changed = new AbortController()
    const stop = session.subscribe(() => changed.abort())
    const onAbort = (): void => changed.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await sleep(ms, changed.signal)
    } finally {
      stop()
      signal.removeEventListener('abort', onAbort)
    }
    return changed.signal.aborted
  }

  async function until(
    condition: () => boolean | Promise<boolean>,
    timeoutMs: number,
  ): Promise<boolean> {
    const isOfService = await isReal()
    const { clock } = await info()
    const end = clock.now + timeoutMs
    if (clock.mode === 'real') return waitByListening(condition, end)
    return isOfService ? waitPaused(condition, timeoutMs) : waitByStepping(condition, end)
  }

  /** Lets loops and the service go on until an instant, but nothing come due that is about an order. */
  async function advancePaused(end: Instant): Promise<void> {
    for (let taken = 0; taken < maxItems && !signal.aborted; taken++) {
      const { now: at, item } = await ahead()
      if (!item || item.due > end) return session.advance(Math.max(0, end - at))
      if (isOfOrder(item)) return
      await session.step()
    }
  }

  async function setMode(mode: 'real' | 'stepped'): Promise<void> {
    if ((await isReal()) && (await info()).clock.mode !== mode) await session.setClock({ mode })
  }

  return {
    now,
    waitUntil: until,
    async advance(ms) {
      if (!isPaused) await until(() => false, ms)
      else if (await isReal()) await sleep(Math.min(ms, maxPausedMs), signal)
      else await advancePaused((await now()) + ms)
    },
    isDriven: async () => !(await isReal()),
    isPaused: async () => isPaused && (await isReal()),
    async pause() {
      isPaused = true
      await setMode('stepped')
    },
    async resume() {
      isPaused = false
      await setMode('real')
    },
  }
}
