/** Parses `key=value` arguments: the value is JSON where it parses as JSON, else text. */
import { problem } from '../../../core/base/problem.ts'

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function parseKeyValuePairs(pairs: readonly string[]): Readonly<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1)
      throw problem('editing the item', `"${pair}" is no change`, 'Write each change as key=value.')
    changes[pair.slice(0, at)] = jsonOrText(pair.slice(at + 1))
  }
  return changes
}
