/**
 * The parts of a line, finished: redacted and written as JSON. Traffic repeats itself (the same order is read again,
 * the same token comes with every call), so every part is made once and then remembered, within bounds.
 */
import type { Exchange, ExchangeReply, ExchangeRequest } from './exchange.ts'
import { createMemory, type Memory } from './generations.ts'
import { headerKind } from './redaction/headers.ts'
import { isHarmless } from './redaction/harmless.ts'
import type { Redaction, Redactor, Side } from './redaction/redactor.ts'

/** Where we read more in a header than its text. */
type Use = 'type' | 'request' | 'merchant'

const uses: Readonly<Record<string, Use>> = {
  'content-type': 'type',
  'idempotency-key': 'request',
  'x-idempotency-key': 'request',
  'x-request-id': 'request',
  'x-app-merchantid': 'merchant',
}

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

export interface UrlPart extends Where {
  /** What is written for it: a JSON string. */
  readonly json: string
  /** A JSON object; empty when there are no parameters. */
  readonly params: string
  readonly red: string
}

export interface BodyPart {
  /** A JSON string. */
  readonly json: string
  /** Bytes of the text before it was redacted. */
  readonly size: number
  readonly red: string
}

export interface MessagePart {
  /** A JSON list. */
  readonly headers: string
  readonly type: string
  /** What marks the tries of one message as one, as a JSON string. */
  readonly requestId: string | undefined
  /** As a JSON string. */
  readonly merchant: string | undefined
  readonly body: BodyPart | undefined
  readonly red: string
}

export interface Parts {
  readonly url: (exchange: Exchange) => UrlPart
  readonly message: (side: Side, part: ExchangeRequest | ExchangeReply, where: Where) => MessagePart
}

/** The URL as it was, and what its path says. */
export interface Where {
  readonly url: string
  readonly about: string
}

const mostNames = 400
const mostValues = 200
/** Headers of a message whose names are remembered by place. */
const mostRemembered = 40
const longestHeaderKept = 4096
const bodiesKept = {
  request: { entries: 2000, bytes: 4_000_000 },
  response: { entries: 4000, bytes: 16_000_000 },
} as const

/** Rows as JSON without the brackets, so that lists can be joined. */
export const redRows = (red: readonly Redaction[]): string =>
  red.length === 0 ? '' : JSON.stringify(red).slice(1, -1)

const join = (left: string, right: string): string =>
  left === '' ? right : right === '' ? left : `${left},${right}`

/** How many bytes a text is in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes++
    // A pair of surrogates is two units and four bytes; every other unit from here on has three.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}

interface HeadersPart {
  readonly json: string
  readonly red: string
  readonly type: string
  readonly requestId: string | undefined
  readonly merchant: string | undefined
}

function createHeaders(side: Side, redactor: Redactor | undefined) {
  const names = new Map<string, HeaderName>()

  function nameOf(name: string): HeaderName {
    const before = names.get(name)
    if (before) return before
    if (names.size >= mostNames) names.clear()
    const fresh: HeaderName = {
      prefix: `{"name":${JSON.stringify(name)},"value":`,
      use: uses[name.toLowerCase()],
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

  return (pairs: ExchangeRequest['headers']): HeadersPart => {
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
      if (part.red !== '') red = join(red, part.red)
      if (header.use === 'type') type ||= value
      else if (header.use === 'request') requestId ??= part.literal
      else if (header.use === 'merchant') merchant ??= part.literal
    }
    return { json, red, type, requestId, merchant }
  }
}

interface KeptBody extends BodyPart {
  readonly type: string
  /** The same text may mean another thing under another path. */
  readonly about: string
}

/** Beyond Latin-1, memory holds two bytes for every letter of a text. */
const isWide = /[\u0100-\uFFFF]/

function createBodies(side: Side, redactor: Redactor | undefined) {
  const kept: Memory<KeptBody> = createMemory(bodiesKept[side])

  return (text: string, type: string, { url, about }: Where): BodyPart => {
    const before = kept.get(text)
    if (before && before.type === type && before.about === about) return before
    const redacted = redactor ? redactor.body(side, text, type, url) : { value: text, red: [] }
    const size = utf8Length(text)
    const json = JSON.stringify(redacted.value)
    const part = { json, size, red: redRows(redacted.red), type, about }
    kept.set(text, part, (text.length + json.length) * (isWide.test(text) ? 2 : 1) + 200)
    return part
  }
}

type Params = Exchange['params']

interface KeptUrl extends UrlPart {
  readonly given: Params
}

function isSame(a: Params, b: Params): boolean {
  if (a === b) return true
  if (!a || !b) return false
  for (const name in a) if (a[name] !== b[name]) return false
  for (const name in b) if (!(name in a)) return false
  return true
}

const lengthOf = (params: Params): number =>
  Object.entries(params ?? {}).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

export function createParts(redactor: Redactor | undefined): Parts {
  const headers = {
    request: createHeaders('request', redactor),
    response: createHeaders('response', redactor),
  }
  const bodies = {
    request: createBodies('request', redactor),
    response: createBodies('response', redactor),
  }
  const urls = createMemory<KeptUrl>({ entries: 10_000, bytes: 8_000_000 })

  return {
    url: ({ request: { url }, params }) => {
      const before = urls.get(url)
      if (before && isSame(before.given, params)) return before
      const { value, red } = redactor
        ? redactor.url(url, params)
        : { value: { url, params }, red: [] }
      const part = {
        url,
        json: JSON.stringify(value.url),
        params: value.params ? JSON.stringify(value.params) : '',
        red: redRows(red),
        about: redactor?.about(url) ?? '',
        given: params,
      }
      urls.set(url, part, url.length * 4 + lengthOf(params) * 2 + 200)
      return part
    },
    message: (side, { headers: pairs, body: text }, where) => {
      const { json, red, type, requestId, merchant } = headers[side](pairs)
      const body = text === undefined ? undefined : bodies[side](text, type, where)
      return {
        headers: `[${json}]`,
        type,
        red: body === undefined || body.red === '' ? red : join(red, body.red),
        requestId,
        merchant,
        body,
      }
    },
  }
}
