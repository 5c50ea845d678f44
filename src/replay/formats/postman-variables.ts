/** Substitutes `{{x}}` variables of Postman collections; unknown ones stay as written. */
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

export type PostmanVariables = ReadonlyMap<string, string>

const maxRounds = 10
const maxChars = 1_000_000
const variablePattern = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** Adds a variable list of a collection, folder or environment (`key` or `id`, and a value) to the outer scope. */
export function extendVariables(list: unknown, outer: PostmanVariables): PostmanVariables {
  if (!Array.isArray(list) || list.length === 0) return outer
  const all = new Map(outer)
  for (const each of list as readonly unknown[]) {
    if (!isUnknownRecord(each) || each['disabled'] === true || each['enabled'] === false) continue
    const key = each['key'] ?? each['id']
    const value = each['value']
    if (typeof key !== 'string' || value === undefined || value === null) continue
    all.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return all
}

/** Length after substitution, checked beforehand: nested variables can expand exponentially. */
function lengthOf(text: string, variables: PostmanVariables): number {
  let { length } = text
  for (const [whole, name = ''] of text.matchAll(variablePattern))
    length += (variables.get(name) ?? whole).length - whole.length
  return length
}

/** Variables may contain others, and themselves: rounds and length are bounded. */
export function substituteVariables(text: string, variables: PostmanVariables): string {
  let current = text
  for (let round = 0; round < maxRounds && current.includes('{{'); round++) {
    if (lengthOf(current, variables) > maxChars) break
    const next = current.replaceAll(
      variablePattern,
      (whole, name: string) => variables.get(name) ?? whole,
    )
    if (next === current) break
    current = next
  }
  return current
}

/** Names of unresolved variables; text that does not look like a name is not quoted, since it may be a secret. */
export const unresolvedVariables = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(variablePattern)].map(([, name = '']) =>
      /^[\w.$-]{1,40}$/.test(name) ? name : 'one more',
    ),
  ),
]

/** The variables of an exported environment file, or of a plain object. */
export function parseEnvironment(source: unknown): PostmanVariables {
  if (!isUnknownRecord(source)) return new Map()
  if (Array.isArray(source['values'])) return extendVariables(source['values'], new Map())
  return extendVariables(
    Object.entries(source).map(([key, value]) => ({ key, value })),
    new Map(),
  )
}
