/** The fields of a token request, of a form or of JSON, in the documents’ form, and their names on the wire. */
import type { Conduct } from '../protocol/conduct.ts'
import { type BodyTranslator, bodyTranslator } from '../protocol/translation/translator.ts'
import { isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'
import { tryParseJson } from './json/try-parse-json.ts'

export function tokenFieldsIn(text = '', translator?: BodyTranslator): UnknownRecord {
  const body = text.trim()
  const value = /^[[{"]/.test(body)
    ? tryParseJson(body)
    : Object.fromEntries(new URLSearchParams(body))
  const fields = translator?.fromWire('issueToken', 'request', value) ?? value
  return isUnknownRecord(fields) ? fields : {}
}

const names = ['grant_type', 'client_id', 'client_secret'] as const

/** A sentence about a token request with the names that its fields have on the wire. */
export function withTokenNames(sentence: string, conduct: Pick<Conduct, 'translations'>): string {
  const translator = bodyTranslator(conduct)
  if (!translator?.translates('issueToken', 'request')) return sentence
  const own = Object.fromEntries(names.map((name) => [name, name]))
  const wire = translator.toWire('issueToken', 'request', own)
  const theirs = isUnknownRecord(wire) ? Object.entries(wire) : []
  return theirs.reduce(
    (text, [name, ours]) =>
      typeof ours === 'string' ? text.replaceAll(new RegExp(`\\b${ours}\\b`, 'g'), name) : text,
    sentence,
  )
}
