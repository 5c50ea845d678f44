/**
 * Writes headers as the JSON of a line: redacted, with order and duplicates kept. Most messages repeat the same few
 * headers, so each is written once and cached; names are looked up by position first and values by comparison, which
 * is cheaper than a map lookup.
 */
import type { HeaderPairs } from '../exchange.ts'
import { joinMembers, redactionRows } from './json-members.ts'
import { needsNoRedaction } from '../redaction/fast-path.ts'
import { headerKind } from '../redaction/headers.ts'
import type { FieldKind, Redactor, RedactedSide } from '../redaction/redactor.ts'

/** Headers whose value is used elsewhere in the line. */
type HeaderUse = 'type' | 'request' | 'merchant'

const uses: ReadonlyMap<string, HeaderUse> = new Map([
  ['content-type', 'type'],
  ['idempotency-key', 'request'],
  ['x-idempotency-key', 'request'],
  ['x-request-id', 'request'],
  ['x-app-merchantid', 'merchant'],
])

interface HeaderPart {
  readonly json: string
  readonly red: string
  /** The redacted value as a JSON string, for every other place that quotes it. */
  readonly literal: string
}

interface HeaderName {
  readonly prefix: string
  readonly use: HeaderUse | undefined
  readonly isPlain: boolean
  readonly values: Map<string, HeaderPart>
  readonly name: string
  /** The previous value, usually repeated. */
  lastValue: string
  last: HeaderPart | undefined
}

const maxNames = 400
const maxValues = 200
/** Maximum number of headers of a message whose names are cached by position. */
const maxNamesByPosition = 40
const maxCachedLength = 4096
export interface HeadersJson {
  readonly json: string
  readonly red: string
  readonly type: string
  readonly requestId: string | undefined
  readonly merchant: string | undefined
}

export function createHeadersWriter(
  side: RedactedSide,
  redactor: Redactor | undefined,
  kind: FieldKind = 'headers',
) {
  const names = new Map<string, HeaderName>()

  function nameOf(name: string): HeaderName {
    const before = names.get(name)
    if (before) return before
    if (names.size >= maxNames) names.clear()
    const fresh: HeaderName = {
      prefix: `{"name":${JSON.stringify(name)},"value":`,
      use: uses.get(name.toLowerCase()),
      isPlain: !redactor || headerKind(name) === 'plain',
      values: new Map(),
      name,
      lastValue: '',
      last: undefined,
    }
    names.set(name, fresh)
    return fresh
  }

  function formatHeader({ isPlain, prefix }: HeaderName, name: string, value: string): HeaderPart {
    if (!redactor || (isPlain && needsNoRedaction(value))) {
      const literal = JSON.stringify(value)
      return { json: `${prefix}${literal}}`, red: '', literal }
    }
    const redacted = redactor.header(side, name, value, kind)
    const literal = JSON.stringify(redacted.value)
    return { json: `${prefix}${literal}}`, red: redactionRows(redacted.red), literal }
  }

  function partOf(header: HeaderName, name: string, value: string): HeaderPart {
    // Comparing two short strings is cheaper than a map lookup.
    if (header.last && header.lastValue === value) return header.last
    // Request ids are unique: caching them would only evict other values.
    if (header.use === 'request' || value.length > maxCachedLength)
      return formatHeader(header, name, value)
    let part = header.values.get(value)
    if (!part) {
      part = formatHeader(header, name, value)
      if (header.values.size >= maxValues) header.values.clear()
      header.values.set(value, part)
    }
    header.last = part
    header.lastValue = value
    return part
  }

  /** The names of the message before: most messages of one side have the same, in the same order. */
  const lastNames: HeaderName[] = []

  function nameAt(index: number, name: string): HeaderName {
    const before = lastNames[index]
    if (before?.name === name) return before
    const header = nameOf(name)
    if (index < maxNamesByPosition) lastNames[index] = header
    return header
  }

  return (pairs: HeaderPairs): HeadersJson => {
    let json = ''
    let red = ''
    let type = ''
    let requestId: string | undefined
    let merchant: string | undefined
    let index = 0
    for (const [name, value] of pairs) {
      const header = nameAt(index++, name)
      const part = partOf(header, name, value)
      json = json === '' ? part.json : `${json},${part.json}`
      if (part.red !== '') red = joinMembers(red, part.red)
      if (header.use === 'type') type ||= value
      else if (header.use === 'request') requestId ??= part.literal
      else if (header.use === 'merchant') merchant ??= part.literal
    }
    return { json, red, type, requestId, merchant }
  }
}
