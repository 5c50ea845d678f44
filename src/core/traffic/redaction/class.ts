/**
 * A redaction class: the keys that identify its values, and their replacement. Every class guarantees that a
 * replacement is deterministic (so that traffic still correlates), idempotent (redacting twice changes nothing), and
 * keeps the type.
 */
import { isPlaceholder, type Pseudonyms } from './pseudonyms.ts'

/** The id under which a recording lists a redaction. */
export type RedactionClassId =
  | 'token'
  | 'secret'
  | 'signature'
  | 'name'
  | 'email'
  | 'phone'
  | 'document'
  | 'birth'
  | 'contact'
  | 'address'
  | 'postal'
  | 'coordinate'
  | 'card'
  | 'pix'
  | 'code'
  | 'text'
  | 'picture'
  | 'plate'
  | 'binary'
  | 'body'
  | 'network'
  | 'device'

/** The kind of object around a key, where the meaning of the key depends on it. */
export type KeyPlace =
  | 'address'
  | 'phone'
  | 'card'
  | 'document'
  | 'call'
  | 'contact'
  | 'auth'
  | 'pix'

/** Functions available to `replace`. */
export interface ReplacementTools {
  readonly pseudonyms: Pseudonyms
  /** Redacts the claims of a JWT, a JSON text. */
  readonly claims: (text: string) => string
  /** Also what is a replacement already gets another one. */
  readonly isAnew?: true
}

export interface RedactionClass {
  readonly id: RedactionClassId
  /** What it covers and how it is replaced, in one sentence. */
  readonly covers: string
  /**
   * Keys that carry it in any object, in the words of `words.ts` and in any order: `security code` is also
   * `codigo_de_seguranca`.
   */
  readonly keys?: readonly string[]
  /** What a key names that carries it, whatever else is in the key: the `token` of `pushToken` and `tokenDeAcesso`. */
  readonly nouns?: readonly string[]
  /** Keys that carry it only in an object of this kind. */
  readonly keysIn?: Readonly<Partial<Record<KeyPlace, readonly string[]>>>
  /** Keys that carry it only in an object about a person. */
  readonly personKeys?: readonly string[]
  /** Keys that carry it only when the value `fits`. */
  readonly fittingKeys?: readonly string[]
  readonly fits?: (value: string) => boolean
  /** An object with such a value is about a person. */
  readonly identifiesPerson?: true
  /** When the key holds an object or a list, every string inside it that is no id is of this class. */
  readonly includesMembers?: true
  /** The replacement; the value itself when it is a replacement already. */
  readonly replace: (value: string, tools: ReplacementTools) => string
  /** The replacement of a JSON number, as a JSON number; by default a number of its own for each replacement. */
  readonly replaceNumber?: (literal: string, tools: ReplacementTools) => string
}

/** A replacement by a mark, of the canonical form of a value; an empty value and a placeholder stay. */
export const replaceByMark =
  (prefix: string, classId: RedactionClassId, canonical = (value: string) => value) =>
  (value: string, { pseudonyms }: ReplacementTools): string =>
    value === '' || isPlaceholder(value)
      ? value
      : pseudonyms.mark(prefix, classId, canonical(value))

/** Type-checks a class at its definition. */
export const defineClass = (definition: RedactionClass): RedactionClass => definition
