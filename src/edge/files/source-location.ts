/** Reads YAML and JSON, and says where in the text something stands: line and column, from 1, as editors count. */
import {
  type Document,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import type { Path } from './schema-errors.ts'

interface Place {
  readonly line: number
  readonly column: number
}

export interface ReadText {
  /** What the text means; undefined when there was an error, or nothing in it. */
  readonly value?: unknown
  /** The first thing that keeps it from being read. */
  readonly error?: { readonly message: string; readonly place: Place }
  /** Where a value stands, or the key of one; what is around it, when it is missing. */
  readonly placeOf: (path: Path, which: 'key' | 'value') => Place
}

type PlaceAt = (offset: number) => Place

function read(text: string, uniqueKeys: boolean): readonly [Document, PlaceAt] {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys,
    merge: true,
  })
  return [
    document,
    (offset) => {
      const { line, col } = lines.linePos(offset)
      return line === 0 ? { line: 1, column: 1 } : { line, column: col }
    },
  ]
}

const isKey = (key: unknown, wanted: PropertyKey): key is Scalar =>
  isScalar(key) && String(key.value) === String(wanted)

function offsetOf({ contents }: Document, path: Path, which: 'key' | 'value'): number {
  let here: unknown = contents
  let offset = 0
  for (const wanted of path) {
    if (!isCollection(here)) break
    const pair: unknown = here.items.find((item) => isPair(item) && isKey(item.key, wanted))
    const item: unknown = here.items[Number(wanted)]
    if (isPair(pair) && isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset
    else if (isNode(item)) offset = item.range?.[0] ?? offset
    here = isPair(pair) ? pair.value : isPair(item) ? undefined : item
  }
  if (which === 'key' || !isNode(here)) return offset
  const [first, last] = here.range ?? [offset, offset]
  return first === last ? offset : first
}

export function readYaml(text: string): ReadText {
  const [document, placeAt] = read(text, true)
  const placeOf: ReadText['placeOf'] = (path, which) => placeAt(offsetOf(document, path, which))
  const [error] = document.errors
  if (error) return { error: { message: error.message, place: placeAt(error.pos[0]) }, placeOf }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), placeOf }
  } catch (thrown) {
    // An alias without its anchor, or a flood of them, is found only here.
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return { error: { message, place: placeAt(firstAlias(document)) }, placeOf }
  }
}

function firstAlias(document: Document): number {
  let offset = 0
  visit(document, {
    Alias(_, { range }) {
      offset = range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

export function readJson(text: string): ReadText {
  // JSON is YAML, nearly: the YAML reader gives the places, JSON.parse has the last word.
  const [document, placeAt] = read(text, false)
  const placeOf: ReadText['placeOf'] = (path, which) => placeAt(offsetOf(document, path, which))
  try {
    return { value: JSON.parse(text), placeOf }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const [, named] = / at position (\d+)/.exec(message) ?? []
    const offset = named === undefined ? firstForeign(document, text) : Number(named)
    // The parser quotes the text around an error, over several lines, and repeats the position.
    const [plain = message] = message.split(/ in JSON at position|, (?:\.\.\.)?"/)
    return { error: { message: plain, place: placeAt(offset) }, placeOf }
  }
}

/** The first word that YAML takes and JSON does not: `JSON.parse` names the word, but not its place. */
function firstForeign(document: Document, text: string): number {
  let offset: number | undefined
  visit(document, {
    Scalar(_, { type, source, range }) {
      const json = type === 'QUOTE_DOUBLE' || /^(true|false|null|-?\d.*)$/.test(source ?? '')
      if (json) return undefined
      offset = range?.[0]
      return visit.BREAK
    },
  })
  return offset ?? document.errors[0]?.pos[0] ?? text.length
}
