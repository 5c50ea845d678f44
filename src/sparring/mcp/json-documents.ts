/** Reads what a verb printed: one JSON document, several one after the other, or lines of JSON. */

/** The documents in their order; undefined when the text is not JSON from its beginning to its end. */
export function parseJsonDocuments(text: string): readonly unknown[] | undefined {
  const documents: unknown[] = []
  let begun: string[] = []
  for (const line of text.split('\n')) {
    if (begun.length === 0 && line.trim() === '') continue
    begun.push(line)
    // A document that is printed in lines ends where a bracket stands at their beginning.
    if (begun.length > 1 && !/^[}\]]/.test(line)) continue
    const value = parsed(begun.join('\n'))
    if (value === undefined) continue
    documents.push(value)
    begun = []
  }
  return begun.length === 0 ? documents : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
