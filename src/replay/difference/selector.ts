/**
 * Compiles the JSONPath (RFC 9535) of a rule. Names and wildcards become steps that are matched while documents are
 * compared; filters, slices and indexes must search each document.
 */
import { jsonpath, type JSONValue } from 'json-p3'
import { err, ok, type Result } from '../../core/protocol/result.ts'

/** One path segment: the names that it selects, or all members. */
export interface SelectorStep {
  /** At any depth from here on. */
  readonly deep: boolean
  /** Selected names; every member when absent. */
  readonly names?: ReadonlySet<string>
}

export type Selector =
  | { readonly kind: 'steps'; readonly steps: readonly SelectorStep[] }
  | {
      readonly kind: 'search'
      /** The places that match in a document, as JSON Pointers. */
      readonly find: (document: unknown) => readonly string[]
    }

type Query = ReturnType<typeof jsonpath.compile>

function stepsOf({ segments }: Query): readonly SelectorStep[] | undefined {
  const { NameSelector, WildcardSelector } = jsonpath.selectors
  const steps: SelectorStep[] = []
  for (const segment of segments) {
    const deep = segment.toString().startsWith('..')
    const names: string[] = []
    let all = false
    for (const selector of segment.selectors) {
      if (selector instanceof NameSelector) names.push(selector.name)
      else if (selector instanceof WildcardSelector) all = true
      else return undefined
    }
    steps.push(all ? { deep } : { deep, names: new Set(names) })
  }
  return steps
}

/** Compiles a path; the error is a clause that says what is wrong with it. */
export function readSelector(at: string): Result<Selector, string> {
  let query: Query
  try {
    query = jsonpath.compile(at)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return err(`"${at}" is no JSONPath (RFC 9535): ${why}`)
  }
  const steps = stepsOf(query)
  if (steps) return ok({ kind: 'steps', steps })
  return ok({
    kind: 'search',
    find(document) {
      try {
        return query
          .query(document as JSONValue)
          .pointers()
          .map(String)
      } catch {
        // A document too deep for the search has no match.
        return []
      }
    },
  })
}
