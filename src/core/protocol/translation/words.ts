/** Translation of the words of one field, in both directions. */
import {
  type BodyPath,
  type JsonObject,
  parseBodyPath,
  putAt,
  updateAt,
  fieldAtPath,
} from './body-path.ts'
import type { WireWord } from './settings.ts'

type Condition = readonly (readonly [BodyPath, unknown])[]

interface WordPair {
  readonly ours: string
  readonly theirs: readonly string[]
  /** Fields beside the word, from which it is known which of ours it is. */
  readonly condition: Condition
}

export interface WordTable {
  readonly path: BodyPath
  readonly pairs: readonly WordPair[]
}

const conditionOf = (word: WireWord): Condition =>
  typeof word === 'object' && !Array.isArray(word)
    ? Object.entries(word.with).map(([path, value]) => [parseBodyPath(path), value])
    : []

/** The words of a partner for one of ours. */
export function wordsOf(word: WireWord): readonly string[] {
  if (word === false) return []
  if (typeof word === 'string') return [word]
  return Array.isArray(word) ? word : [word.word]
}

export const wordTable = (path: string, words: Readonly<Record<string, WireWord>>): WordTable => ({
  path: parseBodyPath(path),
  pairs: Object.entries(words).map(([ours, word]) => ({
    ours,
    theirs: wordsOf(word),
    condition: conditionOf(word),
  })),
})

/** The value with its words replaced: in a list each by any number of words, alone by one or, for none, by itself. */
function replaceWords(value: unknown, replace: (word: string) => readonly string[]): unknown {
  if (typeof value === 'string') return replace(value)[0] ?? value
  if (!Array.isArray(value)) return value
  const words = value.flatMap((each: unknown): readonly unknown[] =>
    typeof each === 'string' ? replace(each) : [each],
  )
  return [...new Set(words)]
}

/** Their words in place of ours. */
export function wordsToWire(object: JsonObject, { path, pairs }: WordTable): JsonObject {
  const written: WordPair[] = []
  const replace = (word: string): readonly string[] => {
    const pair = pairs.find(({ ours }) => ours === word)
    if (!pair) return [word]
    written.push(pair)
    return pair.theirs
  }
  const changed = updateAt(object, path, (value) => replaceWords(value, replace)) as JsonObject
  const conditions = written.flatMap(({ condition }) => condition)
  return conditions.reduce((whole, [at, value]) => putAt(whole, at, value), changed)
}

/** Our words in place of theirs: of those that one of theirs may be, the first whose fields are there. */
export function wordsFromWire(object: JsonObject, { path, pairs }: WordTable): JsonObject {
  const replace = (word: string): readonly string[] => {
    const pair = pairs.find(
      ({ theirs, condition }) =>
        theirs.includes(word) &&
        condition.every(([at, value]) => fieldAtPath(object, at) === value),
    )
    return [pair?.ours ?? word]
  }
  return updateAt(object, path, (value) => replaceWords(value, replace)) as JsonObject
}
