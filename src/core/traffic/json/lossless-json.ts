/** JSON as a value and back with every number as it is spelled: `12.50` stays, and a long integer loses no digit. */
import { maxReadLevels } from './json-depth.ts'
import { parseJson } from './try-parse-json.ts'

/** A number as it is spelled in its text, which `JSON.stringify` writes like that. */
export interface SpelledNumber {
  readonly rawJSON: string
}

interface LosslessJson {
  readonly rawJSON: (text: string) => unknown
  readonly isRawJSON: (value: unknown) => boolean
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown
}

// The type library of this target does not have these members yet.
const json = JSON as unknown as LosslessJson

/** Parses a text, with another value for each number by its spelling. Throws a `SyntaxError`. */
export const parseNumbersAs = (
  text: string,
  numberOf: (source: string, value: number) => unknown,
): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? numberOf(source, value) : value,
  )

const withSpelledNumbers = (
  text: string,
  isSpelled: (source: string, value: number) => boolean,
): unknown =>
  parseNumbersAs(text, (source, value) => (isSpelled(source, value) ? json.rawJSON(source) : value))

/**
 * Parses a text for `JSON.stringify`: numbers that would be spelled otherwise are opaque values. Throws a `SyntaxError`.
 */
export const parseLosslessJson = (text: string): unknown =>
  withSpelledNumbers(text, (source, value) => String(value) !== source)

/** Digits and exponent of a decimal number, equal for equal numbers: `1.50` and `15e-1`. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  const power = BigInt(exponent) - BigInt(fraction.length - (digits.length - short.length))
  return short === '' ? '0' : `${sign === '-' ? '-' : ''}${short}e${power}`
}

/** The most significant digits that a double writes of itself. */
const maxDigits = 100

/**
 * Whether a double holds the number that is written: an integer to its last digit, a fraction also as the longer expansion of
 * the same double, which some programs write: `29.899999999999998579` for 29.9.
 */
export function isHeldByDouble(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  const written = canonicalNumber(source)
  if (written === canonicalNumber(String(value))) return true
  const digits = source.replace(/e.*$/i, '').replaceAll(/\D/g, '').replace(/^0+/, '').length
  return (
    source.includes('.') &&
    digits >= 1 &&
    digits <= maxDigits &&
    written === canonicalNumber(value.toPrecision(digits))
  )
}

/**
 * What no number has that a double holds: fewer digits, or an exponent of fewer places. A number begins the text, or comes after one
 * of these characters, as the digits of an id, `4e567`, do not.
 */
const longNumber = /(?:^|[[:,\s])[-+]?(?:[\d.]{16,}|[\d.]+e[-+]?\d{3})/i

/** Whether a text may have a number that no double holds: a quick look, without parsing it. */
export const mayLoseDigits = (text: string): boolean => longNumber.test(text)

/** The value of a text, with numbers that no double holds as they are spelled; undefined as of `parseJson`. */
export const parseExactJson = (
  text: string,
  levels = maxReadLevels,
): { readonly value: unknown } | undefined =>
  parseJson(
    text,
    mayLoseDigits(text)
      ? (each) => withSpelledNumbers(each, (source) => !isHeldByDouble(source))
      : undefined,
    levels,
  )

/** What becomes of a number that no double holds, and what to do. */
export const roundedNumberText = (source: string): string =>
  `the number ${source} has more digits than a program keeps of a number (it would become ${Number(source)}): write it as a text, in quotes`

/** The first number of a valid JSON text that no double holds, as it is spelled. */
export function roundedNumberIn(text: string): string | undefined {
  if (!mayLoseDigits(text)) return undefined
  let found: string | undefined
  parseNumbersAs(text, (source) => {
    if (!isHeldByDouble(source)) found ??= source
  })
  return found
}

export const isSpelledNumber = (value: unknown): value is SpelledNumber => json.isRawJSON(value)

/** Whether two numbers are the same decimal number. */
export const isSameNumber = (left: SpelledNumber, right: SpelledNumber): boolean =>
  canonicalNumber(left.rawJSON) === canonicalNumber(right.rawJSON)

/** Whether two values are other numbers that one double stands for: the one is the other, rounded, and no other thing. */
export function isRoundedPair(left: unknown, right: unknown): boolean {
  const [one, other] = [left, right].map((each) =>
    typeof each === 'string' ? undefined : scalarTextOf(each),
  )
  return one !== undefined && one !== other && Number(one) === Number(other)
}

/** A text, or a number as text, as it is spelled; undefined for anything else. */
export function scalarTextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isSpelledNumber(value) ? value.rawJSON : undefined
}

/** Whether it is a list or an object, and no opaque number. */
export const isJsonContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !json.isRawJSON(value)

/** A JSON text with one member or element a line, its numbers as they are spelled; undefined for any other text. */
export function indentedJson(text: string): string | undefined {
  const parsed = parseJson(text, parseLosslessJson)
  return parsed && JSON.stringify(parsed.value, null, 2)
}
