/**
 * Headers as they stand in a line: redacted, order and duplicates kept. The same few come with every message, so each
 * is made once; names are looked for by place first and values by comparison, which costs less than a lookup.
 */
import type { HeaderPairs } from '../exchange.ts'
import { joined, redRows } from './rows.ts'
import { isHarmless } from '../redaction/fast-path.ts'
import { headerKind } from '../redaction/headers.ts'
import type { Redactor, Side } from '../redaction/redactor.ts'

/** Where we read more in a header than its text. */
type Use = 'type' | 'request' | 'merchant'

const uses: ReadonlyMap<string, Use> = new Map([
  ['content-type', 'type'],
  ['idempotency-key', 'request'],
  ['x-idempotency-key', 'request'],
  ['x-request-id', 'request'],
  ['x-app-merchantid', 'merchant'],
])

interface HeaderPart {
  readonly json: string
  readonly red: string
  /** The value as a JSON string, redacted: what else quotes it must not say more. */
  readonly literal: string
}

interface HeaderName {
  readonly prefix: string
  readonly use: Use | undefined
  readonly isPlain: boolean
  readonly values: Map<string, HeaderPart>
  readonly name: string
  /** The value that it had last, and mostly has again. */
  lastValue: string
  last: HeaderPart | undefined
}

const mostNames = 400
const mostValues = 200
/** Headers of a message whose names are remembered by place. */
const mostRemembered = 40
const longestHeaderKept = 4096
export interface HeadersPart {
  readonly json: string
  readonly red: string
  readonly type: string
  readonly requestId: string | undefined
  readonly merchant: string | undefined
}

export function createHeaders(side: Side, redactor: Redactor | undefined) {
  const names = new Map<string, HeaderName>()

  function nameOf(name: string): HeaderName {
    const before = names.get(name)
    if (before) return before
    if (names.size >= mostNames) names.clear()
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

  function make({ isPlain, prefix }: HeaderName, name: string, value: string): HeaderPart {
    if (!redactor || (isPlain && isHarmless(value))) {
      const literal = JSON.stringify(value)
      return { json: `${prefix}${literal}}`, red: '', literal }
    }
    const redacted = redactor.header(side, name, value)
    const literal = JSON.stringify(redacted.value)
    return { json: `${prefix}${literal}}`, red: redRows(redacted.red), literal }
  }

  function partOf(header: HeaderName, name: string, value: string): HeaderPart {
    // To compare two short texts costs less than to look one up.
    if (header.last && header.lastValue === value) return header.last
    // Every request has an id of its own: remembering those would only push the others out.
    if (header.use === 'request' || value.length > longestHeaderKept)
      return make(header, name, value)
    let part = header.values.get(value)
    if (!part) {
      part = make(header, name, value)
      if (header.values.size >= mostValues) header.values.clear()
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
    if (index < mostRemembered) lastNames[index] = header
    return header
  }

  return (pairs: HeaderPairs): HeadersPart => {
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
      if (part.red !== '') red = joined(red, part.red)
      if (header.use === 'type') type ||= value
      else if (header.use === 'request') requestId ??= part.literal
      else if (header.use === 'merchant') merchant ??= part.literal
    }
    return { json, red, type, requestId, merchant }
  }
}
