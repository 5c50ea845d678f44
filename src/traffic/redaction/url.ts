/** URLs, whole or relative: who is named in front of the host, what the path names, what the query carries. */
import type { RedactionClass } from './class.ts'
import { contact } from './classes/contacts.ts'
import { secret } from './classes/secrets.ts'
import { isUuid } from './fast-path.ts'
import { classOf, meaningOf } from './keys.ts'
import { decode, encode, redactPairs } from './pairs.ts'
import { redactPatterns } from './patterns.ts'
import { deeper, replaceWith, type Root, type Walk } from './walk.ts'

const parts = /^((?:[a-z][a-z\d+.-]*:)?\/\/)?(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is

/** What the documents under a path are about, by the last segment that says so: `/customers`, `/oauth/token`. */
export function rootOf(url: string): Root {
  let root: Root = {}
  const path = parts.exec(url)?.[4] ?? ''
  for (const segment of path.split('/')) {
    const [noun = ''] = isUuid(segment) ? [] : segment.split(':')
    if (/^(?:oauth2?|token|auth|login)$/i.test(noun)) root = { place: 'auth' }
    else if (/^(?:reviews?|ratings?)$/i.test(noun)) root = { person: true }
    else if (noun !== '') {
      const { person } = meaningOf(noun)
      if (person !== undefined) root = { person }
    }
  }
  return root
}

/** Whether what stands behind this segment is a person's: `/customers/…`. An empty one says nothing. */
const isPersonal = (segment: string, before: boolean): boolean =>
  segment === '' ? before : meaningOf(segment.split(':')[0] ?? '').person === true

/** Every order has an id of its own, so looking up what it might mean would never find it known. */
const isPassedOver = (segment: string, personal: boolean): boolean => !personal && isUuid(segment)

/** Whether a UUID behind this beginning of a URL without a query stays, whichever it is, and changes nothing else. */
export function passesOverIds(beginning: string): boolean {
  let personal = false
  for (const segment of (parts.exec(beginning)?.[4] ?? '').split('/'))
    if (!isPassedOver(segment, personal)) personal = isPersonal(segment, personal)
  return !personal
}

/** What only a secret looks like: long, no word, and no id that we know. */
const isOpaque = (segment: string): boolean =>
  segment.length >= 16 && /\d/.test(segment) && /^[\w~.-]+$/.test(segment) && !isUuid(segment)

/** What the segment before says of this one: `/phones/…`, `/cpf/…`, `/reset-password/…`. */
function classBehind(before: string, decoded: string): RedactionClass | undefined {
  const { always } = meaningOf(before)
  if (always?.id === 'token' || always?.id === 'secret')
    return isOpaque(decoded) ? always : undefined
  return always?.personal && contact.fits?.(decoded) === true ? contact : undefined
}

/** `/orders;jsessionid=…`: parameters of one segment. */
function redactMatrix(walk: Walk, segment: string, at: string): string {
  const [name = '', ...pairs] = segment.split(';')
  return [redactSegments(walk, name, at), ...pairs.map((pair) => redactPairs(walk, pair, at))].join(
    ';',
  )
}

function redactSegments(walk: Walk, path: string, at: string): string {
  let personal = false
  let before = ''
  return path
    .split('/')
    .map((segment) => {
      if (isPassedOver(segment, personal)) return segment
      if (/;[^;=]+=/.test(segment)) return redactMatrix(walk, segment, at)
      const behind = before
      before = segment
      const decoded = decode(segment.replaceAll('+', '%2B'))
      const isContact = personal && contact.fits?.(decoded) === true
      const definition = isContact ? contact : classBehind(behind, decoded)
      const next = definition
        ? replaceWith(walk, definition, decoded, at)
        : walk.text(deeper(walk), decoded, at, true)
      personal = isPersonal(segment, personal)
      return next === decoded ? segment : encode(next)
    })
    .join('/')
}

export function redactUrl(walk: Walk, url: string, at: string): string {
  const match = parts.exec(url)
  if (!match) return redactPatterns(walk, url, at, true)
  const [, scheme = '', login, host = '', path = '', query, fragment] = match
  const who = login === undefined ? '' : `${replaceWith(walk, secret, login, at)}@`
  // A fragment carries tokens in some sign-in flows, as pairs.
  const tail = fragment?.includes('=')
    ? `#${redactPairs(walk, fragment.slice(1), at)}`
    : fragment
      ? `#${redactSegments(walk, fragment.slice(1), at)}`
      : ''
  const asked =
    query === undefined || query === '?'
      ? (query ?? '')
      : `?${redactPairs(walk, query.slice(1), at, rootOf(url).person === true)}`
  return scheme + who + host + redactSegments(walk, path, at) + asked + tail
}

export type Params = Readonly<Record<string, string>>

/** The parameters that a route found in a URL, beside that URL as it was and as it is now. */
export function redactParams(
  walk: Walk,
  params: Params,
  url: { readonly was: string; readonly is: string },
): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const path = `params.${name}`
      const meaning = meaningOf(name)
      const definition = classOf(meaning, value, {})
      if (definition) return [name, replaceWith(walk, definition, value, path)]
      const next = walk.text(walk, value, path, meaning.isId)
      // What had to leave the path must not stand beside it.
      const written = encode(value)
      const left = url.was.includes(written) && !url.is.includes(written)
      return [name, next === value && left ? replaceWith(walk, contact, value, path) : next]
    }),
  )
}
