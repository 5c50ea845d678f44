/** Recognises the notation of a text that is no JSON: markup, GraphQL, a table, lines of keys; and redacts it as such. */
import { redactGraphql } from './json.ts'
import { redactKeyLines } from './key-lines.ts'
import { redactMarkup } from './markup.ts'
import { redactTable } from './tables.ts'
import type { DocumentTopic, RedactionWalk } from './walk.ts'

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
