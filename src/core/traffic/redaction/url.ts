/** Redacts absolute or relative URLs: credentials, path, query and fragment. */
import { memoise } from '../memoise.ts'
import type { RedactionClass } from './class.ts'
import { contact } from './classes/contacts.ts'
import { secret } from './classes/secrets.ts'
import { isDistinctive, isOpaque } from './distinctive.ts'
import { isUuid } from './fast-path.ts'
import { classForKey, keyMeaningOf } from './keys.ts'
import { redactPairs } from './pairs.ts'
import { formDecode, percentEncode } from './percent-encoding.ts'
import { redactPatterns } from './patterns.ts'
import {
  learnPassword,
  replaceByClass,
  type DocumentTopic,
  type RedactionWalk,
  redactValue,
} from './walk.ts'
import { nameWords } from './words.ts'

const urlPattern =
  /^((?:[a-z][a-z\d+.-]*:)?\/\/)?(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is

/** The last URL and its topic: every part of a message asks for it. */
let lastUrl = ''
let lastTopic: DocumentTopic = {}

/** The topic of documents under a path, by the last segment that gives one: `/customers`, `/oauth/token`. */
export function topicFromUrl(url: string): DocumentTopic {
  if (url !== lastUrl) {
    lastTopic = findTopic(url)
    lastUrl = url
  }
  return lastTopic
}

/** What a segment says of documents under it; null: nothing. */
const topicOfNoun = memoise(1000, (noun: string): DocumentTopic | null => {
  if (/^(?:oauth2?|token|auth|login)$/i.test(noun)) return { place: 'auth' }
  if (/^(?:reviews?|ratings?)$/i.test(noun)) return { person: true }
  const { person } = keyMeaningOf(noun)
  return person === undefined ? null : { person }
})

function findTopic(url: string): DocumentTopic {
  let root: DocumentTopic = {}
  for (const segment of (urlPattern.exec(url)?.[4] ?? '').split('/'))
    if (!isUuid(segment)) root = topicOfNoun(segment.split(':')[0] ?? '') ?? root
  return root
}

/** Whether the next segment identifies a person: `/customers/…`. An empty segment changes nothing. */
const isPersonal = (segment: string, before: boolean): boolean =>
  segment === '' ? before : keyMeaningOf(segment.split(':')[0] ?? '').person === true

/** What a UUID behind these words is: a key of instant payments, or what lets one in. */
const opening = new Set(['pix', 'password', 'secret', 'token'])

/** UUIDs are kept without a key lookup: order ids are unique, so a lookup would never hit the cache. */
const isKeptUuid = (segment: string, personal: boolean, before: string): boolean =>
  !personal && isUuid(segment) && !nameWords(before).some((word) => opening.has(word))

const decodedSegment = (segment: string): string => formDecode(segment.replaceAll('+', '%2B'))

const anyUuid = '00000000-0000-0000-0000-000000000000'

/** Whether any UUID after this prefix of a URL without a query is kept and affects nothing else. */
export function keepsUuidsAfter(beginning: string): boolean {
  let personal = false
  let before = ''
  for (const segment of (urlPattern.exec(beginning)?.[4] ?? '').split('/')) {
    if (isKeptUuid(segment, personal, before)) continue
    personal = isPersonal(segment, personal)
    if (segment !== '') before = decodedSegment(segment)
  }
  return isKeptUuid(anyUuid, personal, before)
}

const parameter = { isParameter: true }

/**
 * `/bot123456:AAE…/sendMessage`, `/key=4f9a…/orders`, `/token:4f9a…`: a segment that names its secret. `/orders/o1:cancel`
 * and `/token:revoke` name none.
 */
const namedSegment = /^([a-z][\w-]*)([:=])([^:=]{4,}.*)$/i

const isSecretClass = ({ id }: RedactionClass): boolean =>
  /^(?:token|secret|signature|code|card|pix)$/.test(id)

/** Whether a segment behind the name of a secret is one: no word, and no version or number of an order. */
const isSecretSegment = ({ id }: RedactionClass, segment: string): boolean =>
  isUuid(segment) || isOpaque(segment, { isParameter: false })
    ? /^[\w~.=+-]+$/.test(segment)
    : (id === 'code' || id === 'card') && /^\d{3,}$/.test(segment)

function redactNamedSegment(walk: RedactionWalk, segment: string, at: string): string | undefined {
  const [, name = '', sign = '', value = ''] = namedSegment.exec(segment) ?? []
  if (value === '') return undefined
  const isBot = sign === ':' && /^bot\d+$/i.test(name)
  // `/token:revoke` is a custom method.
  if (!isBot && sign === ':' && !isOpaque(value, parameter)) return undefined
  const definition = isBot ? secret : secretNamed(name, value)
  if (!definition) return undefined
  const next = replaceByClass(walk, definition, value, at)
  return next === value ? segment : `${name}${sign}${percentEncode(next)}`
}

function secretNamed(name: string, value: string): RedactionClass | undefined {
  const definition = classForKey(keyMeaningOf(name), value, parameter)
  return definition && isSecretClass(definition) ? definition : undefined
}

/**
 * The address of a webhook may hold the secret that lets one call it, such as `/T00/B00/…` of a workspace and a bot.
 */
const hookPath = /\/(?:web-?)?hooks?\/|\/T[A-Z\d]{2,}\/B[A-Z\d]{2,}\//i
const workspaceAndBot = /^T[A-Z\d]{2,}\/B[A-Z\d]{2,}$/

const isHookSecret = (segment: string, twoBefore: readonly string[]): boolean =>
  (/\d/.test(segment) && isDistinctive(segment, 'placed')) ||
  (segment !== '' && workspaceAndBot.test(twoBefore.join('/')))

/** The class of a segment by the one before: `/phones/…`, `/cpf/…`, `/reset-password/…`. */
function classAfter(before: string, decoded: string): RedactionClass | undefined {
  const { always, ofPerson, whenFitting, whenOpaque } = keyMeaningOf(before)
  if (whenFitting?.id === 'pix')
    return whenFitting.fits?.(decoded) === true ? whenFitting : undefined
  const named = always && isSecretClass(always) ? always : whenOpaque
  if (named) return isSecretSegment(named, decoded) ? named : undefined
  const personal = always ?? ofPerson ?? whenFitting
  return personal?.identifiesPerson && contact.fits?.(decoded) === true ? contact : undefined
}

/** `/orders;jsessionid=…`: matrix parameters of one segment. */
function redactMatrix(walk: RedactionWalk, segment: string, at: string): string {
  const [name = '', ...pairs] = segment.split(';')
  return [redactSegments(walk, name, at), ...pairs.map((pair) => redactPairs(walk, pair, at))].join(
    ';',
  )
}

function redactSegments(walk: RedactionWalk, path: string, at: string, ofPerson = false): string {
  let personal = ofPerson
  let before = ''
  const segments = path.split('/')
  const isHookPath = hookPath.test(path)
  return segments
    .map((segment, index) => {
      if (isKeptUuid(segment, personal, before)) return segment
      if (/;[^;=]+=/.test(segment)) return redactMatrix(walk, segment, at)
      const behind = before
      const decoded = decodedSegment(segment)
      before = decoded
      const named = redactNamedSegment(walk, decoded, at)
      if (named !== undefined) return named === decoded ? segment : named
      const isContact = personal && contact.fits?.(decoded) === true
      const isHook = isHookPath && isHookSecret(decoded, segments.slice(index - 2, index))
      const definition = isContact ? contact : isHook ? secret : classAfter(behind, decoded)
      const next = redactValue(walk, definition, decoded, { path: at, quiet: true })
      personal = isPersonal(segment, personal)
      return next === decoded ? segment : percentEncode(next)
    })
    .join('/')
}

/** Its paths are telephone numbers. */
const personalHost = /(?:^|\.)(?:wa\.me|whatsapp\.com)$/i

export function redactUrl(walk: RedactionWalk, url: string, at: string): string {
  const match = urlPattern.exec(url)
  if (!match) return redactPatterns(walk, url, at, true)
  const [, scheme = '', login, host = '', path = '', query, fragment] = match
  const credentials = login === undefined ? '' : `${replaceByClass(walk, secret, login, at)}@`
  const password = login?.slice(login.indexOf(':') + 1)
  if (login?.includes(':') && password !== undefined) learnPassword(walk, formDecode(password), at)
  // A fragment carries tokens as pairs in some sign-in flows.
  const redactedFragment = fragment?.includes('=')
    ? `#${redactPairs(walk, fragment.slice(1), at)}`
    : fragment
      ? `#${redactSegments(walk, fragment.slice(1), at)}`
      : ''
  const redactedQuery =
    query === undefined || query === '?'
      ? (query ?? '')
      : `?${redactPairs(walk, query.slice(1), at, topicFromUrl(url).person === true)}`
  return (
    scheme +
    credentials +
    host +
    redactSegments(walk, path, at, personalHost.test(host)) +
    redactedQuery +
    redactedFragment
  )
}

export type UrlParams = Readonly<Record<string, string>>

/** Redacts path parameters; `url` is their URL before and after redaction. */
export function redactParams(
  walk: RedactionWalk,
  params: UrlParams,
  url: { readonly was: string; readonly is: string },
): UrlParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const path = `params.${name}`
      const meaning = keyMeaningOf(name)
      const definition = classForKey(meaning, value, {})
      if (definition) return [name, replaceByClass(walk, definition, value, path)]
      const next = walk.text(walk, value, path, meaning.isId)
      // A value redacted in the path must not stay in the parameters.
      const written = percentEncode(value)
      const wasRedacted = url.was.includes(written) && !url.is.includes(written)
      return [
        name,
        next === value && wasRedacted ? replaceByClass(walk, contact, value, path) : next,
      ]
    }),
  )
}
