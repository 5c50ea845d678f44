/**
 * What redacting one text needs on its way down: the stand-ins, a list of what was done, and the doors to the other
 * notations. A value may hold JSON, a URL, a form or a token, and each of those may hold all of them again, so the
 * notations call each other through here; how deep they may go has a bound.
 */
import type { ClassId, Place, RedactionClass, Tools } from './class.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** What was redacted: the path and the class, never the value. */
export interface Redaction {
  /**
   * Where: `q` is the request, `p` the response (`q.url`, `p.headers.location`, `p.body/customer/name`); lists are `*`,
   * and behind `#` it goes on inside a text that holds JSON itself.
   */
  readonly p: string
  /** The class. */
  readonly c: string
}

/** What a document is about as a whole. */
export interface Root {
  readonly person?: boolean
  readonly place?: Place
}

export interface Walk {
  readonly pseudonyms: Pseudonyms
  /** How many notations inside one another. */
  readonly depth: number
  readonly report: (path: string, id: ClassId) => void
  /** Any text whose key says nothing; `quiet` takes only what cannot be an identifier. */
  readonly text: (walk: Walk, value: string, path: string, quiet: boolean) => string
  readonly json: (walk: Walk, text: string, path: string, root: Root) => string
}

/** Deeper than this nobody nests notations; what is inside is blanked whole. */
export const deepestNotation = 8

export const deeper = (walk: Walk): Walk => ({ ...walk, depth: walk.depth + 1 })

const toolsFor = (walk: Walk, path: string): Tools => ({
  pseudonyms: walk.pseudonyms,
  claims: (text) => walk.json(deeper(walk), text, `${path}#`, { person: true }),
})

/** Replaces a value of a class, and lists it when that changed anything. */
export function replaceWith(
  walk: Walk,
  definition: RedactionClass,
  value: string,
  path: string,
): string {
  const next = definition.replace(value, toolsFor(walk, path))
  if (next !== value) walk.report(path, definition.id)
  return next
}

/** The same for a JSON number: it stays a number. */
export function replaceNumberWith(
  walk: Walk,
  definition: RedactionClass,
  literal: string,
  path: string,
): string {
  if (/^-?0$/.test(literal)) return literal
  const replace = definition.replaceNumber ?? definition.replace
  const wish = replace(literal, toolsFor(walk, path))
  const next = jsonNumber.test(wish) ? wish : '0'
  if (next !== literal) walk.report(path, definition.id)
  return next
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
