/** Headers: which of them open doors, by the words of their names, and what of each stays. */
import { network } from './classes/machines.ts'
import { secret, signature, token } from './classes/secrets.ts'
import { type KeyMeaning, meaningOf } from './keys.ts'
import { decodeEscapes, encode, redactPairs } from './pairs.ts'
import { redactUrl } from './url.ts'
import { replaceWith, type Walk } from './walk.ts'

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
  /** Names and values, between commas. */
  | 'pairs'
  /** The name of a file, which may be in code. */
  | 'file'
  /** Known by the name as any key of a document is. */
  | 'keyed'

/** By names in small letters. A map: a header may be called `constructor`. */
const named: ReadonlyMap<string, HeaderKind> = new Map(
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
    // Words of secrets in names that keep none.
    'www-authenticate': 'plain',
    'proxy-authenticate': 'plain',
    ':authority': 'plain',
    'idempotency-key': 'plain',
    'x-idempotency-key': 'plain',
    'sec-websocket-key': 'plain',
    'access-control-allow-credentials': 'plain',
  } as const satisfies Record<string, HeaderKind>),
)

const words: readonly (readonly [HeaderKind, RegExp])[] = [
  ['signature', /signature|(?:^|[-_])(?:sign|hmac|digest)(?:$|[-_])/],
  ['credentials', /(?:^|[-_])(?:auth|authorization|token|bearer|jwt)(?:$|[-_])|token/],
  ['address', /(?:^|[-_])(?:ip|addr|ip-?address|external-address)$|forwarded-for$/],
  [
    'secret',
    /secret|[cx]srf|password|passwd|session|credential|api[-_]?key|(?:^|[-_])key(?:$|[-_])/,
  ],
]

export function headerKind(name: string): HeaderKind {
  const lower = name.toLowerCase()
  const known = named.get(lower)
  if (known) return known
  const word = words.find(([, pattern]) => pattern.test(lower))?.[0]
  return word ?? (keyOf(lower).always ? 'keyed' : 'plain')
}

/** `X-Customer-Cpf` is the key `customer-cpf`. */
const keyOf = (name: string): KeyMeaning => meaningOf(name.replace(/^x[-_]/i, ''))

/** Cookies' names stay, and with `Set-Cookie` what follows the first pair: path, life, flags. */
function redactCookies(walk: Walk, value: string, path: string, several: boolean): string {
  return value
    .split(';')
    .map((part, index) => {
      const cut = part.indexOf('=')
      // What follows the first pair of `Set-Cookie` may still name somebody.
      if (!several && index > 0) return walk.text(walk, part, path, true)
      if (cut < 0) {
        const bare = part.trimStart()
        return part.slice(0, part.length - bare.length) + replaceWith(walk, token, bare, path)
      }
      return part.slice(0, cut + 1) + replaceWith(walk, token, part.slice(cut + 1), path)
    })
    .join(';')
}

/** `a, b` and `for=a;proto=https`: every address in it, what it is said about stays. */
const redactAddresses = (walk: Walk, value: string, path: string): string =>
  value.replaceAll(
    /(?<![\w.~])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?:[\da-f]{0,4}:){2,}[\da-f]{0,4}/gi,
    (found) => replaceWith(walk, network, found, path),
  )

const redactMembers = (walk: Walk, value: string, path: string): string =>
  value
    .split(',')
    .map((pair) => redactPairs(walk, pair, path))
    .join(',')

/** `filename*=UTF-8''…` is written in percent signs behind an equals sign. */
const redactFile = (walk: Walk, value: string, path: string): string =>
  walk.text(
    walk,
    value.replaceAll(
      /(\*\s*=\s*[\w-]*'[\w-]*')([^;\s]+)/g,
      (whole, sign: string, coded: string) => {
        const name = decodeEscapes(coded)
        const next = walk.text(walk, name, path, true)
        return next === name ? whole : sign + encode(next)
      },
    ),
    path,
    true,
  )

type Treatment = (walk: Walk, value: string, path: string) => string

const treatments: Readonly<Record<HeaderKind, Treatment>> = {
  credentials: (walk, value, path) => replaceWith(walk, token, value, path),
  cookie: (walk, value, path) => redactCookies(walk, value, path, true),
  'set-cookie': (walk, value, path) => redactCookies(walk, value, path, false),
  secret: (walk, value, path) => replaceWith(walk, secret, value, path),
  signature: (walk, value, path) => replaceWith(walk, signature, value, path),
  address: redactAddresses,
  url: redactUrl,
  pairs: redactMembers,
  file: redactFile,
  keyed: (walk, value, path) => walk.text(walk, value, path, true),
  plain: (walk, value, path) => walk.text(walk, value, path, true),
}

export function redactHeader(walk: Walk, name: string, value: string, path: string): string {
  const kind = headerKind(name)
  const definition = kind === 'keyed' ? keyOf(name).always : undefined
  return definition
    ? replaceWith(walk, definition, value, path)
    : treatments[kind](walk, value, path)
}
