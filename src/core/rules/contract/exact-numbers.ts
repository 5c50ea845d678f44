/**
 * What the validator takes too freely: `0x10` as a number, `-0300` and a blank for `T` in a date-time, a URN as a UUID, numbers
 * beyond their format, and integers beyond int64, which a double rounds to its last value.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { parseNumbersAs } from '../../traffic/json/lossless-json.ts'

/** 2^63: the first integer beyond int64, and the double to which the last ones of int64 are rounded. */
const beyond = 2 ** 63
/** The double before it, and the one behind -2^63. */
const [largest, belowSmallest] = [beyond - 1024, -beyond - 2048]

/** The value of an integer, on the side of the bounds of int64 on which it is written. */
function int64Value(source: string, value: number): number {
  if (Math.abs(value) !== beyond || !/^-?\d{19}$/.test(source)) return value
  const exact = BigInt(source)
  if (exact < -BigInt(beyond)) return belowSmallest
  return exact < BigInt(beyond) && value > 0 ? largest : value
}

/** Reads JSON with integers that the format int64 can be judged by. */
export const readWithInt64 = (text: string): unknown =>
  /\d{19}/.test(text) ? parseNumbersAs(text, int64Value) : JSON.parse(text)

function int64Text(text: string): string {
  const rounded = Number(text)
  const exact = int64Value(text, rounded)
  return Object.is(exact, rounded) ? text : BigInt(exact).toString()
}

/** A copy of a value that was written as text, with integers that the format int64 can be judged by. */
export function withInt64Texts(value: unknown): unknown {
  if (typeof value === 'string') return int64Text(value)
  if (Array.isArray(value)) return value.map(withInt64Texts)
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withInt64Texts(each)]))
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i

/** The value as it was read, but for texts that were read as numbers and are none of JSON: `0x10`, `007`, `+5`. */
export function withoutForeignNumbers(written: unknown, read: unknown): unknown {
  if (typeof written === 'string')
    return typeof read === 'number' && !jsonNumber.test(written) ? written : read
  if (Array.isArray(written) && Array.isArray(read)) {
    const all = read.map((each: unknown, index) => withoutForeignNumbers(written[index], each))
    return all.some((each, index) => each !== read[index]) ? all : read
  }
  if (!isUnknownRecord(written) || !isUnknownRecord(read)) return read
  const members = Object.entries(read).map(
    ([key, each]) => [key, withoutForeignNumbers(written[key], each)] as const,
  )
  return members.some(([key, each]) => each !== read[key]) ? Object.fromEntries(members) : read
}

/** RFC 3339, 5.6: a `T` between date and time, and an offset with a colon. */
const timeOffset = /(?:z|[+-]\d\d:\d\d)$/i
const dateTime = /^\d{4}-\d\d-\d\dt/i

export function addExactFormats(ajv: Ajv2020): void {
  const demand = (name: string, isExact: (text: string) => boolean): void => {
    const known = ajv.formats[name]
    if (typeof known !== 'object' || known instanceof RegExp || !('validate' in known)) return
    const { validate } = known
    if (typeof validate !== 'function') return
    ajv.addFormat(name, {
      type: 'string',
      validate: (text: string) => isExact(text) && (validate as (text: string) => boolean)(text),
    })
  }
  demand('time', (text) => timeOffset.test(text))
  demand('date-time', (text) => timeOffset.test(text) && dateTime.test(text))
  ajv.addFormat('uuid', /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i)
  const demandNumber = (name: string, validate: (value: number) => boolean): void =>
    void ajv.addFormat(name, { type: 'number', validate })
  demandNumber('int64', (value) => Number.isInteger(value) && value >= -beyond && value < beyond)
  // Beyond it there are only infinities.
  demandNumber('float', (value) => Number.isFinite(Math.fround(value)))
  demandNumber('double', Number.isFinite)
}
