/**
 * Writes headers as the JSON of a line: redacted, with order and duplicates kept. Most messages repeat the same few
 * headers, so each is written once and cached.
 */
import type { HeaderPairs } from '../exchange.ts'
import { needsNoRedaction } from '../redaction/fast-path.ts'
import { headerKind } from '../redaction/headers.ts'
import type { Redaction, Redactor, RedactedSide } from '../redaction/redactor.ts'

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
  readonly red: readonly Redaction[]
  /** The redacted value, for every other place that has it. */
  readonly value: string
}

interface HeaderName {
  readonly prefix: string
  readonly use: HeaderUse | undefined
  readonly isPlain: boolean
  readonly values: Map<string, HeaderPart>
}

const maxNames = 400
const maxValues = 200
const maxCachedLength = 4096
const nothing: readonly Redaction[] = []

export interface HeadersJson {
  readonly json: string
  readonly red: readonly Redaction[]
  readonly type: string
  readonly requestId: string | undefined
  readonly merchant: string | undefined
}

export function createHeadersWriter(side: RedactedSide, redactor: Redactor | undefined) {
  const names = new Map<string, HeaderName>()

  function nameOf(name: string): HeaderName {
    const before = names.get(name)
    if (before) return before
    if (names.size >= maxNames) names.clear()
    const fresh: HeaderName = {
      prefix: `{"name":${JSON.stringify(name)},"value":`,
      use: uses.get(name.toLowerCase()),
      isPlain: headerKind(name) === 'plain',
      values: new Map(),
    }
    names.set(name, fresh)
    return fresh
  }

  function formatHeader({ isPlain, prefix }: HeaderName, name: string, given: string): HeaderPart {
    const { value, red } =
      !redactor || (isPlain && needsNoRedaction(given))
        ? { value: given, red: nothing }
        : redactor.header(side, name, given)
    return { json: `${prefix}${JSON.stringify(value)}}`, red, value }
  }

  function partOf(header: HeaderName, name: string, value: string): HeaderPart {
    const before = header.values.get(value)
    if (before) return before
    const fresh = formatHeader(header, name, value)
    // Request ids are unique: caching them would only evict other values.
    if (header.use === 'request' || value.length > maxCachedLength) return fresh
    if (header.values.size >= maxValues) header.values.clear()
    header.values.set(value, fresh)
    return fresh
  }

  return (pairs: HeaderPairs): HeadersJson => {
    let json = ''
    let red = nothing
    let type = ''
    let requestId: string | undefined
    let merchant: string | undefined
    for (const [name, value] of pairs) {
      const header = nameOf(name)
      const part = partOf(header, name, value)
      json = json === '' ? part.json : `${json},${part.json}`
      if (part.red.length > 0) red = [...red, ...part.red]
      if (header.use === 'type') type ||= value
      else if (header.use === 'request') requestId ??= part.value
      else if (header.use === 'merchant') merchant ??= part.value
    }
    return { json, red, type, requestId, merchant }
  }
}
