/**
 * A point in the session's time, in milliseconds since 1970 (UTC). Pure code gets it as a parameter and never reads the
 * machine's clock, or a replay would differ.
 */
export type Instant = number

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')
const dayMs = 86_400_000

/**
 * Year, month and day of a day counted from 1970, by the era arithmetic of the Gregorian calendar (an era is 400 years,
 * 146,097 days; years begin in March so that the leap day comes last).
 */
function civil(day: number): { year: number; month: number; date: number } {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** Cache of the last second and the last instant formatted: a busy session formats the same ones repeatedly. */
let lastFormattedSecond = { second: Number.NaN, text: '' }
let lastFormatted = { instant: Number.NaN, text: '' }

/** RFC 3339 in UTC with milliseconds, as written into payloads. */
export function isoOf(instant: Instant): string {
  if (lastFormatted.instant === instant) return lastFormatted.text
  const second = Math.floor(instant / 1000)
  if (lastFormattedSecond.second !== second)
    lastFormattedSecond = { second, text: secondOf(second) }
  lastFormatted = {
    instant,
    text: `${lastFormattedSecond.text}${pad(instant - second * 1000, 3)}Z`,
  }
  return lastFormatted.text
}

/** `2026-01-05T15:00:00.` */
function secondOf(second: number): string {
  const day = Math.floor((second * 1000) / dayMs)
  const { year, month, date } = civil(day)
  const time = clockOf(second * 1000).slice(0, -3)
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}T${time}`
}

/** The time of day with milliseconds: `12:00:01.104`. Instants of the real clock have fractions of a ms, which are cut off. */
export function clockOf(instant: Instant): string {
  const ms = ((Math.floor(instant) % dayMs) + dayMs) % dayMs
  const seconds = Math.floor(ms / 1000)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${pad(ms % 1000, 3)}`
}
