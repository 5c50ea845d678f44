/** Replaces known values in a finished line of a recording, and lists that among its redactions. */
import { isJsonMembers, type JsonMembers } from '../har-message.ts'
import type { Redaction, Redactor } from '../redaction/redactor.ts'

/** The members that identify a line and its times: numbers of ours, which may be equal to a telephone number. */
const lineHead =
  /^\{"_rec":\{"v":\d+,"type":"\w+","id":"[^"]*","seq":\d+(?:,"t":\{[^{}]*\})?(?:,"lt":\d+)?/

/** Merges redaction rows, without duplicates by path and class. */
export function mergeRedactions(before: unknown, now: readonly Redaction[]): readonly unknown[] {
  const rows = new Map<string, unknown>()
  for (const row of [...(Array.isArray(before) ? before : []), ...now])
    if (isJsonMembers(row)) rows.set(`${String(row['p'])} ${String(row['c'])}`, row)
  return [...rows.values()]
}

function withRedactions(line: string, red: readonly Redaction[]): string {
  const entry = JSON.parse(line) as JsonMembers
  const { _rec: rec, ...rest } = entry
  if (!isJsonMembers(rec)) return line
  return JSON.stringify({ _rec: { ...rec, red: mergeRedactions(rec['red'], red) }, ...rest })
}

/** The line without its line feed, and what was replaced. */
export function replaceKnownInLine(
  line: string,
  redactor: Redactor,
): { readonly text: string; readonly red: readonly Redaction[] } {
  const head = lineHead.exec(line)?.[0] ?? ''
  const { value, red } = redactor.replaceKnown(line.slice(head.length))
  return red.length === 0 ? { text: line, red } : { text: withRedactions(head + value, red), red }
}
