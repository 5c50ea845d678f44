/** The clock of a session: where it begins, and the traffic log and recordings that are on it. */
import type { Configuration } from '../session-api/configuration/schema.ts'
import { wallNow } from '../runtime/clock/clock.ts'
import type { ClockDriver, ClockDriverOptions } from '../runtime/clock/clock-driver.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import type { Instant } from '../engine/instant.ts'
import { type ExchangeSpan, TrafficLog } from '../traffic/log.ts'
import type { SubjectClock } from '../session-api/session.ts'
import type { RecordedClock } from '../traffic/recording/format.ts'
import type { Exchange } from '../traffic/exchange.ts'

/**
 * The times of an exchange on the session's clock, which events and deadlines are on. An exchange
 * with times of the wall clock gets those of the session's clock; the measured ones stay as `wall`.
 */
function toSessionTime(
  exchange: Exchange,
  { began, ended }: ExchangeSpan,
  clock: Pick<ClockDriver, 'isWallClock' | 'mode' | 'speed'>,
): Exchange {
  if (clock.isWallClock()) return exchange
  const { startedAt, tookMs } = exchange
  const wall = { startedAt, tookMs, ...(clock.mode() === 'real' ? { speed: clock.speed() } : {}) }
  return { ...exchange, startedAt: began, tookMs: ended - began, wall }
}

/** Default origin of the virtual clock: a Monday noon in São Paulo, the same in every run. */
const virtualOrigin: Instant = 1_767_625_200_000

/** The first instant of a session; `since` is the wall clock's then, where they are the same. */
export function clockOrigin({ origin, clock }: Pick<Configuration, 'origin' | 'clock'>): Pick<
  ClockDriverOptions,
  'since'
> & {
  readonly origin: Instant
} {
  if (origin !== undefined) return { origin }
  if (clock === 'virtual') return { origin: virtualOrigin }
  const now = Math.floor(wallNow())
  return { origin: now, since: now }
}

/**
 * A traffic log with session times. Syncs the clock first: an exchange starts when it comes in, not at the last fact.
 */
export const createSessionTrafficLog = (runtime: () => WorldRuntime): TrafficLog =>
  new TrafficLog({
    now() {
      const { driver, engine } = runtime()
      driver.sync()
      return engine.now()
    },
    toSessionTime: (exchange, span) => toSessionTime(exchange, span, runtime().driver),
  })

/** The clock that a service in this process shares with the world that there is at the moment. */
export const subjectClockOf = (clock: () => SubjectClock): SubjectClock => ({
  now: () => clock().now(),
  sleep: (ms, enough) => clock().sleep(ms, enough),
  random: () => clock().random(),
})

/** The clock as a recording states it; only a real one has a speed. */
export const recordedClock = ({ mode, speed }: ClockDriver): RecordedClock => ({
  mode: mode(),
  speed: mode() === 'real' ? speed() : 1,
})
