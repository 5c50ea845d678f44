/** The error of a reply in one short text without ids, numbers and times, so that errors can be compared. */
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { ExchangeReply } from '../../core/traffic/exchange.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

const keys = ['code', 'errorCode', 'error', 'type', 'title', 'message', 'detail', 'reason'] as const

const maxChars = 120

/** Replaces what differs from reply to reply: UUIDs, hexadecimal and other ids, numbers. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\b[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}\b/g, '*')
    .replaceAll(/\b(?=[\w-]*\d)[\w-]+\b/g, '*')

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (Array.isArray(value)) return textIn(value[0], depth)
  if (!isUnknownRecord(value) || depth === 0) return undefined
  for (const key of keys) {
    const found = textIn(value[key], depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined when the reply says nothing. */
export function rejectionError({ body = '' }: ExchangeReply): string | undefined {
  const json = tryParseJson(body)
  const text = json === undefined ? body : textIn(json, 3)
  const line = text?.split('\n').find((each) => each.trim() !== '')
  return line === undefined ? undefined : withoutIds(line.trim()).slice(0, maxChars)
}
