/** Redacts headers: the kind of each by its name, and what of it is replaced. */
import { network } from './classes/machines.ts'
import { secret, signature, token } from './classes/secrets.ts'
import {
  classForKey,
  evidenceOfClass,
  hasClass,
  type KeyMeaning,
  keyMeaningOf,
  isHarmlessName,
} from './keys.ts'
import { evidenceOfName } from './learn-redacted.ts'
import { redactPairs } from './pairs.ts'
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { redactUrl } from './url.ts'
import { replaceByClass, replaceByEvidence, type RedactionWalk } from './walk.ts'
import { memoise } from '../memoise.ts'
import { nameWords } from './words.ts'

export type HeaderKind =
  | 'plain'
  /** Scheme and credentials. */
  | 'credentials'
  | 'cookie'
  | 'set-cookie'
  | 'secret'
  | 'signature'
  | 'address'
  | 'url'
  /** Comma-separated names and values. */
  | 'pairs'
  /** A scheme with parameters, some of which tell only what is asked for. */
  | 'challenge'
  /** The name of a file, which may be encoded. */
  | 'file'
  /** The header's name is a known key. */
  | 'keyed'

/** By lower-case name. A map: a header may be called `constructor`. */
const kindByName: ReadonlyMap<string, HeaderKind> = new Map(
  Object.entries({
    authorization: 'credentials',
    'proxy-authorization': 'credentials',
    cookie: 'cookie',
    cookie2: 'cookie',
    'set-cookie': 'set-cookie',
    'set-cookie2': 'set-cookie',
    baggage: 'pairs',
    'content-disposition': 'file',
    'content-md5': 'signature',
    referer: 'url',
    location: 'url',
    'content-location': 'url',
    origin: 'url',
    link: 'url',
    'x-forwarded-for': 'address',
    'x-real-ip': 'address',
    'x-client-ip': 'address',
    'true-client-ip': 'address',
    'cf-connecting-ip': 'address',
    forwarded: 'address',
    // Names that contain words of secrets, but hold none.
    'www-authenticate': 'challenge',
    'proxy-authenticate': 'challenge',
    'authentication-info': 'challenge',
    'proxy-authentication-info': 'challenge',
    ':authority': 'plain',
    'idempotency-key': 'plain',
    'x-idempotency-key': 'plain',
    'sec-websocket-key': 'plain',
    'access-control-allow-credentials': 'plain',
  } as const satisfies Record<string, HeaderKind>),
)

const signatureWords = new Set(['signature', 'assinatura', 'signing', 'hmac', 'digest', 'hash'])
const credentialWords = new Set(['authentication', 'authorization', 'token', 'bearer', 'jwt'])
const secretWords = new Set(['secret', 'csrf', 'password', 'session', 'credential', 'key', 'pass'])
const addressName = /(?:^|[-_])(?:ip|addr|ip-?address|external-address)$|forwarded-for$/

/** By the name as it is written. */
export const headerKind = memoise(1000, (name): HeaderKind => {
  const lower = name.toLowerCase()
  const known = kindByName.get(lower)
  if (known) return known
  if (addressName.test(lower)) return 'address'
  const words = nameWords(name)
  const has = (names: ReadonlySet<string>) => words.some((word) => names.has(word))
  if (!isHarmlessName(words)) {
    if (has(signatureWords)) return 'signature'
    if (has(credentialWords)) return 'credentials'
    if (has(secretWords)) return 'secret'
  }
  return hasClass(keyMeaning(name)) ? 'keyed' : 'plain'
})

/** `X-Customer-Cpf` is the key `customer-cpf`. */
const keyMeaning = (name: string): KeyMeaning => keyMeaningOf(name.replace(/^x[-_]/i, ''))

/**
 * Several cookies that an archive or a program joined into one header: by line ends, or by commas, behind which a name
 * and `=` follow. The comma of a date (`Expires=Wed, 21 Oct 2026`) joins nothing.
 */
const cookieJoints = /(\s*[\r\n]+\s*|,\s*(?=[^\s;,="]+=))/

const redactJoinedCookies = (
  walk: RedactionWalk,
  value: string,
  path: string,
  several: boolean,
): string =>
  value
    .split(cookieJoints)
    .map((part, index) => (index % 2 === 1 ? part : redactCookies(walk, part, path, several)))
    .join('')

/**
 * Redacts cookie values. Names stay, and so do the attributes after the first pair of `Set-Cookie`: path, lifetime,
 * flags.
 */
function redactCookies(walk: RedactionWalk, value: string, path: string, several: boolean): string {
  return value
    .split(';')
    .map((part, index) => {
      const cut = part.indexOf('=')
      // Attributes of `Set-Cookie` may still contain personal data.
      if (!several && index > 0) return walk.text(walk, part, path, true)
      const evidence = evidenceOfName(part.slice(0, Math.max(0, cut)))
      if (cut < 0) {
        const bare = part.trimStart()
        const next = replaceByEvidence(walk, token, bare, { path, evidence })
        return part.slice(0, part.length - bare.length) + next
      }
      const next = replaceByEvidence(walk, token, part.slice(cut + 1), { path, evidence })
      return part.slice(0, cut + 1) + next
    })
    .join(';')
}

/** Replaces the IP addresses in `a, b` and `for=a;proto=https`; the rest stays. */
const redactAddresses = (walk: RedactionWalk, value: string, path: string): string =>
  value.replaceAll(
    /(?<![\w.~])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?:[\da-f]{0,4}:){2,}[\da-f]{0,4}/gi,
    (found) => replaceByClass(walk, network, found, path),
  )

const redactMembers = (walk: RedactionWalk, value: string, path: string): string =>
  value
    .split(',')
    .map((pair) => redactPairs(walk, pair, path))
    .join(',')

/** `filename*=UTF-8''…` is percent-encoded (RFC 8187). */
const redactFile = (walk: RedactionWalk, value: string, path: string): string =>
  walk.text(
    walk,
    value.replaceAll(
      /(\*\s*=\s*[\w-]*'[\w-]*')([^;\s]+)/g,
      (whole, sign: string, coded: string) => {
        const name = percentDecode(coded)
        const next = walk.text(walk, name, path, true)
        return next === name ? whole : sign + percentEncode(next)
      },
    ),
    path,
    true,
  )

const plainParameter =
  /^(?:realm|charset|algorithm|qop|stale|title|domain|scope|error|error_uri|userhash|service|type|resource_metadata|authorization_uri|max_age|acr_values|nc)$/i
const challengeParameter = /([\w*-]+)(\s*=\s*)("(?:[^"\\]|\\.)*"?|[^\s,"=]+)/g
const challengeToken =
  /\b((?:Negotiate|NTLM|Bearer|Basic|Token|DPoP) +)([\w.~+/-]{8,}=*)(?=\s*(?:,|$))/gi

/** What a challenge asks for stays; a token in it, or in its description of the error, does not. */
const redactChallenge = (walk: RedactionWalk, value: string, path: string): string =>
  value
    .replaceAll(
      challengeToken,
      (_, scheme: string, bare: string) => scheme + replaceByClass(walk, token, bare, path),
    )
    .replaceAll(challengeParameter, (whole, name: string, sign: string, written: string) => {
      const [, quote = '', inner = '', end = ''] = /^("?)(.*?)("?)$/s.exec(written) ?? []
      const isText = plainParameter.test(name) || /\s/.test(inner)
      const next = isText
        ? walk.text(walk, inner, path, true)
        : replaceByClass(walk, token, inner, path)
      return next === inner ? whole : name + sign + quote + next + end
    })

type HeaderRedactor = (walk: RedactionWalk, value: string, path: string, name: string) => string

const redactorByKind: Readonly<Record<HeaderKind, HeaderRedactor>> = {
  credentials: (walk, value, path) => replaceByClass(walk, token, value, path),
  cookie: (walk, value, path) => redactJoinedCookies(walk, value, path, true),
  'set-cookie': (walk, value, path) => redactJoinedCookies(walk, value, path, false),
  secret: (walk, value, path, name) =>
    replaceByEvidence(walk, secret, value, { path, evidence: evidenceOfName(name) }),
  signature: (walk, value, path) => replaceByClass(walk, signature, value, path),
  address: redactAddresses,
  url: redactUrl,
  pairs: redactMembers,
  challenge: redactChallenge,
  file: redactFile,
  keyed: (walk, value, path) => walk.text(walk, value, path, true),
  plain: (walk, value, path) => walk.text(walk, value, path, true),
}

export function redactHeader(
  walk: RedactionWalk,
  name: string,
  value: string,
  path: string,
): string {
  const kind = headerKind(name)
  const meaning = kind === 'keyed' ? keyMeaning(name) : undefined
  const definition = meaning && classForKey(meaning, value, { isParameter: true })
  if (!definition) return redactorByKind[kind](walk, value, path, name)
  const evidence = evidenceOfClass(meaning, definition)
  return replaceByEvidence(walk, definition, value, { path, evidence })
}
