/**
 * Shifts times in messages as a block, without scaling: every deadline keeps its distance from its message. The
 * spelling stays (fraction digits, offset, separators), so shifting back restores the text. A shift is rounded down to
 * the last digit of its text: `12:00:00Z`, which was not after `12:00:00.010Z`, is not after it then.
 */
import { clockOf, isoOf } from '../../engine/instant.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import { normaliseKey } from '../redaction/keys.ts'
import { editJson, type JsonPathFrame } from './edit-json.ts'

const dayMs = 86_400_000
const dateTime =
  /^(\d{4}-\d{2}-\d{2})([Tt ])(\d{2}:\d{2})(?::(\d{2})(?:([.,])(\d{1,9}))?)?(Z|z|[+\- ]\d{2}:?\d{2})?$/
const dateOnly = /^\d{4}-\d{2}-\d{2}$/
const httpDate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/
const epoch = /^(\d{10}|\d{13})(?:\.(\d{1,9}))?$/

/** Dates under these keys are never shifted: birthdays and document dates. */
const fixedDateKeys = /birth|nascimento|aniversario|dob$/
/** Key endings of epoch times, as a word of its own: `seat` is not a time. */
const epochKeys = new RegExp(
  [
    String.raw`(?:^|[_\-. ])(?:at|date|time|timestamp|datetime|ts|epoch|exp|iat|nbf|expires|expires_?in|until|since|when|now)$`,
    String.raw`(?:^|[_\-. ])(?:opened|closed|created|updated|changed|modified|received|sent|issued|printed|started|ended|finished|shown|seen)$`,
    String.raw`[a-z\d](?:At|Date|Time|Timestamp|Date[Tt]ime|Ts|Epoch|Expires|ExpiresIn|Until|Since|From|To|Ms|Millis|Seen|On)$`,
  ].join('|'),
)

const isFixed = (key: string): boolean => fixedDateKeys.test(normaliseKey(key))

/** By how many milliseconds times are shifted; with `isBack` a shift by as many is undone. */
export interface TimeShift {
  readonly shiftMs: number
  readonly isBack?: true
}

/** The shift as a multiple of `unit`: rounded down, so that no time is later than the shift makes it. */
const rounded = ({ shiftMs, isBack }: TimeShift, unit: number): number =>
  Math.floor(shiftMs / unit) * unit * (isBack ? -1 : 1)

const isPlausible = (ms: number): boolean => ms >= 0 && ms < 253_402_300_800_000

function offsetMs(offset: string | undefined): number {
  if (offset === undefined || /^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

function movedDateTime(text: string, shift: TimeShift): string | undefined {
  const [, , between = 'T', clock = '', second, point = '.', fraction = '', offset = ''] =
    dateTime.exec(text) ?? []
  const at = parseDateTime(text)
  // Leap seconds and 24:00 could not be restored.
  if (at === undefined || second === '60' || clock.startsWith('24')) return undefined
  const unit = second === undefined ? 60_000 : 10 ** (3 - Math.min(3, fraction.length))
  const local = at + offsetMs(offset) + rounded(shift, unit)
  if (!isPlausible(local)) return undefined
  const iso = isoOf(Math.floor(local))
  const seconds = second === undefined ? '' : iso.slice(16, 19)
  // Digits below a millisecond stay.
  const digits = iso.slice(20, 23).slice(0, fraction.length) + fraction.slice(3)
  const part = fraction === '' ? '' : point + digits
  return iso.slice(0, 10) + between + iso.slice(11, 16) + seconds + part + offset
}

function movedDate(text: string, shift: TimeShift): string | undefined {
  const at = parseDateTime(text)
  if (at === undefined) return undefined
  const moved = at + rounded(shift, dayMs)
  return isPlausible(moved) ? isoOf(moved).slice(0, 10) : undefined
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** 1970-01-01 was a Thursday. */
const weekdays = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']

/** Cache of one entry: replies within a second have the same date. */
let lastHttpDate: {
  readonly text: string
  readonly by: number
  readonly moved: string | undefined
} = { text: '', by: 0, moved: undefined }

function movedHttpDate(text: string, shift: TimeShift): string | undefined {
  const by = rounded(shift, 1000)
  if (lastHttpDate.text !== text || lastHttpDate.by !== by)
    lastHttpDate = { text, by, moved: httpDateMoved(text, by) }
  return lastHttpDate.moved
}

/** HTTP date: `Mon, 05 Jan 2026 15:00:00 GMT`. */
function httpDateMoved(text: string, byMs: number): string | undefined {
  const [, day = '', month = '', year = '', clock = ''] = httpDate.exec(text) ?? []
  const number = String(months.indexOf(month) + 1).padStart(2, '0')
  const at = parseDateTime(`${year}-${number}-${day}T${clock}Z`)
  if (at === undefined) return undefined
  const moved = at + byMs
  if (!isPlausible(moved)) return undefined
  const [y = '', m = '', d = ''] = isoOf(moved).slice(0, 10).split('-')
  const weekday = weekdays[Math.floor(moved / dayMs) % 7] ?? ''
  return `${weekday}, ${d} ${months[Number(m) - 1] ?? ''} ${y} ${clockOf(moved).slice(0, 8)} GMT`
}

/** Epoch seconds between 2001 and 2128. */
const [firstEpoch, lastEpoch] = [1e9, 5e9]

/** Whether a field name says that its value is a time. */
export const isTimeName = (name: string): boolean => epochKeys.test(name)

/** Epoch milliseconds of a number in seconds or milliseconds, whatever its name. */
export function epochMs(text: string): number | undefined {
  const [, whole] = epoch.exec(text) ?? []
  if (whole === undefined) return undefined
  const seconds = Number(text) / (whole.length === 13 ? 1000 : 1)
  return seconds >= firstEpoch && seconds <= lastEpoch ? seconds * 1000 : undefined
}

function movedEpoch(name: string, text: string, shift: TimeShift): string | undefined {
  if (!isTimeName(name) || epochMs(text) === undefined) return undefined
  const [, whole = '', fraction = ''] = epoch.exec(text) ?? []
  const digits = Math.min(3, fraction.length)
  const rest = fraction === '' ? '' : `.${fraction}`
  if (whole.length === 13) return `${Number(whole) + rounded(shift, 1)}${rest}`
  const ms = Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  const moved = ms + rounded(shift, 10 ** (3 - digits))
  const part =
    String(moved % 1000)
      .padStart(3, '0')
      .slice(0, digits) + fraction.slice(3)
  return `${Math.floor(moved / 1000)}${fraction === '' ? '' : `.${part}`}`
}

/**
 * The text with its time shifted; undefined when it is not a time, or fixed. `key` is the field name:
 * it tells an epoch time from a number, and a birthday from a delivery date.
 */
export function shiftTimeText(key: string, text: string, shift: TimeShift): string | undefined {
  const { length } = text
  if (length < 10 || length > 40 || shift.shiftMs === 0) return undefined
  const first = text.charCodeAt(0)
  if (first < 48 || first > 57)
    return length === 29 && httpDate.test(text) ? movedHttpDate(text, shift) : undefined
  if (dateTime.test(text)) return isFixed(key) ? undefined : movedDateTime(text, shift)
  if (length === 10 && dateOnly.test(text)) return isFixed(key) ? undefined : movedDate(text, shift)
  return movedEpoch(key, text, shift)
}

/** The innermost object key of a value, also for members of a list. */
export function innermostKey(frames: readonly JsonPathFrame[]): string {
  for (let place = frames.length - 1; place >= 0; place--) {
    const frame = frames[place]
    if (frame && !frame.list) return frame.key
  }
  return ''
}

/** A JSON text with its times shifted by milliseconds; a text that is not JSON stays. */
export const shiftTimes = (text: string, shift: TimeShift): string =>
  shift.shiftMs === 0
    ? text
    : (editJson(text, (frames, value) => shiftTimeText(innermostKey(frames), value, shift)) ?? text)
