/** Replaces known values in a finished line of a recording, and lists that among its redactions. */
import type { Redaction, Redactor } from '../redaction/redactor.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { endOfJsonContainer } from '../json/json-string.ts'

/** The members that identify a line and its times: numbers of ours, which may be equal to a telephone number. */
const lineHead =
  /^\{"_rec":\{"v":\d+,"type":"\w+","id":"[^"]*","seq":\d+(?:,"t":\{[^{}]*\})?(?:,"lt":\d+)?/

/** Merges redaction rows, without duplicates by path and class. */
export function mergeRedactions(before: unknown, now: readonly Redaction[]): readonly unknown[] {
  const rows = new Map<string, unknown>()
  for (const row of [...(Array.isArray(before) ? before : []), ...now])
    if (isUnknownRecord(row)) rows.set(`${String(row['p'])} ${String(row['c'])}`, row)
  return [...rows.values()]
}

const beforeRec = '{"_rec":'

/** Of a line only `_rec` is parsed: all else stays as it is. */
function withRedactions(line: string, red: readonly Redaction[]): string {
  if (!line.startsWith(beforeRec)) return line
  const end = endOfJsonContainer(line, beforeRec.length)
  const rec = JSON.parse(line.slice(beforeRec.length, end)) as UnknownRecord
  const next = { ...rec, red: mergeRedactions(rec['red'], red) }
  return beforeRec + JSON.stringify(next) + line.slice(end)
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
