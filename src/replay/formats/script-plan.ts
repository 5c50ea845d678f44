/**
 * Language-independent plan of a replay script: which response values are extracted and substituted in later requests,
 * where tokens are obtained, and one base URL variable per origin.
 */
import { correlate } from '../identity/correlation/correlate.ts'
import type { CorrelatedIdentifier } from '../../core/traffic/recording/correlation.ts'
import { pointerKeys, escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { headerValue, isStillCoded } from '../../core/traffic/exchange.ts'
import { isAnswerUnknown } from '../../core/traffic/recording/failure-comparison.ts'
import { headerKind } from '../../core/traffic/redaction/headers.ts'
import { appendTo } from '../../core/traffic/append-to.ts'

/** A response value that later requests need. */
export interface ExtractedValue {
  /** Variable name: capitals, digits and underscores. */
  readonly name: string
  readonly value: string
  /** Path in the JSON body. */
  readonly steps: readonly string[]
  /** Its member name, and the number of strings under that name before it in the document. */
  readonly key: string
  readonly place: number
}

export interface ScriptTarget {
  /** `ORDERING_APPLICATION_URL` */
  readonly variable: string
  /** `https://partner.example` */
  readonly origin: string
}

export interface ScriptCall {
  /** 1-based. */
  readonly number: number
  readonly exchange: RecordedExchange
  readonly place: ScriptTarget
  /** Path and query. */
  readonly pathAndQuery: string
  readonly extracts: readonly ExtractedValue[]
  /** Variables to substitute in this request, longest value first. */
  readonly uses: readonly Pick<ExtractedValue, 'name' | 'value'>[]
  /** The variable of its bearer token. */
  readonly token?: string
}

export type ScriptPlan = ReturnType<typeof planScript>

const upperSnakeCase = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase()

const originOf = /^(https?:\/\/[^/?#]+)(.*)$/is

/** A string of a document: its member name, and the number of strings under that name before it. */
interface DocumentString {
  readonly text: string
  readonly key: string
  readonly place: number
}

/** Nesting limit of the search for identifiers. */
const maxDepth = 200

/** The strings of a document by JSON pointer. */
function textsIn(document: unknown): ReadonlyMap<string, DocumentString> {
  const found = new Map<string, DocumentString>()
  const counts = new Map<string, number>()
  function go(value: unknown, at: string, key: string, depth: number): void {
    if (depth > maxDepth) return
    if (typeof value === 'string') {
      const place = counts.get(key) ?? 0
      counts.set(key, place + 1)
      if (key !== '') found.set(at, { text: value, key, place })
    } else if (Array.isArray(value))
      for (const [index, each] of value.entries())
        go(each, `${at}/${index}`, String(index), depth + 1)
    else if (isUnknownRecord(value))
      for (const [name, each] of Object.entries(value))
        go(each, `${at}/${escapePointerKey(name)}`, name, depth + 1)
  }
  go(document, '', '', 0)
  return found
}

const keyOf = (steps: readonly string[]): string =>
  steps.findLast((step) => !/^\d+$/.test(step)) ?? ''

/** The value at a correlation path (`/body/items/0/id`), if it can be extracted there. */
function extractedValueAt(
  name: string,
  texts: ReadonlyMap<string, DocumentString>,
  at: string,
  value: string,
): ExtractedValue | undefined {
  const found = at.startsWith(inBody) ? texts.get(at.slice(inBody.length)) : undefined
  if (found?.text !== value) return undefined
  return { name, value, steps: pointerKeys(at).slice(1), key: found.key, place: found.place }
}

const inBody = '/body'

/** In characters: shorter values match by coincidence. */
const minValueChars = 4

function createVariableNames() {
  const counts = new Map<string, number>()
  return {
    of({ kind, born }: CorrelatedIdentifier): string {
      const bare = upperSnakeCase(kind === 'unknown' ? keyOf(born.at.split('/')) : kind) || 'VALUE'
      const word = /^\d/.test(bare) ? `V_${bare}` : bare
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      return `${word}_${count}`
    },
  }
}

/** One URL variable per role and origin; further origins of a role are numbered. */
function createTargets(): {
  of: (role: string, origin: string) => ScriptTarget
  all: () => ScriptTarget[]
} {
  const known = new Map<string, ScriptTarget>()
  return {
    of(role, origin) {
      const before = known.get(`${role} ${origin}`)
      if (before) return before
      const same = [...known.keys()].filter((each) => each.startsWith(`${role} `)).length
      const variable = `${upperSnakeCase(role)}_URL${same === 0 ? '' : `_${same + 1}`}`
      const place = { variable, origin }
      known.set(`${role} ${origin}`, place)
      return place
    },
    all: () => [...known.values()],
  }
}

const bearerIn = ({ request }: RecordedExchange): string | undefined =>
  /^bearer +(\S.*)$/i.exec(headerValue(request.headers, 'authorization') ?? '')?.[1]

export const isTokenCall = ({ operation, request }: RecordedExchange): boolean =>
  operation === 'issueToken' || /\/oauth2?\/token(?:[?#]|$)/.test(request.url)

export function planScript(exchanges: readonly RecordedExchange[]) {
  const { identifiers } = correlate(exchanges, { ours: ({ party }) => party !== 'subject' })
  const names = createVariableNames()
  const places = createTargets()
  const numberOf = new Map(exchanges.map(({ recordId }, index) => [recordId, index]))
  const bodies = new Map<string, ReadonlyMap<string, DocumentString>>()
  const learns = new Map<string, ExtractedValue[]>()
  const uses = new Map<string, ExtractedValue[]>()

  const textsOf = ({ recordId, reply }: RecordedExchange): ReadonlyMap<string, DocumentString> => {
    const known = bodies.get(recordId)
    if (known) return known
    const fresh = textsIn(tryParseJson(reply?.body))
    bodies.set(recordId, fresh)
    return fresh
  }

  for (const identifier of identifiers) {
    const { born, value, origin } = identifier
    const at = numberOf.get(born.recordId)
    const exchange = at === undefined ? undefined : exchanges[at]
    // Shared identifiers come from configuration and are stable; secrets are obtained anew.
    const isLearned = origin !== 'secret' && origin !== 'shared'
    const isAnswered = born.side === 'reply' && born.at.startsWith(`${inBody}/`)
    if (!exchange || !isAnswered || !isLearned || value.length < minValueChars) continue
    const later = identifier.uses.filter(
      ({ recordId, side }) => side === 'request' && (numberOf.get(recordId) ?? -1) > (at ?? 0),
    )
    if (later.length === 0) continue
    const learned = extractedValueAt(names.of(identifier), textsOf(exchange), born.at, value)
    if (!learned) continue
    appendTo(learns, born.recordId, learned)
    for (const { recordId } of new Map(later.map((site) => [site.recordId, site])).values())
      appendTo(uses, recordId, learned)
  }

  const tokens = new Map<string, string>()
  const missing = new Map<string, { variable: string; place: ScriptTarget }>()
  const left: { number: number; because: string }[] = []
  const calls: ScriptCall[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const number = index + 1
    const [, origin, rest = ''] = originOf.exec(exchange.request.url) ?? []
    if (origin === undefined) {
      left.push({ number, because: 'its URL is not absolute' })
      continue
    }
    const place = places.of(exchange.to.role, origin)
    const learned = [...(learns.get(exchange.recordId) ?? [])]
    if (isTokenCall(exchange)) {
      const at = `${inBody}/access_token`
      const value = textsOf(exchange).get('/access_token')?.text
      const token = value && extractedValueAt(`TOKEN_${number}`, textsOf(exchange), at, value)
      if (value && token) {
        learned.push(token)
        tokens.set(value, token.name)
      }
    }
    const bearer = bearerIn(exchange)
    const known = bearer === undefined ? undefined : tokens.get(bearer)
    const variable = place.variable.replace('_URL', '_TOKEN')
    if (bearer !== undefined && known === undefined) missing.set(variable, { variable, place })
    calls.push({
      number,
      exchange,
      place,
      pathAndQuery: rest,
      extracts: learned,
      uses: (uses.get(exchange.recordId) ?? []).toSorted((a, b) => b.value.length - a.value.length),
      ...(bearer === undefined ? {} : { token: known ?? variable }),
    })
  }
  return {
    calls,
    targets: places.all(),
    /** Token variables that no recorded response provides. */
    missingTokens: [...missing.values()],
    /** Calls that cannot be scripted. */
    skipped: left,
  }
}

type Piece = { readonly text: string } | { readonly variable: string }

/** Splits a text at each occurrence of the value. */
const splitBy = (text: string, { name, value }: ScriptCall['uses'][number]): readonly Piece[] =>
  text
    .split(value)
    .flatMap((part, index): readonly Piece[] => [
      ...(index === 0 ? [] : [{ variable: name }]),
      ...(part === '' ? [] : [{ text: part }]),
    ])

/** A text as literal parts and variable references. */
export function splitAtVariables(text: string, uses: ScriptCall['uses']): readonly Piece[] {
  let pieces: readonly Piece[] = text === '' ? [] : [{ text }]
  for (const use of uses)
    if (text.includes(use.value))
      pieces = pieces.flatMap((piece) => ('text' in piece ? splitBy(piece.text, use) : [piece]))
  return pieces
}

/** Headers that a script does not send: those that the client sets itself, credentials and signatures. */
const notSent =
  /^(?:host|content-length|connection|transfer-encoding|accept-encoding|expect|keep-alive|te|trailer|upgrade|authorization|cookie|proxy-.*|:.*)$/i

export const scriptHeaders = ({ request }: RecordedExchange) =>
  request.headers.filter(
    ([name]) =>
      !notSent.test(name) &&
      headerKind(name) !== 'signature' &&
      (name.toLowerCase() !== 'content-encoding' || isStillCoded(request)),
  )

/** Signed with a secret of the sender, which a script does not have. */
export const isSignedRequest = ({ request }: RecordedExchange): boolean =>
  request.headers.some(([name]) => headerKind(name) === 'signature')

/** A one-line summary for comments: printable ASCII only, no line break. */
export function callTitle({ number, exchange }: ScriptCall): string {
  const { operation, request, from, to, reply } = exchange
  const [, , rest = ''] = originOf.exec(request.url) ?? []
  const what = operation ?? `${request.method} ${rest.split('?')[0]}`
  const outcome = reply
    ? `it was ${reply.status}`
    : isAnswerUnknown(exchange)
      ? 'its answer is not recorded'
      : 'there was no answer'
  return `${number}. ${what}: ${from.role} to ${to.role}; ${outcome}`.replaceAll(
    /[^\x20-\x7E]+/g,
    ' ',
  )
}
