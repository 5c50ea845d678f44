/**
 * Visits every place of an exchange that may hold an identifier; the visitor may answer a replacement. Learning and
 * substitution share this walk, so they see the same places.
 */
import { compact } from '../../base/compact.ts'
import {
  type Exchange,
  type ExchangeReply,
  type ExchangeRequest,
  type HeaderPairs,
  wireToResend,
} from '../exchange.ts'
import { headerKind } from '../redaction/headers.ts'
import { escapePointerKey } from '../json/json-pointer.ts'
import { editJson, type JsonPathFrame, framesPointer } from './edit-json.ts'
import { meaningAt, meaningOfName, type FieldMeaning } from './field-meaning.ts'
import { minEmbeddedChars, looksGenerated } from './identifier-shapes.ts'
import { innermostKey, shiftTimeText, type TimeShift } from './shift-times.ts'
import { editFormPairs, editUrl, isFormMessage, pathParameterNames } from './edit-url.ts'
import type { IdentifierKind } from './identifier-kind.ts'
import { memoise } from '../memoise.ts'

export type MessageSide = 'request' | 'reply'

export interface Mention {
  readonly side: MessageSide
  /** Place as in `Site`. */
  readonly at: () => string
  readonly value: string
  /** Kind, where the protocol defines it. */
  readonly kind?: IdentifierKind
  /** The name or value looks like an identifier, of a kind that the protocol does not define. */
  readonly isGuess: boolean
  /** Part of a longer string. */
  readonly isPart: boolean
}

/** Answers the replacement; undefined keeps the value. */
export type VisitMention = (mention: Mention) => string | undefined

export interface MentionWalk extends TimeShift {
  readonly visit: VisitMention
  /** Replaces what is no identifier in any text, before its mentions are visited: the phone number of a customer. */
  readonly text?: (text: string) => string | undefined
  /** Visit only fields whose kind the protocol defines. */
  readonly typedOnly?: true
}

const tokenPattern = /(?=[\w~.-]*[\d~])[\w~.-]{12,}/g
/** Most strings have no digit, and so no embedded identifier: a cheap first check. */
const hasDigit = /[\d~]/
const beginsAsTime = /^\d{4}-\d\d-\d\d[Tt ]/
const uuidInside = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i
/** Longer strings (characters) are prose, or unknown JSON. */
const maxEmbeddingChars = 4000
const maxValueChars = 500

interface MentionPlace {
  readonly side: MessageSide
  readonly at: () => string
  readonly said: FieldMeaning
}

const noMeaning: FieldMeaning = { isId: false, isPersonal: false }

/** Visits the token-like parts of a longer string. */
function editParts(
  text: string,
  { side, at }: MentionPlace,
  visit: VisitMention,
): string | undefined {
  if (text.length <= minEmbeddedChars || text.length > maxEmbeddingChars) return undefined
  if (!hasDigit.test(text) || beginsAsTime.test(text)) return undefined
  const visitPart = (value: string): string | undefined =>
    visit({ side, at, value, isGuess: false, isPart: true })
  const next = text.replaceAll(tokenPattern, (run) => {
    const bare = run.replace(/^\.+|\.+$/g, '')
    if (bare.length < minEmbeddedChars || bare === text) return run
    const whole = visitPart(bare)
    if (whole !== undefined) return run.replace(bare, () => whole)
    const [inside] = bare.length > 36 ? (uuidInside.exec(bare) ?? []) : []
    const part = inside === undefined || inside === bare ? undefined : visitPart(inside)
    return inside === undefined || part === undefined ? run : run.replace(inside, () => part)
  })
  return next === text ? undefined : next
}

function editText(value: string, place: MentionPlace, walk: MentionWalk): string | undefined {
  const replaced = walk.text?.(value)
  return editMention(replaced ?? value, place, walk) ?? replaced
}

function editMention(value: string, place: MentionPlace, walk: MentionWalk): string | undefined {
  const { visit, typedOnly } = walk
  const { side, at, said } = place
  const { kind, isId, isPersonal } = said
  if (kind !== undefined) {
    if (value === '' || value.length > maxValueChars) return undefined
    const whole = visit({ side, at, value, kind, isGuess: false, isPart: false })
    // A composed id, such as an order id and a suffix.
    return whole ?? (typedOnly ? undefined : editParts(value, place, visit))
  }
  if (typedOnly || isPersonal || value.length < 6) return undefined
  if (value.length <= maxValueChars && (isId || looksGenerated(value))) {
    const whole = visit({ side, at, value, isGuess: true, isPart: false })
    if (whole !== undefined) return whole
  }
  return editParts(value, place, visit)
}

/** A number is an identifier where the field says so and it is an integer of six digits or more. */
const isIdentifierNumber = (literal: string, { kind, isId }: FieldMeaning): boolean =>
  (kind !== undefined || isId) && /^[1-9]\d{5,}$/.test(literal)

function editDocument(
  exchange: Exchange,
  side: MessageSide,
  text: string,
  walk: MentionWalk,
): string {
  const { operation } = exchange
  let open: readonly JsonPathFrame[] = []
  // The frames are mutated as the walk proceeds, so a pointer is valid only during the visit.
  const at = (): string => `/body${framesPointer(open)}`
  const edited = editJson(text, (frames, value, isNumber) => {
    open = frames
    const said = meaningAt(frames, operation)
    if (isNumber && !isIdentifierNumber(value, said))
      return shiftTimeText(innermostKey(frames), value, walk)
    if (said.kind === undefined) {
      const moved = shiftTimeText(innermostKey(frames), value, walk)
      if (moved !== undefined) return moved
    }
    return editText(value, { side, at, said }, walk)
  })
  return edited ?? text
}

function editForm(exchange: Exchange, side: MessageSide, text: string, walk: MentionWalk): string {
  return editFormPairs(text, (name, value) => {
    const said = meaningOfName(name, exchange.operation)
    const at = (): string => `/body/${escapePointerKey(name)}`
    return editText(value, { side, at, said }, walk) ?? shiftTimeText(name, value, walk)
  })
}

function editBody(
  exchange: Exchange,
  side: MessageSide,
  message: Pick<ExchangeReply, 'headers' | 'body' | 'wire'>,
  walk: MentionWalk,
): string | undefined {
  const { body, wire } = message
  if (wire?.base64 !== undefined) return undefined
  if (body === undefined || body === '') return body
  return isFormMessage(message.headers)
    ? editForm(exchange, side, body, walk)
    : editDocument(exchange, side, body, walk)
}

const kindByHeader: Readonly<Record<string, IdentifierKind>> = {
  'x-correlation-id': 'request',
  'x-app-id': 'client',
}
const merchantHeader = /merchant-?id$/

function meaningOfHeader(name: string): FieldMeaning {
  const own = Object.hasOwn(kindByHeader, name) ? kindByHeader[name] : undefined
  const kind = merchantHeader.test(name) ? 'merchant' : own
  return kind ? { kind, isId: true, isPersonal: false } : meaningOfName(name, undefined)
}

/** Credentials have a scheme before the token, cookies have names. */
const kindBySecretHeader = {
  credentials: 'token',
  cookie: 'secret',
  'set-cookie': 'secret',
  secret: 'secret',
  signature: 'signature',
} as const satisfies Record<string, IdentifierKind>

function editCredentials(
  value: string,
  place: MentionPlace,
  walk: MentionWalk,
): string | undefined {
  const cut = value.lastIndexOf(' ') + 1
  const bare = value.slice(cut)
  const next = bare === '' ? undefined : editText(bare, place, walk)
  return next === undefined ? undefined : value.slice(0, cut) + next
}

/** What a header holds, by its name. */
interface HeaderInfo {
  readonly lower: string
  readonly request: MentionPlace
  readonly reply: MentionPlace
  /** The value follows a scheme (`Bearer …`). */
  readonly isSecret: boolean
}

const describeHeader = memoise(2000, (name): HeaderInfo => {
  const lower = name.toLowerCase()
  const at = (): string => `/headers/${escapePointerKey(lower)}`
  const secrecy = headerKind(lower)
  const isSecret = Object.hasOwn(kindBySecretHeader, secrecy)
  const said: FieldMeaning = isSecret
    ? {
        kind: kindBySecretHeader[secrecy as keyof typeof kindBySecretHeader],
        isId: true,
        isPersonal: false,
      }
    : meaningOfHeader(lower)
  return {
    lower,
    isSecret,
    request: { side: 'request', at, said },
    reply: { side: 'reply', at, said },
  }
})

function editHeader(name: string, value: string, side: MessageSide, walk: MentionWalk): string {
  const { lower, isSecret, [side]: place } = describeHeader(name)
  if (isSecret) return editCredentials(value, place, walk) ?? value
  return editText(value, place, walk) ?? shiftTimeText(lower, value, walk) ?? value
}

/** Edits headers. */
export function editHeaders(
  headers: HeaderPairs,
  side: MessageSide,
  walk: MentionWalk,
): HeaderPairs {
  let edited: HeaderPairs | undefined
  for (const [place, [name, value]] of headers.entries()) {
    const next = editHeader(name, value, side, walk)
    // Copy on first change only: exchanges are kept by the thousand.
    if (next !== value) edited = (edited ?? headers).with(place, [name, next])
  }
  return edited ?? headers
}

/** Edits a request. */
export function editRequest(exchange: Exchange, walk: MentionWalk): ExchangeRequest {
  const { request, operation } = exchange
  const names = pathParameterNames(exchange)
  const side = 'request'
  const url = editUrl(request.url, {
    path: (index, value) => {
      const name = names.get(index)
      const at = (): string => `/path/${name ?? index}`
      const said: FieldMeaning = name === undefined ? noMeaning : meaningOfName(name, operation)
      return editText(value, { side, at, said }, walk)
    },
    query: (name, value, index) => {
      const said = meaningOfName(name, operation)
      const at = (): string => `/query/${escapePointerKey(name)}/${index}`
      return editText(value, { side, at, said }, walk) ?? shiftTimeText(name, value, walk)
    },
  })
  const body = editBody(exchange, side, request, walk)
  return {
    method: request.method,
    url,
    headers: editHeaders(request.headers, side, walk),
    ...compact({ body }),
    ...wireToResend(request),
  }
}

/** Edits a reply; undefined when there was none. */
export function editReply(exchange: Exchange, walk: MentionWalk): ExchangeReply | undefined {
  const { reply } = exchange
  if (!reply) return undefined
  const body = editBody(exchange, 'reply', reply, walk)
  return {
    status: reply.status,
    headers: editHeaders(reply.headers, 'reply', walk),
    ...compact({ body }),
    ...wireToResend(reply),
  }
}

/** Restricts a walk to one side, or to fields whose kind the protocol defines. */
export interface MentionFilter {
  readonly side?: MessageSide | undefined
  readonly typedOnly?: true
}

/** Visits every mention without changing anything. */
export function forEachMention(
  exchange: Exchange,
  see: (mention: Mention) => void,
  { side, typedOnly }: MentionFilter = {},
): void {
  const visit: VisitMention = (mention) => {
    see(mention)
    return undefined
  }
  const walk = { visit, shiftMs: 0, ...compact({ typedOnly }) }
  if (side !== 'reply') editRequest(exchange, walk)
  if (side !== 'request') editReply(exchange, walk)
}
