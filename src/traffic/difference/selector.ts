/**
 * The JSONPath of a rule (RFC 9535), read once. Names and wildcards become steps that are followed as a document is
 * walked; what asks for values or positions (filters, slices, numbers) has to look at each document anew.
 */
import { jsonpath, type JSONValue } from 'json-p3'
import { no, ok, type Result } from '../../protocol/result.ts'

/** One segment: the names that it takes, or all members. */
export interface Step {
  /** At any depth from here on. */
  readonly deep: boolean
  /** Names that it takes; every member when absent. */
  readonly names?: ReadonlySet<string>
}

export type Selector =
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  | {
      readonly kind: 'search'
      /** The places that it finds in a document, as JSON Pointers. */
      readonly find: (document: unknown) => readonly string[]
    }

type Query = ReturnType<typeof jsonpath.compile>

function stepsOf({ segments }: Query): readonly Step[] | undefined {
  const { NameSelector, WildcardSelector } = jsonpath.selectors
  const steps: Step[] = []
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

/** Reads a path; the error is a clause that says what is wrong with it. */
export function readSelector(at: string): Result<Selector, string> {
  let query: Query
  try {
    query = jsonpath.compile(at)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return no(`"${at}" is no JSONPath (RFC 9535): ${why}`)
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
        // A document too deep for a search has no such place.
        return []
      }
    },
  })
}
