/** Parses YAML and JSON with source locations: line and column of keys and values, counted from 1. */
import { isHeldByDouble, mayLoseDigits } from '../../traffic/json/lossless-json.ts'
import {
  type Document,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  type Scalar,
  type Tags,
  visit,
} from 'yaml'
import { maxNestingLevels } from '../../protocol/json-value.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'

export interface SourceLocation {
  readonly line: number
  readonly column: number
}

export interface ParsedText {
  /** The parsed value; undefined on an error or for an empty text. */
  readonly value?: unknown
  /** The first syntax error. */
  readonly error?: { readonly message: string; readonly place: SourceLocation }
  /** The first number that no double holds, as it is spelled. */
  readonly rounded?: { readonly source: string; readonly place: SourceLocation }
  /** Location of a value or of its key; of the closest parent, when it is missing. */
  readonly locationOf: (path: ValuePath, which: 'key' | 'value') => SourceLocation
}

type LocationAt = (offset: number) => SourceLocation

/** Keys of codes, which are texts: a number there is a code that needed no quotes. */
const codeKeys: ReadonlySet<string> = new Set(
  'id code externalCode merchant number postalCode'.split(' '),
)

/** Codes and names of members that YAML reads as numbers stay as they are spelled: `1e3`, `0x1F`, `0o17`, `1.10`. */
function keepCodes(document: Document): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && typeof key.value === 'number') key.value = key.source ?? key.value
      if (!isScalar(key) || !codeKeys.has(String(key.value)) || !isScalar(value)) return
      const { source, value: read } = value
      if (typeof read === 'number' && source !== undefined && String(read) !== source)
        value.value = source
    },
  })
}

/** The first number that no double holds. */
function roundedIn(
  text: string,
  document: Document,
  locationAt: LocationAt,
): Pick<ParsedText, 'rounded'> {
  if (!mayLoseDigits(text)) return {}
  let rounded: ParsedText['rounded']
  visit(document, {
    Scalar(_, { value, source, range }) {
      if (typeof value !== 'number' || source === undefined || !/^[-+]?[\d.]/.test(source))
        return undefined
      if (/^[-+]?0[xo]/i.test(source) || isHeldByDouble(source)) return undefined
      rounded = { source, place: locationAt(range?.[0] ?? 0) }
      return visit.BREAK
    },
  })
  return rounded ? { rounded } : {}
}

/** A number with leading zeros is a code: as a number it would lose them. */
const withoutLeadingZeros = (tags: Tags): Tags =>
  tags.map((tag) =>
    typeof tag === 'object' &&
    !tag.collection &&
    tag.tag === 'tag:yaml.org,2002:int' &&
    tag.format === undefined
      ? { ...tag, test: /^[-+]?(?:0|[1-9]\d*)$/ }
      : tag,
  )

function parseWithLocations(text: string): readonly [Document, LocationAt] {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    customTags: withoutLeadingZeros,
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

/** Offset of the first value that is nested too deep. */
function tooDeepAt({ contents, errors }: Document): number | undefined {
  const left: { readonly node: unknown; readonly level: number }[] = [{ node: contents, level: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { node, level } = next
    if (isPair(node)) left.push({ node: node.value, level })
    if (!isCollection(node)) continue
    if (level >= maxNestingLevels) return node.range?.[0] ?? 0
    for (const item of node.items) left.push({ node: item, level: level + 1 })
  }
  // The parser itself goes down on the stack, and ends where that is full.
  return errors.find(({ message }) => /call stack/.test(message))?.pos[0]
}

/** The error of a text that is nested too deep. */
function nestingError(document: Document, locationAt: LocationAt): ParsedText['error'] {
  const offset = tooDeepAt(document)
  return offset === undefined
    ? undefined
    : { message: `it is nested deeper than ${maxNestingLevels} levels`, place: locationAt(offset) }
}

function offsetOf({ contents }: Document, path: ValuePath, which: 'key' | 'value'): number {
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

export function parseYamlText(text: string): ParsedText {
  const [document, locationAt] = parseWithLocations(text)
  const locationOf: ParsedText['locationOf'] = (path, which) =>
    locationAt(offsetOf(document, path, which))
  const tooDeep = nestingError(document, locationAt)
  if (tooDeep) return { error: tooDeep, locationOf }
  const [error] = document.errors
  if (error)
    return {
      error: { message: error.message, place: locationAt(error.pos[0]) },
      locationOf,
    }
  try {
    keepCodes(document)
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    return { value, locationOf, ...roundedIn(text, document, locationAt) }
  } catch (thrown) {
    // An alias without its anchor, or too many aliases, fails only here.
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return { error: { message, place: locationAt(firstAlias(document)) }, locationOf }
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

export function parseJsonText(text: string): ParsedText {
  // JSON is nearly a subset of YAML: the YAML parser gives the locations, JSON.parse the value and errors.
  const [document, locationAt] = parseWithLocations(text)
  const locationOf: ParsedText['locationOf'] = (path, which) =>
    locationAt(offsetOf(document, path, which))
  const tooDeep = nestingError(document, locationAt)
  if (tooDeep) return { error: tooDeep, locationOf }
  try {
    const value: unknown = JSON.parse(text)
    // Of two equal members the first would be lost without a word.
    const double = document.errors.find(({ code }) => code === 'DUPLICATE_KEY')
    return double
      ? { error: { message: double.message, place: locationAt(double.pos[0]) }, locationOf }
      : { value, locationOf, ...roundedIn(text, document, locationAt) }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const [, position] = / at position (\d+)/.exec(message) ?? []
    const offset = position === undefined ? firstNonJsonToken(document, text) : Number(position)
    // The message of JSON.parse quotes the text around the error, over several lines, and repeats the position.
    const [shortMessage = message] = message.split(/ in JSON at position|, (?:\.\.\.)?"/)
    return { error: { message: shortMessage, place: locationAt(offset) }, locationOf }
  }
}

/**
 * Offset of the first token that is valid in YAML but not in JSON: `JSON.parse` names the token, but not its
 * position.
 */
function firstNonJsonToken(document: Document, text: string): number {
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
