/**
 * The form of a text (UUID, instant, URL, …), to decide whether two values may be different names of the same thing.
 */
import { parseDateTime } from '../../core/protocol/date-time.ts'
import { scalarTextOf } from '../../core/traffic/json/lossless-json.ts'
import { epochMs } from '../../core/traffic/entities/shift-times.ts'
import { isJsonObject, isList, jsonType } from '../../core/traffic/recording/json.ts'

export type TextForm =
  | 'empty'
  | 'uuid'
  | 'ulid'
  | 'hex'
  | 'jwt'
  | 'instant'
  | 'date'
  | 'code'
  | 'number'
  | 'url'
  | 'email'
  | 'token'
  | 'text'

const forms: readonly (readonly [TextForm, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['ulid', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  // Short, with a digit: a code that a person reads out or types in.
  ['code', /^(?=[A-Z-]*\d)[\dA-Z-]{1,11}$/i],
  ['number', /^-?\d+(?:\.\d+)?$/],
  ['hex', /^(?=[0-9a-f]*\d)[0-9a-f]{16,}$/i],
  ['jwt', /^ey[\w-]+\.ey[\w-]+\.[\w-]*$/],
  ['url', /^https?:\/\/\S+$/i],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  // Letters and digits without a space and with at least one digit: machine-generated.
  ['token', /^(?=[^\s\d]*\d)(?=.*[a-z])[\w.~+/=:-]{12,}$/i],
]

/** Milliseconds since 1970 of a date with a time of day; a date alone is no instant. */
export function instantInText(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length < 16 || value.length > 40) return undefined
  return parseDateTime(value)
}

/** Milliseconds since 1970 of an instant as text, or as a number of seconds or milliseconds. */
export function instantIn(value: unknown): number | undefined {
  const text = scalarTextOf(value)
  return text === undefined ? undefined : (instantInText(value) ?? epochMs(text))
}

/** RFC 3339: any offset in either spelling, with or without a fraction. */
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/**
 * How an instant is written: as RFC 3339, as another text, in seconds or in milliseconds. Two runs write other instants in
 * one form: without its offset `2026-11-20T12:00:00` is another instant for its reader.
 */
function instantFormOf(value: unknown): string {
  const text = scalarTextOf(value) ?? ''
  if (rfc3339.test(text)) return 'RFC 3339'
  const [whole = ''] = text.split('.')
  return /^\d+$/.test(whole) ? `${whole.length} digits` : text.replaceAll(/\d+/g, '0')
}

/** The instants of two values in one form; undefined where either is none, or written in another form. */
export function comparableInstants(
  recorded: unknown,
  live: unknown,
): readonly [recorded: number, live: number] | undefined {
  const [left, right] = [instantIn(recorded), instantIn(live)]
  if (left === undefined || right === undefined || jsonType(recorded) !== jsonType(live))
    return undefined
  return instantFormOf(recorded) === instantFormOf(live) ? [left, right] : undefined
}

export function textFormOf(text: string): TextForm {
  if (text === '') return 'empty'
  if (instantInText(text) !== undefined) return 'instant'
  return forms.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'
}

const machineGenerated: ReadonlySet<TextForm> = new Set(['uuid', 'ulid', 'hex', 'jwt', 'token'])

/** Whether the text is a machine-generated identifier, which differs in every run. */
export const looksMachineGenerated = (text: string): boolean =>
  machineGenerated.has(textFormOf(text))

const maxShapeDepth = 20

/** Whether two values have the same type and form: a UUID and a UUID, lists with elements of the same shape. */
export function haveSameShape(left: unknown, right: unknown, depth = 0): boolean {
  if (jsonType(left) !== jsonType(right)) return false
  if (typeof left === 'string' && typeof right === 'string')
    return (
      textFormOf(left) === textFormOf(right) &&
      (instantInText(left) === undefined || comparableInstants(left, right) !== undefined)
    )
  if (depth > maxShapeDepth) return true
  if (isList(left) && isList(right))
    return left.length === 0 || right.length === 0 || haveSameShape(left[0], right[0], depth + 1)
  if (!isJsonObject(left) || !isJsonObject(right)) return true
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && haveSameShape(left[key], right[key], depth + 1),
    )
  )
}
