/**
 * The reason that the body of a failed reply states, in one short line: the usual members of a JSON body, or the first line
 * of a text, redacted. What is returned shares no memory with the body.
 */
import { shortened } from '../protocol/count-text.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type { ExchangeReply, Exchange } from './exchange.ts'
import { tryParseJson } from './json/try-parse-json.ts'
import { displayMessage } from './redaction/display.ts'

/** Characters of a reason at most. */
const maxReasonChars = 400
/** Bodies that are longer are not parsed: no server states a reason in so many words. */
const maxParsedChars = 100_000
/** Characters of a text in which its first line is looked for. */
const maxTextChars = 2000

/** A text as one line of bounded length, copied: a part of a string keeps the whole string in memory. */
export function boundedLine(text: string, maxChars = maxReasonChars): string {
  const line = text.slice(0, maxTextChars).replaceAll(/\s+/g, ' ').trim()
  return JSON.parse(JSON.stringify(shortened(line, maxChars))) as string
}

/** Members that state a reason, the most telling first; `error` holds a text, or an object with such members. */
const reasonMembers = [
  'detail',
  'message',
  'error_description',
  'title',
  'description',
  'reason',
  'error',
  'errors',
  'details',
] as const

/** Levels of objects and lists that are looked into: `{"errors":[{"message":…}]}` has three. */
const maxLevels = 4

function reasonIn(value: unknown, level = 0): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (level >= maxLevels) return undefined
  if (Array.isArray(value)) return reasonIn(value[0], level + 1)
  if (!isUnknownRecord(value)) return undefined
  for (const name of reasonMembers) {
    const reason = reasonIn(value[name], level + 1)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** What an HTML page says in its title, since frameworks answer errors with pages. */
const pageTitle = (text: string): string | undefined =>
  /<(title|pre|h1)[^>]*>([^<]+)</i.exec(text.slice(0, maxTextChars))?.[2]

/** Undefined for no body, and for one that states nothing. */
export function statedReason({ body = '' }: Pick<ExchangeReply, 'body'>): string | undefined {
  const text = body.trimStart()
  if (text === '' || text.length > maxParsedChars) return undefined
  const value = text.startsWith('{') || text.startsWith('[') ? tryParseJson(text) : undefined
  const reason =
    value !== undefined ? reasonIn(value) : text.startsWith('<') ? pageTitle(text) : text
  return reason === undefined ? undefined : displayMessage(boundedLine(reason))
}

/** Why an exchange failed, as far as its reply or its failure says; for those that nothing else is known of. */
export const plainReason = ({
  reply,
  failure,
}: Pick<Exchange, 'reply' | 'failure'>): string | undefined =>
  failure ? boundedLine(failure.message) : reply && statedReason(reply)
