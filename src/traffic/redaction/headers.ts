/** Headers: which of them open doors, by the words of their names, and what of each stays. */
import { network } from './classes/machines.ts'
import { secret, signature, token } from './classes/secrets.ts'
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

/** By names in small letters. A map: a header may be called `constructor`. */
const named: ReadonlyMap<string, HeaderKind> = new Map(
  Object.entries({
    authorization: 'credentials',
    'proxy-authorization': 'credentials',
    cookie: 'cookie',
    'set-cookie': 'set-cookie',
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
  ['secret', /secret|password|passwd|session|credential|api[-_]?key|(?:^|[-_])key(?:$|[-_])/],
]

export function headerKind(name: string): HeaderKind {
  const lower = name.toLowerCase()
  const known = named.get(lower)
  if (known) return known
  return words.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'plain'
}

/** Cookies' names stay, and with `Set-Cookie` what follows the first pair: path, life, flags. */
function redactCookies(walk: Walk, value: string, path: string, several: boolean): string {
  return value
    .split(';')
    .map((part, index) => {
      const cut = part.indexOf('=')
      if (cut < 0 || (!several && index > 0)) return part
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

type Treatment = (walk: Walk, value: string, path: string) => string

const treatments: Readonly<Record<HeaderKind, Treatment>> = {
  credentials: (walk, value, path) => replaceWith(walk, token, value, path),
  cookie: (walk, value, path) => redactCookies(walk, value, path, true),
  'set-cookie': (walk, value, path) => redactCookies(walk, value, path, false),
  secret: (walk, value, path) => replaceWith(walk, secret, value, path),
  signature: (walk, value, path) => replaceWith(walk, signature, value, path),
  address: redactAddresses,
  url: redactUrl,
  plain: (walk, value, path) => walk.text(walk, value, path, true),
}

export const redactHeader = (walk: Walk, name: string, value: string, path: string): string =>
  treatments[headerKind(name)](walk, value, path)
