/** The list of what was redacted, as text that can be put together. */
import type { Redaction } from '../redaction/redactor.ts'

/** Rows as JSON without the brackets, so that lists can be joined. */
export const redRows = (red: readonly Redaction[]): string =>
  red.length === 0 ? '' : JSON.stringify(red).slice(1, -1)

/** Two lists, or two lists of members, as one. */
export const joined = (left: string, right: string): string =>
  left === '' ? right : right === '' ? left : `${left},${right}`
