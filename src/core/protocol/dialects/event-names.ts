/** The names of an event on the wire: its own, and those that partners have for it in any dialect. */
import { wordsOf } from '../translation/words.ts'
import { dialects } from './catalogue.ts'

function otherNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  for (const { conduct } of dialects)
    for (const { words } of Object.values(conduct.translations ?? {}))
      for (const [type, word] of Object.entries(words?.['eventType'] ?? {}))
        names.set(type, [...(names.get(type) ?? []), ...wordsOf(word)])
  return names
}

let known: ReadonlyMap<string, readonly string[]> | undefined

export const eventNamesOnWire = (type: string): readonly string[] => [
  type,
  ...((known ??= otherNames()).get(type) ?? []),
]
