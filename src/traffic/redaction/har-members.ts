/**
 * Redacts the members of an imported document: known members each by a function of their own, all others as
 * documents, so that no unknown member is copied unredacted.
 */
import { isJsonMembers, type JsonMembers } from '../har-message.ts'
import { needsNoRedaction } from './fast-path.ts'
import { keyMeaningOf } from './keys.ts'
import type { CachedRedaction } from './redaction-cache.ts'
import type { RedactionWalk } from './walk.ts'

/** Decodes a content coding; undefined when the bytes are invalid. */
export type DecodeHarContent = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface HarPart {
  readonly walk: RedactionWalk
  /** URL of the request, from which the context of documents is derived. */
  readonly url: string
  readonly path: string
  readonly decode: DecodeHarContent | undefined
  /** Content coding of the message, for its body. */
  readonly coding: string
  readonly cached: CachedRedaction
}

export type MemberRedactor = (part: HarPart, value: unknown) => unknown

/** Extends the path: `q.headers`, `q.headers/x`, as in every other list of redactions. */
const withStep = (part: HarPart, step: string): HarPart => ({
  ...part,
  path: `${part.path}${part.path.includes('.') ? '/' : '.'}${step}`,
})

/** Fast path: most members are numbers and words of the format. */
function holdsNothing(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'object') return Object.keys(value).length === 0
  const { always, ofPerson, whenFitting } = keyMeaningOf(key)
  if (always || ofPerson || whenFitting) return false
  return typeof value === 'number'
    ? Math.abs(value) < 1e9
    : typeof value === 'string' && needsNoRedaction(value)
}

/** Redacts any value as a document together with its key, which may determine its class. */
export function redactUnknownMember(part: HarPart, key: string, value: unknown): unknown {
  if (holdsNothing(key, value)) return value
  const text = JSON.stringify({ [key]: value })
  const next = part.walk.json(part.walk, text, part.path, {})
  return next === text ? value : Object.values(JSON.parse(next) as JsonMembers)[0]
}

export const redactTextWith =
  (redact: (part: HarPart, value: string) => string): MemberRedactor =>
  (part, value) =>
    typeof value === 'string' ? redact(part, value) : redactUnknownMember(part, 'value', value)

/** Keeps a word or number of the format. An e-mail address or a document in its place is redacted. */
export const keepPlain: MemberRedactor = (part, value) =>
  isHarmlessValue(value) ? value : redactUnknownMember(part, 'value', value)

/** The caller redacts the member itself. */
export const leaveToCaller: MemberRedactor = (_, value) => value

const isHarmlessValue = (value: unknown): boolean =>
  typeof value === 'string' ? needsNoRedaction(value) : typeof value !== 'object' || value === null

/** Redacts the members of an object with their functions, all others as documents. */
export const redactMembersWith =
  (treatments: Readonly<Record<string, MemberRedactor>>): MemberRedactor =>
  (part, value) =>
    isJsonMembers(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, member]) => {
            const treat = Object.hasOwn(treatments, key) ? treatments[key] : undefined
            if (treat === keepPlain && isHarmlessValue(member)) return [key, member]
            return [
              key,
              treat ? treat(withStep(part, key), member) : redactUnknownMember(part, key, member),
            ]
          }),
        )
      : redactUnknownMember(part, 'value', value)

export const redactEach =
  (treat: MemberRedactor): MemberRedactor =>
  (part, value) =>
    Array.isArray(value)
      ? value.map((each: unknown) => treat(part, each))
      : redactUnknownMember(part, 'value', value)
