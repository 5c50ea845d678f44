/**
 * Context of redacting one text: pseudonyms, the list of redactions, and the functions for nested notations. A value
 * may hold JSON, a URL, a form or a token, and each of those any of them again, so the notations call each other
 * through here, up to a maximum depth.
 */
import { createGenerationalCache } from '../generational-cache.ts'
import type { RedactionClassId, KeyPlace, RedactionClass, ReplacementTools } from './class.ts'
import { secret } from './classes/secrets.ts'
import { isStandInNumber, standInNumber } from './digits.ts'
import { isDistinctive, type SecretEvidence } from './distinctive.ts'
import { type KnownValues, ownCopy } from './known-values.ts'
import { knownReplacement, learnRedacted, passwordOf } from './learn-redacted.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** A redaction: the path and the class, never the value. */
export interface Redaction {
  /**
   * Path: `q` is the request, `p` the response (`q.url`, `p.headers.location`, `p.body/customer/name`); lists are
   * `*`, and after `#` it continues inside a text that holds JSON. `*` alone: wherever else a value stood that was
   * redacted in its own place.
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
  /** What was redacted before in the same recording; absent where every text stands alone. */
  readonly known: KnownValues | undefined
  readonly replace: ReturnType<typeof createReplacer>
  /** Number of nested notations. */
  readonly depth: number
  readonly report: (path: string, id: RedactionClassId) => void
  /** Of a body: counts its parts, and throws where there are too many. */
  readonly spend?: (cost: number) => void
  /** Any text whose key has no class; `quiet` redacts only what cannot be part of an identifier. */
  readonly text: (walk: RedactionWalk, value: string, path: string, quiet: boolean) => string
  readonly json: (walk: RedactionWalk, text: string, path: string, root: DocumentTopic) => string
}

/**
 * What the parts of a body cost. A body of 10 MB that is made for it has millions of them, and nothing else runs
 * meanwhile, not even the end of the process; documents of real traffic cost a tenth of the whole at most.
 */
export const costs = { token: 1, bracket: 4, pair: 5, replacement: 18, newKey: 30 } as const
const maxCost = 1_500_000

/** A body has more parts than are read. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts'
}

/** Counts the work on one body; counted and not timed, so that the same body gives the same result. */
export function createSpending(): (cost: number) => void {
  let left = maxCost
  return (cost) => {
    left -= cost
    if (left < 0) throw new TooManyParts()
  }
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

/** Longer texts seldom occur twice. */
const maxRememberedLength = 200

/** Replaces values by class. The streets, names and numbers of an order come with each of its documents: they are remembered. */
export function createReplacer() {
  interface Replaced {
    readonly definition: RedactionClass
    readonly replacement: string
  }
  const cache = createGenerationalCache<Replaced>({ entries: 16_000, bytes: 4_000_000 })
  return (definition: RedactionClass, value: string, tools: ReplacementTools): string => {
    const before = cache.get(value)
    if (before?.definition === definition) return before.replacement
    const replacement = definition.replace(value, tools)
    const own = ownCopy(value)
    // The claims of a token are reported and learned each time.
    if (definition.id !== 'token' && value.length <= maxRememberedLength && own === value)
      cache.set(own, { definition, replacement }, value.length * 4 + 200)
    return replacement
  }
}

interface ValuePlace {
  readonly path: string
  readonly evidence: SecretEvidence
}

/** Replaces a value of a class that is recognised by a name; when it changed, reports it and learns the value. */
export const replaceByClass = (
  walk: RedactionWalk,
  definition: RedactionClass,
  value: string,
  path: string,
): string => replaceByEvidence(walk, definition, value, { path, evidence: 'named' })

export function replaceByEvidence(
  walk: RedactionWalk,
  definition: RedactionClass,
  value: string,
  { path, evidence }: ValuePlace,
): string {
  const { known } = walk
  const { id } = definition
  const tools = toolsFor(walk, path)
  const next =
    (known && knownReplacement(known, id, value)) ?? walk.replace(definition, value, tools)
  walk.spend?.(costs.replacement)
  if (next === value) return next
  walk.report(path, id)
  if (!known) return next
  learnRedacted(known, { id, value, replacement: next, evidence })
  const password = id === 'token' ? passwordOf(value) : undefined
  if (password !== undefined) learnPassword(walk, password, path)
  return next
}

/** By its class where it has one, otherwise as any text; `quiet` as in `RedactionWalk.text`. */
export const redactValue = (
  walk: RedactionWalk,
  definition: RedactionClass | undefined,
  value: string,
  { path, quiet }: { readonly path: string; readonly quiet: boolean },
): string =>
  definition
    ? replaceByClass(walk, definition, value, path)
    : walk.text(withDeeperNotation(walk), value, path, quiet)

/** Learns a password that is redacted together with its user. */
export function learnPassword(walk: RedactionWalk, password: string, path: string): void {
  if (!walk.known || !isDistinctive(password, 'named')) return
  const replacement =
    walk.known.replacementOf(password) ?? secret.replace(password, toolsFor(walk, path))
  walk.known.learn('secret', { id: 'secret', value: password, replacement })
}

/** The same for a JSON number, which stays a number. */
export function replaceNumberByClass(
  walk: RedactionWalk,
  definition: RedactionClass,
  literal: string,
  path: string,
): string {
  if (/^-?0$/.test(literal) || isStandInNumber(literal)) return literal
  const replace = definition.replaceNumber ?? definition.replace
  const replacement = replace(literal, toolsFor(walk, path))
  const next = jsonNumber.test(replacement) ? replacement : standInNumber(replacement)
  walk.spend?.(costs.replacement)
  if (next === literal) return next
  const { id } = definition
  walk.report(path, id)
  if (walk.known)
    learnRedacted(walk.known, { id, value: literal, replacement: next, evidence: 'placed' })
  return next
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
