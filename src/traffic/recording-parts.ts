/**
 * The parts of a line, finished: redacted and written as JSON. Traffic repeats itself (the same order is read again,
 * the same token comes with every call), so every part is made once and then remembered, within bounds.
 */
import type { Exchange, ExchangeReply, ExchangeRequest } from './exchange.ts'
import { createMemory, type Memory } from './generations.ts'
import { createHeaders, type HeadersPart } from './recording-headers.ts'
import { joined, redRows } from './recording-rows.ts'
import type { Redactor, Side } from './redaction/redactor.ts'

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

export interface MessagePart extends Omit<HeadersPart, 'json'> {
  /** A JSON list. */
  readonly headers: string
  readonly body: BodyPart | undefined
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

const bodiesKept = {
  request: { entries: 2000, bytes: 4_000_000 },
  response: { entries: 4000, bytes: 16_000_000 },
} as const

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
        red: body === undefined || body.red === '' ? red : joined(red, body.red),
        requestId,
        merchant,
        body,
      }
    },
  }
}
