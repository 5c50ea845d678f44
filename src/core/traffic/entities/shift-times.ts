/**
 * Shifts times in messages as a block, without scaling: every deadline keeps its distance from its message. The
 * spelling stays (fraction digits, offset, separators), so shifting back restores the text. A shift is rounded down to
 * the last digit of its text: `12:00:00Z`, which was not after `12:00:00.010Z`, is not after it then. A date without a
 * time keeps its distance in days from the day of its message.
 */
import { isoOf } from '../../engine/instant.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import { normaliseKey } from '../redaction/keys.ts'
import { editJson, type JsonPathFrame } from './edit-json.ts'

const dayMs = 86_400_000
const year = String.raw`(?<Y>\d{4})`
const [month, day, hour, minute, second] = ['M', 'D', 'h', 'm', 's'].map(
  (name) => String.raw`(?<${name}>\d\d)`,
) as [string, string, string, string, string]
const secondFraction = String.raw`(?:[.,](?<f>\d{1,9}))?`
const clock = `${hour}:${minute}(?::${second}${secondFraction})?`
const zone = String.raw`(?: ?(?:Z|z|GMT|UTC|[+\- ]\d\d(?::?\d\d)?))?`

/** Spellings of a date, with or without a time of day: each part is a group of its name. Day before month, as in Brazil. */
const spellings = [
  String.raw`${year}(?<sep>[/-])${month}\k<sep>${day}(?:[Tt ]${clock}${zone})?`,
  String.raw`${day}(?<sep>[/.-])${month}\k<sep>${year}(?:(?:,? |T)${clock}${zone})?`,
  `${year}${month}${day}[Tt]${hour}${minute}(?:${second}${secondFraction})?${zone}`,
  `(?:(?<W>[A-Z][a-z]{2}), )?${day} (?<N>[A-Z][a-z]{2}) ${year} ${clock}${zone}`,
].map((source) => new RegExp(`^${source}$`, 'd'))
/** Digits alone, which are a time under the name of one. */
const digitSpelling = new RegExp(`^${year}${month}${day}(?:${hour}${minute}${second})?$`, 'd')
/** In seconds, milliseconds, microseconds or nanoseconds. */
const epoch = /^(?:(\d{10})|(\d{13})(?:\d{3}|\d{6})?)(?:\.(\d{1,9}))?$/
const dotNetDate = /^(\/Date\()(\d{13})((?:[+-]\d{4})?\)\/)$/

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
  /** The instant of the recorded message, before the shift: dates are shifted by the days from its day. */
  readonly from?: number
  readonly isBack?: true
}

/** The shift as a multiple of `unit`: rounded down, so that no time is later than the shift makes it. */
const rounded = ({ shiftMs, isBack }: TimeShift, unit: number, from = 0): number =>
  (Math.floor((from + shiftMs) / unit) - Math.floor(from / unit)) * unit * (isBack ? -1 : 1)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** 1970-01-01 was a Thursday. */
const weekdays = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']

/** A match of a spelling with its parts replaced by those of the shifted time, in place. */
function movedParts(match: RegExpExecArray, shift: TimeShift): string | undefined {
  const parts = match.groups ?? {}
  const { Y, N, D, h, m = '00', s, f = '' } = parts
  const monthNumber = N === undefined ? parts['M'] : String(months.indexOf(N) + 1).padStart(2, '0')
  const was = parseDateTime(`${Y}-${monthNumber}-${D}T${h ?? '00'}:${m}:${s ?? '00'}.${f || '0'}Z`)
  // Leap seconds and 24:00 could not be restored.
  if (was === undefined || s === '60' || h === '24') return undefined
  const clockUnit = s === undefined ? 60_000 : 10 ** (3 - Math.min(3, f.length))
  const moved =
    was + (h === undefined ? rounded(shift, dayMs, shift.from) : rounded(shift, clockUnit))
  if (moved < 0 || moved >= 253_402_300_800_000) return undefined
  const iso = isoOf(moved)
  const now: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    M: iso.slice(5, 7),
    N: months[Number(iso.slice(5, 7)) - 1] ?? '',
    W: weekdays[Math.floor(moved / dayMs) % 7] ?? '',
    D: iso.slice(8, 10),
    h: iso.slice(11, 13),
    m: iso.slice(14, 16),
    s: iso.slice(17, 19),
    // Digits below a millisecond stay.
    f: iso.slice(20, 23).slice(0, f.length) + f.slice(3),
  }
  let text = match[0]
  for (const [name, span] of Object.entries(match.indices?.groups ?? {}))
    if (span) text = text.slice(0, span[0]) + (now[name] ?? parts[name]) + text.slice(span[1])
  return text
}

/** Epoch seconds between 2001 and 2128. */
const [firstEpoch, lastEpoch] = [1e9, 5e9]

/** Whether a field name says that its value is a time. */
export const isTimeName = (name: string): boolean => epochKeys.test(name)

/** Epoch milliseconds of a number in seconds or milliseconds, whatever its name. */
export function epochMs(text: string): number | undefined {
  const [whole = ''] = /^(?:\d{10}|\d{13})(?=$|\.\d{1,9}$)/.exec(text) ?? []
  const seconds = Number(text) / (whole.length === 13 ? 1000 : 1)
  return whole !== '' && seconds >= firstEpoch && seconds <= lastEpoch ? seconds * 1000 : undefined
}

function movedEpoch(text: string, shift: TimeShift): string | undefined {
  const [, seconds, millis, fraction = ''] = epoch.exec(text) ?? []
  if (epochMs(seconds ?? millis ?? '') === undefined) return undefined
  // Digits below a millisecond stay.
  if (millis !== undefined) return `${Number(millis) + rounded(shift, 1)}${text.slice(13)}`
  const digits = Math.min(3, fraction.length)
  const ms = Number(seconds) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
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
  if (length < 8 || length > 40 || shift.shiftMs === 0) return undefined
  const [, before, dotNet = '', after] = dotNetDate.exec(text) ?? []
  if (before !== undefined) return `${before}${movedEpoch(dotNet, shift) ?? dotNet}${after}`
  const isNamed = isTimeName(key)
  if (isNamed && epoch.test(text)) return movedEpoch(text, shift)
  for (const spelling of isNamed ? [...spellings, digitSpelling] : spellings) {
    const match = spelling.exec(text)
    if (match) return isFixed(key) ? undefined : movedParts(match, shift)
  }
  return undefined
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
