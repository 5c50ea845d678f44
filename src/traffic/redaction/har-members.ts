/**
 * How the members of a foreign document are redacted: each that is known by a treatment of its own, all others like any
 * document, so that nothing is kept only because nobody knew its name.
 */
import { isMembers, type Members } from '../har-message.ts'
import { isHarmless } from './fast-path.ts'
import { meaningOf } from './keys.ts'
import type { Remember } from './redaction-cache.ts'
import type { Walk } from './walk.ts'

/** Undoes a content coding; undefined when the bytes are not what it says. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined

export interface Part {
  readonly walk: Walk
  /** Of the request: it tells what a document is about. */
  readonly url: string
  readonly path: string
  readonly decode: Decode | undefined
  /** Of the message, for its body. */
  readonly coding: string
  readonly remember: Remember
}

export type Treatment = (part: Part, value: unknown) => unknown

/** `q.headers`, `q.headers/x`: a side and a part of it, as every other redaction is listed. */
const at = (part: Part, step: string): Part => ({
  ...part,
  path: `${part.path}${part.path.includes('.') ? '/' : '.'}${step}`,
})

/** Most members are numbers and words of the format itself: one look says that there is nothing in them. */
function isNothing(key: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'object') return Object.keys(value).length === 0
  const { always, ofPerson, whenFitting } = meaningOf(key)
  if (always || ofPerson || whenFitting) return false
  return typeof value === 'number'
    ? Math.abs(value) < 1e9
    : typeof value === 'string' && isHarmless(value)
}

/** Any value, as the document that it is; its key belongs to it, since keys tell what values are. */
export function redactMember(part: Part, key: string, value: unknown): unknown {
  if (isNothing(key, value)) return value
  const text = JSON.stringify({ [key]: value })
  const next = part.walk.json(part.walk, text, part.path, {})
  return next === text ? value : Object.values(JSON.parse(next) as Members)[0]
}

export const onText =
  (redact: (part: Part, value: string) => string): Treatment =>
  (part, value) =>
    typeof value === 'string' ? redact(part, value) : redactMember(part, 'value', value)

/**
 * A word or a number of the format, which stands as it is. Only its place says that it is one: whoever writes an e-mail
 * address there, or a whole document, has it treated as such.
 */
export const kept: Treatment = (part, value) =>
  isWord(value) ? value : redactMember(part, 'value', value)

/** Whoever names this treats the member itself. */
export const byCaller: Treatment = (_, value) => value

const isWord = (value: unknown): boolean =>
  typeof value === 'string' ? isHarmless(value) : typeof value !== 'object' || value === null

/** The members of an object, each by its own treatment, and what has none as the document that it is. */
export const membersBy =
  (treatments: Readonly<Record<string, Treatment>>): Treatment =>
  (part, value) =>
    isMembers(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, member]) => {
            const treat = Object.hasOwn(treatments, key) ? treatments[key] : undefined
            if (treat === kept && isWord(member)) return [key, member]
            return [key, treat ? treat(at(part, key), member) : redactMember(part, key, member)]
          }),
        )
      : redactMember(part, 'value', value)

export const listOf =
  (treat: Treatment): Treatment =>
  (part, value) =>
    Array.isArray(value)
      ? value.map((each: unknown) => treat(part, each))
      : redactMember(part, 'value', value)
