/** Converts logged values: times and durations in any unit, headers as objects or lists, bodies as text or JSON. */
import {
  isSpelledNumber,
  parseLosslessJson,
  scalarTextOf,
} from '../../core/traffic/json/lossless-json.ts'
import { isRecordableInstant, monthNumber, parseIsoInstant } from '../../core/traffic/date-time.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { parseJson } from '../../core/traffic/json/try-parse-json.ts'

export type TimeUnit = 's' | 'ms' | 'us' | 'ns'
const perMs: Readonly<Record<TimeUnit, number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 }

export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? String(value) : scalarTextOf(value)

/** A number, or the first number of a string: nginx logs `0.012, 0.034` for several upstreams. */
export function parseLoggedNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const number = isSpelledNumber(value) ? Number(value.rawJSON) : undefined
  if (number !== undefined) return Number.isFinite(number) ? number : undefined
  const found = typeof value === 'string' ? /^\s*-?\d+(?:\.\d+)?/.exec(value)?.[0] : undefined
  return found === undefined ? undefined : Number(found)
}

/** Guesses the unit of an epoch time by its magnitude. */
const unitBySize = (value: number): TimeUnit =>
  value < 1e11 ? 's' : value < 1e14 ? 'ms' : value < 1e17 ? 'us' : 'ns'

const commonLogTime =
  /^\[?(\d{2})\/([a-z]{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2}):?(\d{2})\]?$/i

/** Common Log Format time: `20/Nov/2026:12:00:00 +0000`. */
function parseCommonLogTime(text: string): number | undefined {
  const found = commonLogTime.exec(text)
  if (!found) return undefined
  const [, day, name = '', year, time, hours, minutes] = found
  return parseIsoInstant(`${year}-${monthNumber(name)}-${day}T${time}${hours}:${minutes}`)
}

/** In ms since 1970; undefined when the value is no time, or out of the range of a recording. */
export function parseLoggedTime(value: unknown, unit?: TimeUnit): number | undefined {
  const moment = parseTime(value, unit)
  return moment !== undefined && isRecordableInstant(moment) ? moment : undefined
}

function parseTime(value: unknown, unit: TimeUnit | undefined): number | undefined {
  const text = scalarTextOf(value)?.trim() ?? ''
  // Nanoseconds since 1970 exceed the safe integers.
  if (/^\d{17,20}$/.test(text)) return Number(text.slice(0, -6)) + Number(text.slice(-6)) / 1e6
  const isNumber = typeof value !== 'string' || /^\d+(?:\.\d+)?$/.test(text)
  const number = isNumber ? parseLoggedNumber(value) : undefined
  if (number === undefined) return parseCommonLogTime(text) ?? parseIsoInstant(text)
  // A configured unit that contradicts the magnitude is ignored.
  const effectiveUnit = unit && number < 1e11 === (unit === 's') ? unit : unitBySize(number)
  return number / perMs[effectiveUnit]
}

/** A duration in ms. */
export function parseLoggedDuration(value: unknown, unit: TimeUnit = 'ms'): number | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  const [, amount, writtenUnit] = /^(\d+(?:\.\d+)?)\s*(s|ms|us|µs|ns)$/.exec(text) ?? []
  if (amount !== undefined)
    return Number(amount) / perMs[writtenUnit === 'µs' ? 'us' : (writtenUnit as TimeUnit)]
  const number = parseLoggedNumber(value)
  return number === undefined || number < 0 ? undefined : number / perMs[unit]
}

const maxHeaders = 500

/** Header pairs of one name with one or several values. */
const pairsOf = (name: unknown, value: unknown): HeaderPairs =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).flatMap((each) => {
    const text = scalarText(each)
    return text === undefined || typeof name !== 'string' ? [] : [[name, text] as const]
  })

function fromList(list: readonly unknown[]): HeaderPairs {
  // Node's rawHeaders: name, value, name, value.
  if (list.every((each) => typeof each === 'string'))
    return list.flatMap((name, index) => (index % 2 === 0 ? pairsOf(name, list[index + 1]) : []))
  return list.flatMap((each) => {
    if (Array.isArray(each)) return pairsOf(each[0], each[1])
    return isUnknownRecord(each) ? pairsOf(each['name'] ?? each['key'], each['value']) : []
  })
}

/** Headers as they stood on the wire, a line each. */
const fromLines = (text: string): HeaderPairs =>
  text.split(/\r?\n(?![ \t])/).flatMap((line) => {
    const cut = line.indexOf(':')
    return cut > 0 ? [[line.slice(0, cut).trim(), line.slice(cut + 1).trim()] as const] : []
  })

/** Headers as an object, as a list, as JSON in a text, or as the lines of the message. */
export function parseLoggedHeaders(value: unknown): HeaderPairs {
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value, parseLosslessJson)?.value : undefined
    return parsed === undefined ? fromLines(value).slice(0, maxHeaders) : parseLoggedHeaders(parsed)
  }
  const pairs = Array.isArray(value)
    ? fromList(value)
    : isUnknownRecord(value)
      ? Object.entries(value).flatMap(([name, each]) => pairsOf(name, each))
      : []
  return pairs.slice(0, maxHeaders)
}

/** Body text; a parsed body is written again, with its numbers as they are spelled. */
export const loggedBodyText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' || value === '-'
    ? undefined
    : (scalarText(value) ?? JSON.stringify(value))
