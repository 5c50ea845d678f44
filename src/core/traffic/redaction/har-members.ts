/**
 * Redacts the members of an imported document: known members each by a function of their own, all others as
 * documents, so that no unknown member is copied unredacted. What needs no change is returned as it is.
 */
import { needsNoRedaction } from './fast-path.ts'
import { keyMeaningOf, hasClass } from './keys.ts'
import type { RedactionWalk } from './walk.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

/** Decodes a content coding; undefined when the bytes are invalid. */
export type DecodeHarContent = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface HarPart {
  readonly walk: RedactionWalk
  /** URL of the request, from which the context of documents is derived. */
  readonly url: string
  readonly decode: DecodeHarContent | undefined
  /** Content coding of the message, for its body. */
  readonly coding: string
}

export type MemberRedactor = (part: HarPart, value: unknown, path: string) => unknown

/** Extends the path: `q.headers`, `q.headers/x`, as in every other list of redactions. */
const withStep = (path: string, step: string): string =>
  `${path}${path.includes('.') ? '/' : '.'}${step}`

/** Smaller numbers are no telephone numbers, documents or cards. */
const isSmallNumber = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) < 1e9

/** Timings and sizes: small numbers under keys without a class. */
function holdsSmallNumbers(members: object): boolean {
  if (Array.isArray(members)) return members.length === 0
  return Object.entries(members).every(
    ([key, value]) => isSmallNumber(value) && !hasClass(keyMeaningOf(key)),
  )
}

/** Fast path: most members are numbers and words of the format. */
function holdsNothing(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  const meaning = keyMeaningOf(key)
  if (typeof value === 'object')
    return (!hasClass(meaning) && !meaning.opens && holdsSmallNumbers(value)) || isEmpty(value)
  if (hasClass(meaning)) return false
  return typeof value === 'string' ? needsNoRedaction(value) : isSmallNumber(value)
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

/** Redacts any value as a document together with its key, which may determine its class. */
export function redactUnknownMember(
  part: HarPart,
  key: string,
  value: unknown,
  path: string,
): unknown {
  if (holdsNothing(key, value)) return value
  const text = JSON.stringify({ [key]: value })
  const next = part.walk.json(part.walk, text, path, {})
  return next === text ? value : Object.values(JSON.parse(next) as UnknownRecord)[0]
}

export const redactTextWith =
  (redact: (part: HarPart, value: string, path: string) => string): MemberRedactor =>
  (part, value, path) =>
    typeof value === 'string'
      ? redact(part, value, path)
      : redactUnknownMember(part, 'value', value, path)

/** Keeps a word or number of the format. An e-mail address or a document in its place is redacted. */
export const keepPlain: MemberRedactor = (part, value, path) =>
  isHarmlessValue(value) ? value : redactUnknownMember(part, 'value', value, path)

/** The caller redacts the member itself. */
export const leaveToCaller: MemberRedactor = (_, value) => value

const isHarmlessValue = (value: unknown): boolean =>
  typeof value === 'string' ? needsNoRedaction(value) : typeof value !== 'object' || value === null

/** Redacts the members of an object with their functions, all others as documents. */
export function redactMembersWith(
  treatments: Readonly<Record<string, MemberRedactor>>,
): MemberRedactor {
  const byKey = new Map(Object.entries(treatments))
  return (part, value, path) => {
    if (!isUnknownRecord(value)) return redactUnknownMember(part, 'value', value, path)
    let changed: Record<string, unknown> | undefined
    for (const key in value) {
      const member = value[key]
      const treat = byKey.get(key)
      const next = treat
        ? treat(part, member, withStep(path, key))
        : redactUnknownMember(part, key, member, path)
      // In the copy `__proto__` is a member of its own, which an assignment sets like any other.
      if (next !== member) (changed ??= { ...value })[key] = next
    }
    return changed ?? value
  }
}

export const redactEach =
  (treat: MemberRedactor): MemberRedactor =>
  (part, value, path) => {
    if (!Array.isArray(value)) return redactUnknownMember(part, 'value', value, path)
    let changed: unknown[] | undefined
    for (const [index, each] of value.entries()) {
      const next = treat(part, each, path)
      if (next !== each) (changed ??= [...(value as unknown[])])[index] = next
    }
    return changed ?? value
  }
