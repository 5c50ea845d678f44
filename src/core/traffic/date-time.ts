/**
 * Parses RFC 3339 times as HTTP archives and logs write them: any number of fraction digits, with or without an offset.
 * Does not read the machine's clock or time zone.
 */
import { parseDateTime } from '../protocol/date-time.ts'

const dateTimePattern =
  /^\s*(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}\.\d+|\d+))?)?)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?\s*$/

const dayMs = 86_400_000

function offsetMs(zone: string | undefined): number {
  if (zone === undefined || /^z$/i.test(zone)) return 0
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -ms : ms
}

/**
 * Milliseconds since 1970, with fractions; a text without an offset is read as UTC. Undefined for a text that is not a
 * time.
 */
export function parseIsoInstant(text: string): number | undefined {
  const match = dateTimePattern.exec(text)
  if (!match) return undefined
  const [, year, month, date, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const monthStart = parseDateTime(`${year}-${month}-01`)
  if (monthStart === undefined || Number(date) < 1 || Number(date) > 31) return undefined
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  // Whole microseconds, so that adding the days loses no precision. `15.36.77`: some programs write 36.77 ms like that.
  const micros = fraction.includes('.')
    ? Math.floor(Number(fraction) * 1000)
    : Number(fraction.slice(0, 6).padEnd(6, '0'))
  return monthStart + (Number(date) - 1) * dayMs + seconds * 1000 + micros / 1000 - offsetMs(zone)
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Two digits; 00 for no name of a month. */
export const monthNumber = (name: string): string =>
  String(months.indexOf(name.toLowerCase()) + 1).padStart(2, '0')

const httpDate = /^\s*[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d:\d\d:\d\d) GMT\s*$/i

/** The date of an HTTP header, `Sun, 22 Nov 2026 04:58:44 GMT`, in ms since 1970. */
export function parseHttpDate(text: string): number | undefined {
  const [, date, name = '', year, time] = httpDate.exec(text) ?? []
  return time === undefined
    ? undefined
    : parseIsoInstant(`${year}-${monthNumber(name)}-${date}T${time}Z`)
}

/** As `parseIsoInstant`; undefined for a value that is not a string. */
export const instantFromValue = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseIsoInstant(value) : undefined

/**
 * Whether a recording can hold this instant together with any other: it counts whole microseconds from its first
 * exchange, and a number holds no more than 285 years of those. Values before 1970 are the zero of some clock, not a
 * time.
 */
export const isRecordableInstant = (ms: number): boolean => ms >= 0 && ms < 8.9e12

/** One year in ms: longer durations are errors of the source. */
const maxDurationMs = 31_536_000_000

/** A duration in ms, clamped to what a recording can hold. */
export const recordableDurationMs = (ms: number): number =>
  ms > 0 ? Math.min(ms, maxDurationMs) : 0
