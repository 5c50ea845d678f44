/**
 * How time passes while a scenario is played. On a clock that somebody drives, waiting is taking one item of the agenda
 * after the other until what is waited for has come, so nothing is passed over; on the real clock it is listening.
 * Every wait has an end.
 */
import type { Instant } from '../engine/instant.ts'
import type { Session } from '../session-api/session.ts'

export interface Time {
  /** Lets so much of the session's time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** Lets time pass until something holds, at most so long; answers whether it does. */
  readonly until: (holds: () => boolean | Promise<boolean>, atMostMs: number) => Promise<boolean>
  readonly now: () => Promise<Instant>
}

/** Something that is to be done at an instant, whoever waits for what. */
export interface Appointment {
  readonly at: Instant
  readonly keep: () => Promise<void>
}

export interface TimeOptions {
  readonly session: Session
  /** Waits so long on the machine's clock, or until somebody calls it off. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  /** The next that has not been kept. */
  readonly appointment: () => Appointment | undefined
  readonly enough: AbortSignal
}

/** Some of what is waited for comes with time alone, so nobody jumps further than this at once. */
const longestJumpMs = 1000

/** The same on the machine's clock: silence tells nobody that it has lasted long enough. */
const longestNapMs = 250

/** Items that one wait may take: beyond it something feeds itself. */
const mostItems = 500_000

export function createTime({ session, sleep, appointment, enough }: TimeOptions): Time {
  const info = async () => (await session.look({})).info
  const now = async (): Promise<Instant> => (await info()).clock.now

  /** The next item that comes due; held ones stand among the others, and never do. */
  async function nextDue(): Promise<Instant | undefined> {
    const { counts } = await info()
    const { agenda } = await session.look({ agenda: { limit: counts.held + 1 } })
    return agenda.find(({ held }) => !held)?.due
  }

  async function keepAppointments(by: Instant): Promise<void> {
    for (let next = appointment(); next && next.at <= by; next = appointment()) await next.keep()
  }

  /** One item, or one appointment, or all that is left of the time. */
  async function moveOn(end: Instant): Promise<void> {
    const due = await nextDue()
    const next = appointment()
    if (next && next.at <= end && (due === undefined || next.at <= due)) {
      await session.advance(Math.max(0, next.at - (await now())))
      return keepAppointments(next.at)
    }
    if (due !== undefined && due <= end) await session.step()
    else await session.advance(end - (await now()))
  }

  async function driven(holds: () => boolean | Promise<boolean>, end: Instant): Promise<boolean> {
    for (let taken = 0; taken < mostItems && !enough.aborted; taken++) {
      if (await holds()) return true
      if ((await now()) >= end && ((await nextDue()) ?? Infinity) > end) return false
      await moveOn(Math.min(end, (await now()) + longestJumpMs))
    }
    return false
  }

  async function listening(
    holds: () => boolean | Promise<boolean>,
    end: Instant,
  ): Promise<boolean> {
    while (!enough.aborted) {
      await keepAppointments(await now())
      if (await holds()) return true
      const { clock } = await info()
      if (clock.now >= end) return false
      const wake = Math.min(end, appointment()?.at ?? end)
      await news(Math.max(1, Math.min(longestNapMs, (wake - clock.now) / clock.speed)))
    }
    return false
  }

  /** Until something happens in the session, at most so long. */
  async function news(ms: number): Promise<void> {
    const heard = new AbortController()
    const stop = session.subscribe(() => heard.abort())
    const called = (): void => heard.abort()
    enough.addEventListener('abort', called, { once: true })
    try {
      await sleep(ms, heard.signal)
    } finally {
      stop()
      enough.removeEventListener('abort', called)
    }
  }

  async function until(
    holds: () => boolean | Promise<boolean>,
    atMostMs: number,
  ): Promise<boolean> {
    const { clock } = await info()
    const end = clock.now + atMostMs
    return clock.mode === 'real' ? listening(holds, end) : driven(holds, end)
  }

  return { now, until, pass: async (ms) => void (await until(() => false, ms)) }
}
