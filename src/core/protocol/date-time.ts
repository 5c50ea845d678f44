/**
 * Parser of ISO 8601 date-times as partners write them: date, time of day and offset. Pure code must not read the
 * machine's clock and therefore has no `Date`, so the calendar arithmetic is done here.
 */
import { z } from 'zod'

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+\- ]\d{2}:?\d{2})?)?$/

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Days since 1970-01-01, by Gregorian era arithmetic (400 years): years begin in March, so the leap day comes last. */
function dayNumber(year: number, month: number, date: number): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/**
 * UTC offset in minutes, positive to the east. A plus sign in a query string is decoded to a blank, so a blank counts
 * as plus.
 */
function offsetMinutes(offset: string | undefined): number {
  if (offset === undefined || offset.toUpperCase() === 'Z') return 0
  const digits = offset.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offset.startsWith('-') ? -minutes : minutes
}

/** Epoch milliseconds of a date-time; undefined when it is invalid. A date without a time is its midnight in UTC. */
export function parseDateTime(text: string): number | undefined {
  const match = pattern.exec(text.trim())
  if (!match) return undefined
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const lastDay = month === 2 && isLeap(year) ? 29 : (daysOfMonth[month - 1] ?? 0)
  // A leap second is written as 60 and counts as the start of the next second.
  if (date < 1 || date > lastDay || hour > 24 || minute > 59 || second > 60) return undefined
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
  const seconds = (hour * 60 + minute - offsetMinutes(match[8])) * 60 + second
  return dayNumber(year, month, date) * 86_400_000 + seconds * 1000 + fraction
}

/** A date-time in a document; validated, but kept as the original text. */
export const DateTime = z
  .string()
  .refine((text) => parseDateTime(text) !== undefined, 'is no ISO 8601 date-time')
