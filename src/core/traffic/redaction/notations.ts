/** Recognises the notation of a text that is no JSON: markup, GraphQL, a table, lines of keys; and redacts it as such. */
import { redactGraphql } from './json.ts'
import { redactMarkup } from './markup.ts'
import { redactTable } from './tables.ts'
import { type DocumentTopic, type RedactionWalk, withDeeperNotation, redactValue } from './walk.ts'
import { compact } from '../../base/compact.ts'
import type { RedactionClass } from './class.ts'
import {
  classForKey,
  classOfPart,
  type KeyMeaning,
  keyMeaningOf,
  hasClass,
  surroundingsIn,
} from './keys.ts'

const markup = /^[\s\uFEFF]*(?:<[?!][^<>]*>\s*)*<(?:[\w.-]+:)?[a-z_][\w.-]*[\s/>]/i
const graphql =
  /^(?:\s|#[^\n]*\n)*(?:(?:query|mutation|subscription|fragment)\b[^{}]*\{|\{\s*[A-Za-z_]\w*\s*[({])/
/** One line is a note only at the beginning of a body: within a document it is rather the text of a message. */
const note = /^\s*[\p{L}_][\p{L}\p{M}\d_ -]{0,40}:[ \t]/u

export const isGraphql = (text: string): boolean => text.includes('{') && graphql.test(text)

/** Undefined when the text has no such notation. */
export function redactNotation(
  walk: RedactionWalk,
  text: string,
  path: string,
  { root, isBody }: { readonly root: DocumentTopic; readonly isBody: boolean },
): string | undefined {
  if (markup.test(text)) return redactMarkup(walk, text, path, root)
  if (isGraphql(text)) return redactGraphql(walk, text, path)
  const table = text.includes('\n') ? redactTable(walk, text, path, root) : undefined
  if (table !== undefined) return table
  return text.includes('\n') || (isBody && note.test(text))
    ? redactKeyLines(walk, text, path, root)
    : undefined
}

const keyLine =
  /^([ \t]*(?:- +)*)(["']?)([\p{L}_$][\p{L}\p{M}\d_$ .-]{0,40}?)\2([ \t]*[:=](?:[ \t]+|$)|=)(.*)$/u
/** `notes: |` is followed by lines that are the value. */
const blockScalar = /^[|>][+-]?\d?[+-]?\s*(?:#.*)?$/
const quotedValue = /^(["'])(.*)\1(\s*(?:#.*)?)$/

interface Block extends DocumentTopic {
  readonly indent: number
  readonly meaning: KeyMeaning
  /** The class of every line inside. */
  readonly forAll: RedactionClass | undefined
  readonly number: number
}

interface Scan {
  readonly walk: RedactionWalk
  readonly path: string
  readonly open: Block[]
  /** Numbers of the blocks that have a key that identifies a person, such as an e-mail address. */
  readonly personal: Set<number>
  blocks: number
}

const noKey = keyMeaningOf('')

/** What is around a line: the block that it belongs to. */
function enclosing({ open, personal }: Scan, indent: number): Block {
  while (open.length > 1 && (open.at(-1)?.indent ?? -1) >= indent) open.pop()
  const block = open.at(-1) ?? { indent: -1, meaning: noKey, forAll: undefined, number: 0 }
  return block.person === undefined && personal.has(block.number)
    ? { ...block, person: true }
    : block
}

const classIn = (around: Block, meaning: KeyMeaning, value: string): RedactionClass | undefined =>
  classForKey(meaning, value, around) ??
  classOfPart(meaning, around.meaning, around) ??
  (meaning.isId ? undefined : around.forAll)

function redactWritten(
  { walk, path }: Scan,
  value: string,
  meaning: KeyMeaning,
  definition: RedactionClass | undefined,
): string {
  const [, quote = '', inner = value, rest = ''] = quotedValue.exec(value) ?? []
  const text = inner.trimEnd()
  const space = inner.slice(text.length)
  if (text === '') return value
  const place = { path: `${path}/${meaning.name}`, quiet: meaning.isId }
  const next = redactValue(walk, definition, text, place)
  return quote + next + space + quote + rest
}

function openBlock(scan: Scan, indent: number, meaning: KeyMeaning, around: Block): void {
  const { forAll, ...topic } = surroundingsIn(meaning, around)
  scan.open.push({ indent, meaning, forAll, number: ++scan.blocks, ...compact(topic) })
}

function redactLine(scan: Scan, line: string): string {
  const match = keyLine.exec(line)
  const { walk, path } = scan
  if (!match) {
    const before = /^[ \t]*(?:- +)*/.exec(line)?.[0] ?? ''
    const around = enclosing(scan, before.length)
    const isInside = around.indent >= 0 && before.length > around.indent
    const { meaning } = around
    const value = line.slice(before.length)
    // A list of values, or a value of several lines.
    const definition = isInside
      ? (classForKey(meaning, value.trim(), scan.open.at(-2) ?? {}) ?? around.forAll)
      : undefined
    return definition
      ? before + redactWritten(scan, value, meaning, definition)
      : walk.text(walk, line, path, false)
  }
  const [, before = '', quote = '', key = '', sign = '', written = ''] = match
  const end = /\r?$/.exec(written)?.[0] ?? ''
  const value = written.slice(0, written.length - end.length)
  const around = enclosing(scan, before.length)
  const meaning = keyMeaningOf(key)
  openBlock(scan, before.length, meaning, around)
  const head = before + quote + key + quote + sign
  if (value === '' || blockScalar.test(value)) return line
  const definition = classIn(around, meaning, value.replace(quotedValue, '$2').trim())
  if (definition?.identifiesPerson && !meaning.isId) scan.personal.add(around.number)
  if (!definition && value.startsWith('{'))
    return (
      head + walk.json(withDeeperNotation(walk), value, `${path}/${meaning.name}`, around) + end
    )
  return head + redactWritten(scan, value, meaning, definition) + end
}

/** Whether a key tells what its line holds. */
const isTelling = (meaning: KeyMeaning): boolean =>
  hasClass(meaning) || meaning.person === true || Object.keys(meaning.inPlace).length > 0

/**
 * Redacts texts of lines with a key and a value: YAML, settings, notes (`notes: ring twice`). Indentation tells what
 * belongs to what. Lines without a key are redacted as any text. The text redacted; undefined when no line of it begins
 * with a key that tells what it holds.
 */
function redactKeyLines(
  walk: RedactionWalk,
  text: string,
  path: string,
  root: DocumentTopic,
): string | undefined {
  const lines = text.split('\n')
  const keys = lines.flatMap((line) => keyLine.exec(line)?.[3] ?? [])
  if (!keys.some((key) => isTelling(keyMeaningOf(key)))) return undefined
  const personal = new Set<number>()
  const redactLines = (by: RedactionWalk): string => {
    const top: Block = { ...root, indent: -1, meaning: noKey, forAll: undefined, number: 0 }
    const scan: Scan = { walk: by, path, open: [top], personal, blocks: 0 }
    return lines.map((line) => redactLine(scan, line)).join('\n')
  }
  const once = redactLines(walk)
  // Keys come in any order: whether a name is a person's is known at the end of its block.
  return personal.size > 0 ? redactLines(walk) : once
}
