/** The times of an exchange on the session's clock, which events and deadlines are on. */
import type { Exchange } from '../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../traffic/log.ts'
import type { ClockDriver } from './clock-driver.ts'

/** An exchange with times of the wall clock gets those of the session's clock; the measured ones stay as `wall`. */
export function toSessionTime(
  exchange: Exchange,
  { began, ended }: ExchangeSpan,
  clock: Pick<ClockDriver, 'isWallClock' | 'mode' | 'speed'>,
): Exchange {
  if (clock.isWallClock()) return exchange
  const { startedAt, tookMs } = exchange
  const wall = { startedAt, tookMs, ...(clock.mode() === 'real' ? { speed: clock.speed() } : {}) }
  return { ...exchange, startedAt: began, tookMs: ended - began, wall }
}
