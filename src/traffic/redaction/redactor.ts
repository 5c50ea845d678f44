/**
 * Redaction as the rest of the program knows it: a part of an exchange in, the same part without secrets and people
 * out, and a list of what was done. It happens when something is written, never on a live message, and it is a
 * function of the key and the text alone: one value becomes the same stand-in everywhere and always.
 */
import { redactBody } from './body.ts'
import { isHarmless } from './fast-path.ts'
import { redactHeader } from './headers.ts'
import { redactJson } from './json.ts'
import { meaningOf } from './keys.ts'
import { createPseudonyms, type KeyedHash } from './pseudonyms.ts'
import { redactText } from './text.ts'
import { type Params, passesOverIds, redactParams, redactUrl, rootOf } from './url.ts'
import type { Redaction, Walk } from './walk.ts'

export type { KeyedHash } from './pseudonyms.ts'
export type { Redaction } from './walk.ts'

export interface Redacted<Value> {
  readonly value: Value
  /** What was done, in order, each path and class once. */
  readonly red: readonly Redaction[]
}

export interface Redactor {
  /** A URL, and the parameters that a route found in it. */
  readonly url: (url: string, params?: Params) => Redacted<{ url: string; params?: Params }>
  /**
   * Whether a UUID that stands in a path behind `before` and is the parameter `name` stays as it is, whichever it is:
   * then one URL tells how all of its kind are redacted.
   */
  readonly passesOver: (before: string, name: string) => boolean
  readonly header: (side: Side, name: string, value: string) => Redacted<string>
  /** `url` is the request's: it tells what the document is about. */
  readonly body: (side: Side, text: string, type: string, url: string) => Redacted<string>
  /** What the path says that documents under it are about; two URLs of one kind redact a body alike. */
  readonly about: (url: string) => string
  /** What names an order, an event, a merchant: only what cannot be an identifier is taken out, as it is out of the URL. */
  readonly id: (value: string) => string
  /** A sentence: an error's message, a note. */
  readonly message: (text: string, path: string) => Redacted<string>
  /** What is no exchange: the same walk through every notation, and one list of what was done. */
  readonly walking: <Value>(work: (walk: Walk) => Value) => Redacted<Value>
}

export type Side = 'request' | 'response'

const bodyPath = { request: 'q.body', response: 'p.body' } as const
/** A list of redactions has a bound; its last row says that there was more. */
const mostRows = 200

export function createRedactor(hash: KeyedHash): Redactor {
  const pseudonyms = createPseudonyms(hash)

  function listing<Value>(work: (walk: Walk) => Value): Redacted<Value> {
    const rows = new Map<string, Redaction>()
    const value = work({
      pseudonyms,
      depth: 0,
      report: (p, c) => {
        if (rows.size < mostRows) rows.set(`${p} ${c}`, { p, c })
        else rows.set('', { p: '…', c: 'more' })
      },
      text: redactText,
      json: redactJson,
    })
    return { value, red: [...rows.values()] }
  }

  return {
    url: (url, params) =>
      listing((walk) => {
        const redacted = redactUrl(walk, url, 'q.url')
        return params
          ? { url: redacted, params: redactParams(walk, params, { was: url, is: redacted }) }
          : { url: redacted }
      }),
    passesOver: (before, name) => {
      const { always, whenFitting } = meaningOf(name)
      return !always && !whenFitting && passesOverIds(before)
    },
    header: (side, name, value) =>
      listing((walk) =>
        redactHeader(
          walk,
          name,
          value,
          `${side === 'request' ? 'q' : 'p'}.headers.${name.toLowerCase()}`,
        ),
      ),
    body: (side, text, type, url) =>
      listing((walk) => redactBody(walk, text, { type, path: bodyPath[side], root: rootOf(url) })),
    about: (url) => {
      const { person, place = '' } = rootOf(url)
      return person === undefined ? place : person ? 'person' : 'business'
    },
    id: (value) =>
      isHarmless(value) ? value : listing((walk) => redactText(walk, value, 'corr', true)).value,
    message: (text, path) => listing((walk) => redactText(walk, text, path, false)),
    walking: listing,
  }
}
