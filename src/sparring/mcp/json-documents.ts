/** Reads what a verb printed: one JSON document, several one after the other, or lines of JSON. */
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'

/** The documents in their order; undefined when the text is not JSON from its beginning to its end. */
export function parseJsonDocuments(text: string): readonly unknown[] | undefined {
  const documents: unknown[] = []
  let begun: string[] = []
  for (const line of text.split('\n')) {
    if (begun.length === 0 && line.trim() === '') continue
    begun.push(line)
    // A document that is printed in lines ends where a bracket stands at their beginning.
    if (begun.length > 1 && !/^[}\]]/.test(line)) continue
    const value = tryParseJson(begun.join('\n'))
    if (value === undefined) continue
    documents.push(value)
    begun = []
  }
  return begun.length === 0 ? documents : undefined
}
