/**
 * Context of redacting one text: pseudonyms, the list of redactions, and the functions for nested notations. A value
 * may hold JSON, a URL, a form or a token, and each of those any of them again, so the notations call each other
 * through here, up to a maximum depth.
 */
import type { RedactionClassId, KeyPlace, RedactionClass, ReplacementTools } from './class.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** A redaction: the path and the class, never the value. */
export interface Redaction {
  /**
   * Path: `q` is the request, `p` the response (`q.url`, `p.headers.location`, `p.body/customer/name`); lists are
   * `*`, and after `#` it continues inside a text that holds JSON.
   */
  readonly p: string
  /** The class. */
  readonly c: string
}

/** What a whole document is about. */
export interface DocumentTopic {
  readonly person?: boolean
  readonly place?: KeyPlace
}

export interface RedactionWalk {
  readonly pseudonyms: Pseudonyms
  /** Number of nested notations. */
  readonly depth: number
  readonly report: (path: string, id: RedactionClassId) => void
  /** Any text whose key has no class; `quiet` redacts only what cannot be part of an identifier. */
  readonly text: (walk: RedactionWalk, value: string, path: string, quiet: boolean) => string
  readonly json: (walk: RedactionWalk, text: string, path: string, root: DocumentTopic) => string
}

/** Maximum depth of nested notations; deeper content is blanked. */
export const maxNotationDepth = 8

export const withDeeperNotation = (walk: RedactionWalk): RedactionWalk => ({
  ...walk,
  depth: walk.depth + 1,
})

const toolsFor = (walk: RedactionWalk, path: string): ReplacementTools => ({
  pseudonyms: walk.pseudonyms,
  claims: (text) => walk.json(withDeeperNotation(walk), text, `${path}#`, { person: true }),
})

/** Replaces a value of a class, and reports it when it changed. */
export function replaceByClass(
  walk: RedactionWalk,
  definition: RedactionClass,
  value: string,
  path: string,
): string {
  const next = definition.replace(value, toolsFor(walk, path))
  if (next !== value) walk.report(path, definition.id)
  return next
}

/** The same for a JSON number, which stays a number. */
export function replaceNumberByClass(
  walk: RedactionWalk,
  definition: RedactionClass,
  literal: string,
  path: string,
): string {
  if (/^-?0$/.test(literal)) return literal
  const replace = definition.replaceNumber ?? definition.replace
  const replacement = replace(literal, toolsFor(walk, path))
  const next = jsonNumber.test(replacement) ? replacement : '0'
  if (next !== literal) walk.report(path, definition.id)
  return next
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
