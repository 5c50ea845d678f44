/** Joins lists and members in JSON text. */
import type { Redaction } from '../redaction/redactor.ts'

/** Redactions as JSON without the brackets, so that lists can be joined. */
export const redactionRows = (red: readonly Redaction[]): string =>
  red.length === 0 ? '' : JSON.stringify(red).slice(1, -1)

/** Joins two comma-separated lists. */
export const joinMembers = (left: string, right: string): string =>
  left === '' ? right : right === '' ? left : `${left},${right}`
