/**
 * Every place in an exchange in which an identifier may stand, in one walk that also writes: whoever is shown a place
 * may answer what is to stand there instead. Learning and substitution see the same places, because they are the same
 * walk.
 */
import type { Exchange, ExchangeReply, ExchangeRequest, HeaderPairs } from '../exchange.ts'
import { headerKind } from '../redaction/headers.ts'
import { pointerPart } from '../json/json-pointer.ts'
import { editJson, type Frame, pointerOf } from './json-text.ts'
import { kindAt, kindOfName, type Said } from './kinds.ts'
import { leastEmbedded, looksMinted } from './shapes.ts'
import { keyOf, movedText } from './times.ts'
import { editPairs, editUrl, isForm, pathNames } from './url-places.ts'
import type { IdentifierKind } from './identifier-kind.ts'

export type Side = 'request' | 'reply'

export interface Mention {
  readonly side: Side
  /** As in `Site`. */
  readonly at: () => string
  readonly value: string
  /** What the protocol says it names. */
  readonly kind?: IdentifierKind
  /** It has the name or the looks of an identifier, and the protocol does not know of what. */
  readonly isGuess: boolean
  /** It is a part of a longer text. */
  readonly isPart: boolean
}

/** Answers what is to stand there; undefined when that stays. */
export type Visit = (mention: Mention) => string | undefined

export interface Walk {
  readonly visit: Visit
  /** Points in time are moved by so many milliseconds. */
  readonly shiftMs: number
  /** Only what the protocol types is shown. */
  readonly typedOnly?: true
}

const token = /(?=[\w~.-]*[\d~])[\w~.-]{12,}/g
/** Most texts have none, and so no part that is an identifier: that is seen sooner than the parts are. */
const hasDigit = /[\d~]/
const beginsAsTime = /^\d{4}-\d\d-\d\d[Tt ]/
const uuidInside = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i
/** Longer texts are prose, or no JSON that we know. */
const mostEmbedding = 4000
const mostValue = 500

interface Place {
  readonly side: Side
  readonly at: () => string
  readonly said: Said
}

const unsaid: Said = { isId: false, isPersonal: false }

/** The parts of a longer text, each looked at for itself. */
function editParts(text: string, { side, at }: Place, visit: Visit): string | undefined {
  if (text.length <= leastEmbedded || text.length > mostEmbedding) return undefined
  if (!hasDigit.test(text) || beginsAsTime.test(text)) return undefined
  const one = (value: string): string | undefined =>
    visit({ side, at, value, isGuess: false, isPart: true })
  const next = text.replaceAll(token, (run) => {
    const bare = run.replace(/^\.+|\.+$/g, '')
    if (bare.length < leastEmbedded || bare === text) return run
    const whole = one(bare)
    if (whole !== undefined) return run.replace(bare, () => whole)
    const [inside] = bare.length > 36 ? (uuidInside.exec(bare) ?? []) : []
    const part = inside === undefined || inside === bare ? undefined : one(inside)
    return inside === undefined || part === undefined ? run : run.replace(inside, () => part)
  })
  return next === text ? undefined : next
}

function editText(value: string, place: Place, walk: Walk): string | undefined {
  const { visit, typedOnly } = walk
  const { side, at, said } = place
  const { kind, isId, isPersonal } = said
  if (kind !== undefined) {
    if (value === '' || value.length > mostValue) return undefined
    const whole = visit({ side, at, value, kind, isGuess: false, isPart: false })
    // A mark that somebody put together of an order and a word.
    return whole ?? (typedOnly ? undefined : editParts(value, place, visit))
  }
  if (typedOnly || isPersonal || value.length < 6) return undefined
  if (value.length <= mostValue && (isId || looksMinted(value))) {
    const whole = visit({ side, at, value, isGuess: true, isPart: false })
    if (whole !== undefined) return whole
  }
  return editParts(value, place, visit)
}

/** A number is an identifier where the protocol says so, and where it is long and whole. */
const mayName = (literal: string, { kind, isId }: Said): boolean =>
  (kind !== undefined || isId) && /^[1-9]\d{5,}$/.test(literal)

function editDocument(exchange: Exchange, side: Side, text: string, walk: Walk): string {
  const { shiftMs } = walk
  const { operation } = exchange
  let open: readonly Frame[] = []
  // The frames go on with the walk, so a pointer is only good while the visit lasts.
  const at = (): string => `/body${pointerOf(open)}`
  const edited = editJson(text, (frames, value, isNumber) => {
    open = frames
    const said = kindAt(frames, operation)
    if (isNumber && !mayName(value, said)) return movedText(keyOf(frames), value, shiftMs)
    if (said.kind === undefined) {
      const moved = movedText(keyOf(frames), value, shiftMs)
      if (moved !== undefined) return moved
    }
    return editText(value, { side, at, said }, walk)
  })
  return edited ?? text
}

function editForm(exchange: Exchange, side: Side, text: string, walk: Walk): string {
  return editPairs(text, (name, value) => {
    const said = kindOfName(name, exchange.operation)
    const at = (): string => `/body/${pointerPart(name)}`
    return editText(value, { side, at, said }, walk) ?? movedText(name, value, walk.shiftMs)
  })
}

function editBody(
  exchange: Exchange,
  side: Side,
  message: { readonly headers: HeaderPairs; readonly body?: string },
  walk: Walk,
): string | undefined {
  const { body } = message
  if (body === undefined || body === '') return body
  return isForm(message.headers)
    ? editForm(exchange, side, body, walk)
    : editDocument(exchange, side, body, walk)
}

const inHeader: Readonly<Record<string, IdentifierKind>> = {
  'x-correlation-id': 'request',
  'x-app-id': 'client',
}
const merchantHeader = /merchant-?id$/

function saidOfHeader(name: string): Said {
  const own = Object.hasOwn(inHeader, name) ? inHeader[name] : undefined
  const kind = merchantHeader.test(name) ? 'merchant' : own
  return kind ? { kind, isId: true, isPersonal: false } : kindOfName(name, undefined)
}

/** A scheme stands before the token, and a cookie has names. */
const secretIn = {
  credentials: 'token',
  cookie: 'secret',
  'set-cookie': 'secret',
  secret: 'secret',
  signature: 'signature',
} as const satisfies Record<string, IdentifierKind>

function editCredentials(value: string, place: Place, walk: Walk): string | undefined {
  const cut = value.lastIndexOf(' ') + 1
  const bare = value.slice(cut)
  const next = bare === '' ? undefined : editText(bare, place, walk)
  return next === undefined ? undefined : value.slice(0, cut) + next
}

/** A header by its name: what it holds, and where that stands. */
interface KnownHeader {
  readonly lower: string
  readonly request: Place
  readonly reply: Place
  /** Credentials stand behind a scheme. */
  readonly isSecret: boolean
}

/** Messages of one recording have nearly the same headers; whoever makes names up is bounded. */
const headersByName = new Map<string, KnownHeader>()
const mostHeaders = 2000

function headerOf(name: string): KnownHeader {
  const known = headersByName.get(name)
  if (known) return known
  const lower = name.toLowerCase()
  const at = (): string => `/headers/${pointerPart(lower)}`
  const secrecy = headerKind(lower)
  const isSecret = Object.hasOwn(secretIn, secrecy)
  const said: Said = isSecret
    ? { kind: secretIn[secrecy as keyof typeof secretIn], isId: true, isPersonal: false }
    : saidOfHeader(lower)
  const fresh: KnownHeader = {
    lower,
    isSecret,
    request: { side: 'request', at, said },
    reply: { side: 'reply', at, said },
  }
  if (headersByName.size >= mostHeaders) headersByName.clear()
  headersByName.set(name, fresh)
  return fresh
}

function editHeader(name: string, value: string, side: Side, walk: Walk): string {
  const { lower, isSecret, [side]: place } = headerOf(name)
  if (isSecret) return editCredentials(value, place, walk) ?? value
  return editText(value, place, walk) ?? movedText(lower, value, walk.shiftMs) ?? value
}

/** Headers, with what the walk answers in their places. */
export function editHeaders(headers: HeaderPairs, side: Side, walk: Walk): HeaderPairs {
  let edited: HeaderPairs | undefined
  for (const [place, [name, value]] of headers.entries()) {
    const next = editHeader(name, value, side, walk)
    // Most headers stay, and exchanges are kept by the thousand.
    if (next !== value) edited = (edited ?? headers).with(place, [name, next])
  }
  return edited ?? headers
}

/** The request, with what the walk answers in its places. */
export function editRequest(exchange: Exchange, walk: Walk): ExchangeRequest {
  const { request, operation } = exchange
  const names = pathNames(exchange)
  const side = 'request'
  const url = editUrl(request.url, {
    path: (index, value) => {
      const name = names.get(index)
      const at = (): string => `/path/${name ?? index}`
      const said: Said = name === undefined ? unsaid : kindOfName(name, operation)
      return editText(value, { side, at, said }, walk)
    },
    query: (name, value, index) => {
      const said = kindOfName(name, operation)
      const at = (): string => `/query/${pointerPart(name)}/${index}`
      return editText(value, { side, at, said }, walk) ?? movedText(name, value, walk.shiftMs)
    },
  })
  const body = editBody(exchange, side, request, walk)
  return {
    method: request.method,
    url,
    headers: editHeaders(request.headers, side, walk),
    ...(body === undefined ? {} : { body }),
  }
}

/** The reply, likewise; undefined when there was none. */
export function editReply(exchange: Exchange, walk: Walk): ExchangeReply | undefined {
  const { reply } = exchange
  if (!reply) return undefined
  const body = editBody(exchange, 'reply', reply, walk)
  return {
    status: reply.status,
    headers: editHeaders(reply.headers, 'reply', walk),
    ...(body === undefined ? {} : { body }),
  }
}

/** What is looked at: one side of an exchange, or those places only that the protocol types. */
export interface Sight {
  readonly side?: Side | undefined
  readonly typedOnly?: true
}

/** Shows every place of an exchange, and changes nothing. */
export function eachMention(
  exchange: Exchange,
  see: (mention: Mention) => void,
  { side, typedOnly }: Sight = {},
): void {
  const visit: Visit = (mention) => {
    see(mention)
    return undefined
  }
  const walk = { visit, shiftMs: 0, ...(typedOnly ? { typedOnly } : {}) }
  if (side !== 'reply') editRequest(exchange, walk)
  if (side !== 'request') editReply(exchange, walk)
}
