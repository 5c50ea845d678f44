/** `{{x}}` in collections: what is known is put in its place, what is not stays as it is written. */
import { isMembers } from '../har-message.ts'

export type Variables = ReadonlyMap<string, string>

const mostRounds = 10
const longest = 1_000_000
const mark = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** Variables as collections, folders and environments list them: `key` or `id`, and a value of any simple type. */
export function variablesIn(list: unknown, outer: Variables): Variables {
  if (!Array.isArray(list) || list.length === 0) return outer
  const all = new Map(outer)
  for (const each of list as readonly unknown[]) {
    if (!isMembers(each) || each['disabled'] === true || each['enabled'] === false) continue
    const key = each['key'] ?? each['id']
    const value = each['value']
    if (typeof key !== 'string' || value === undefined || value === null) continue
    all.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return all
}

/** How long a text will be: to be known before it is made, since a small file can ask for more than there is room. */
function lengthOf(text: string, variables: Variables): number {
  let { length } = text
  for (const [whole, name = ''] of text.matchAll(mark))
    length += (variables.get(name) ?? whole).length - whole.length
  return length
}

/** Variables may hold others, and themselves: the rounds and the length have bounds. */
export function filledIn(text: string, variables: Variables): string {
  let before = text
  for (let round = 0; round < mostRounds && before.includes('{{'); round++) {
    if (lengthOf(before, variables) > longest) break
    const next = before.replaceAll(mark, (whole, name: string) => variables.get(name) ?? whole)
    if (next === before) break
    before = next
  }
  return before
}

/** The names of those that are still open; what is no name may be anything, and is not repeated. */
export const openIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(mark)].map(([, name = '']) =>
      /^[\w.$-]{1,40}$/.test(name) ? name : 'one more',
    ),
  ),
]

/** The variables of an environment, as its file is exported, or plain names with values. */
export function environmentOf(given: unknown): Variables {
  if (!isMembers(given)) return new Map()
  if (Array.isArray(given['values'])) return variablesIn(given['values'], new Map())
  return variablesIn(
    Object.entries(given).map(([key, value]) => ({ key, value })),
    new Map(),
  )
}
