/**
 * Public interface of redaction: takes a part of an exchange and returns it without secrets and personal data, with a
 * list of what was redacted. Applied when something is written, never to a live message. The replacement of a value is a
 * function of the key and the value; only a number that another value of the recording already has is drawn anew. With
 * `known`, what was redacted in one place is replaced everywhere else.
 */
import { type BodyContext, redactBody } from './body.ts'
import { needsNoRedaction } from './fast-path.ts'
import { redactHeader } from './headers.ts'
import { redactJson } from './json.ts'
import { keyMeaningOf } from './keys.ts'
import type { KnownValues } from './known-values.ts'
import { bodyPlaceholder, createPseudonyms, type KeyedHash } from './pseudonyms.ts'
import { createTextRedactor } from './text.ts'
import { type UrlParams, keepsUuidsAfter, redactParams, redactUrl, topicFromUrl } from './url.ts'
import {
  createReplacer,
  createSpending,
  type Redaction,
  type RedactionWalk,
  TooManyParts,
} from './walk.ts'

export type { KeyedHash } from './pseudonyms.ts'
export type { Redaction } from './walk.ts'

export interface Redacted<Value> {
  readonly value: Value
  /** Redactions in order, each path and class once. */
  readonly red: readonly Redaction[]
}

export interface Redactor {
  /** A URL and its path parameters. */
  readonly url: (url: string, params?: UrlParams) => Redacted<{ url: string; params?: UrlParams }>
  /**
   * Whether any UUID after `before` in a path that is the parameter `name` stays unchanged: then one URL serves as a
   * template for all of its kind.
   */
  readonly keepsUuidAfter: (before: string, name: string) => boolean
  readonly header: (
    side: RedactedSide,
    name: string,
    value: string,
    kind?: FieldKind,
  ) => Redacted<string>
  /** `url` is the request's: it gives the context of the document. */
  readonly body: (side: RedactedSide, text: string, type: string, url: string) => Redacted<string>
  /** An identifier of an order, an event, a merchant: only what cannot be part of one is redacted, as in the URL. */
  readonly id: (value: string) => string
  /** A sentence: an error message, a note. */
  readonly message: (text: string, path: string) => Redacted<string>
  /** What was redacted so far; absent when every text stands alone. */
  readonly known: KnownValues | undefined
  /** Replaces known values in text that is redacted and ready to be written: a line, a body. */
  readonly replaceKnown: (text: string) => Redacted<string>
  /** Redacts anything else: runs `work` and lists what it redacted. */
  readonly redactWith: <Value>(work: (walk: RedactionWalk) => Value) => Redacted<Value>
}

export type RedactedSide = 'request' | 'response'
/** Where the fields of a message stand: before its body or behind it. */
export type FieldKind = 'headers' | 'trailers'

const bodyPath = { request: 'q.body', response: 'p.body' } as const
/** Maximum number of rows of a list; its last row says that there were more. */
const maxRows = 200

/** A body with too many parts is replaced like one that is not read. */
function readBody(walk: RedactionWalk, text: string, context: BodyContext): string {
  try {
    return redactBody({ ...walk, spend: createSpending() }, text, context)
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error
    walk.report(context.path, 'body')
    return bodyPlaceholder(text, context.type, walk.pseudonyms)
  }
}

export function createRedactor(hash: KeyedHash, known?: KnownValues): Redactor {
  const pseudonyms = createPseudonyms(hash)
  const redactText = createTextRedactor()
  const replace = createReplacer()

  function withReport<Value>(work: (walk: RedactionWalk) => Value): Redacted<Value> {
    const rows = new Map<string, Redaction>()
    const value = work({
      pseudonyms,
      known,
      replace,
      depth: 0,
      report: (p, c) => {
        if (rows.size < maxRows) rows.set(`${p} ${c}`, { p, c })
        else rows.set('', { p: '…', c: 'more' })
      },
      text: redactText,
      json: redactJson,
    })
    return { value, red: [...rows.values()] }
  }

  return {
    url: (url, params) =>
      withReport((walk) => {
        const redacted = redactUrl(walk, url, 'q.url')
        return params
          ? { url: redacted, params: redactParams(walk, params, { was: url, is: redacted }) }
          : { url: redacted }
      }),
    keepsUuidAfter: (before, name) => {
      const { always, whenFitting } = keyMeaningOf(name)
      return !always && !whenFitting && keepsUuidsAfter(before)
    },
    header: (side, name, value, kind = 'headers') =>
      withReport((walk) =>
        redactHeader(
          walk,
          name,
          value,
          `${side === 'request' ? 'q' : 'p'}.${kind}.${name.toLowerCase()}`,
        ),
      ),
    body: (side, text, type, url) =>
      withReport((walk) =>
        readBody(walk, text, { type, path: bodyPath[side], root: topicFromUrl(url) }),
      ),
    id: (value) =>
      needsNoRedaction(value)
        ? value
        : withReport((walk) => redactText(walk, value, 'corr', true)).value,
    message: (text, path) => withReport((walk) => redactText(walk, text, path, false)),
    known,
    replaceKnown: (text) =>
      known
        ? withReport((walk) => known.replaceInText(text, (id) => walk.report('*', id)))
        : { value: text, red: [] },
    redactWith: withReport,
  }
}
