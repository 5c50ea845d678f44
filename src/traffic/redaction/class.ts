/**
 * One class of what must not stand in a recording: by which keys it is known, and what takes its place. The rules that
 * every class keeps: the same value gives the same replacement (so that traffic still correlates), a replacement is
 * recognised and left as it is (so that redacting twice changes nothing), and a type stays what it was.
 */
import type { Pseudonyms } from './pseudonyms.ts'

/** The name that a recording lists a redaction under. */
export type ClassId =
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
  | 'network'
  | 'device'

/** What the object is about in which a key stands, where that decides what the key means. */
export type Place = 'address' | 'phone' | 'card' | 'document' | 'call' | 'contact' | 'auth'

/** What a replacement may be made with. */
export interface Tools {
  readonly pseudonyms: Pseudonyms
  /** Redacts the claims of a token, which are a JSON text. */
  readonly claims: (text: string) => string
}

export interface RedactionClass {
  readonly id: ClassId
  /** What it covers and what takes its place, in one sentence. */
  readonly covers: string
  /** Keys that carry it wherever they stand; lower case, letters and digits only, as `keys.ts` normalises them. */
  readonly keys?: readonly string[]
  /** Endings of keys that carry it. */
  readonly endings?: readonly string[]
  /** Keys that carry it only in an object of this place. */
  readonly keysIn?: Readonly<Partial<Record<Place, readonly string[]>>>
  /** Keys that carry it only in what tells about a person. */
  readonly personKeys?: readonly string[]
  /** Keys that carry it only when the value `fits`. */
  readonly fittingKeys?: readonly string[]
  readonly fits?: (value: string) => boolean
  /** An object that holds it tells about a person. */
  readonly personal?: true
  /** When the key holds an object or a list, every text inside that is no id is of this class. */
  readonly forAll?: true
  /** The replacement; the value itself when it is a replacement already. */
  readonly replace: (value: string, tools: Tools) => string
  /** The replacement of a JSON number, as a JSON number; 0 when there is none better. */
  readonly replaceNumber?: (literal: string, tools: Tools) => string
}

/** Checks a class's shape where it is written. */
export const defineClass = (definition: RedactionClass): RedactionClass => definition
