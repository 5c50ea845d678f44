/**
 * Redacts the members of an imported document: known members each by a function of their own, all others as
 * documents, so that no unknown member is copied unredacted.
 */
import { isMembers, type Members } from '../har-message.ts'
import { isHarmless } from './fast-path.ts'
import { meaningOf } from './keys.ts'
import type { Remember } from './redaction-cache.ts'
import type { Walk } from './walk.ts'

/** Decodes a content coding; undefined when the bytes are invalid. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface Part {
  readonly walk: Walk
  /** URL of the request, from which the context of documents is derived. */
  readonly url: string
  readonly path: string
  readonly decode: Decode | undefined
  /** Content coding of the message, for its body. */
  readonly coding: string
  readonly remember: Remember
}

export type Treatment = (part: Part, value: unknown) => unknown

/** Extends the path: `q.headers`, `q.headers/x`, as in every other list of redactions. */
const withStep = (part: Part, step: string): Part => ({
  ...part,
  path: `${part.path}${part.path.includes('.') ? '/' : '.'}${step}`,
})

/** Fast path: most members are numbers and words of the format. */
function holdsNothing(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'object') return Object.keys(value).length === 0
  const { always, ofPerson, whenFitting } = meaningOf(key)
  if (always || ofPerson || whenFitting) return false
  return typeof value === 'number'
    ? Math.abs(value) < 1e9
    : typeof value === 'string' && isHarmless(value)
}

/** Redacts any value as a document together with its key, which may determine its class. */
export function redactMember(part: Part, key: string, value: unknown): unknown {
  if (holdsNothing(key, value)) return value
  const text = JSON.stringify({ [key]: value })
  const next = part.walk.json(part.walk, text, part.path, {})
  return next === text ? value : Object.values(JSON.parse(next) as Members)[0]
}

export const onText =
  (redact: (part: Part, value: string) => string): Treatment =>
  (part, value) =>
    typeof value === 'string' ? redact(part, value) : redactMember(part, 'value', value)

/** Keeps a word or number of the format. An e-mail address or a document in its place is redacted. */
export const kept: Treatment = (part, value) =>
  isHarmlessValue(value) ? value : redactMember(part, 'value', value)

/** The caller redacts the member itself. */
export const byCaller: Treatment = (_, value) => value

const isHarmlessValue = (value: unknown): boolean =>
  typeof value === 'string' ? isHarmless(value) : typeof value !== 'object' || value === null

/** Redacts the members of an object with their functions, all others as documents. */
export const membersBy =
  (treatments: Readonly<Record<string, Treatment>>): Treatment =>
  (part, value) =>
    isMembers(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, member]) => {
            const treat = Object.hasOwn(treatments, key) ? treatments[key] : undefined
            if (treat === kept && isHarmlessValue(member)) return [key, member]
            return [
              key,
              treat ? treat(withStep(part, key), member) : redactMember(part, key, member),
            ]
          }),
        )
      : redactMember(part, 'value', value)

export const listOf =
  (treat: Treatment): Treatment =>
  (part, value) =>
    Array.isArray(value)
      ? value.map((each: unknown) => treat(part, each))
      : redactMember(part, 'value', value)
