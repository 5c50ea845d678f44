/**
 * The headers that are compared: those that mean something to the protocol. An allow list, since every server adds its
 * own, and dates, signatures and tokens differ by right.
 */
import type { HeaderPairs } from '../exchange.ts'

const compared: ReadonlySet<string> = new Set([
  'allow',
  'cache-control',
  'content-language',
  'content-type',
  'idempotency-key',
  'location',
  'retry-after',
  'www-authenticate',
  'x-idempotency-key',
  'x-request-id',
])

/** A protocol header is compared, unless what it holds is made anew for each message. */
const isProtocol = (name: string): boolean =>
  name.startsWith('x-app-') && !/signature|token|secret|key|timestamp|nonce|date/.test(name)

/** Under which name a header is compared, by the names that were asked before; undefined for one that is not. */
const namesOf = new Map<string, string | undefined>()
const mostNames = 2000

function comparedName(given: string): string | undefined {
  if (namesOf.has(given)) return namesOf.get(given)
  const name = given.toLowerCase()
  const fresh = compared.has(name) || isProtocol(name) ? name : undefined
  if (namesOf.size >= mostNames) namesOf.clear()
  namesOf.set(given, fresh)
  return fresh
}

/** JSON is UTF-8 by its own standard: to say so says nothing. */
const sameType = (value: string): string =>
  value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
    .filter((part, index) => index === 0 || !/^charset="?utf-8"?$/.test(part))
    .join('; ')

/** A message's headers as they are compared: names in small letters, those of one name in one. */
export function comparedHeaders(pairs: HeaderPairs): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [given, value] of pairs) {
    const name = comparedName(given)
    if (name === undefined) continue
    const told = name === 'content-type' ? sameType(value) : value.trim()
    headers[name] = headers[name] === undefined ? told : `${headers[name]}, ${told}`
  }
  return headers
}
