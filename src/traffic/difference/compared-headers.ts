/**
 * The headers that are compared. An allow list, since every server adds its own, and dates, signatures and tokens
 * differ legitimately.
 */
import type { HeaderPairs } from '../exchange.ts'
import { memoise } from '../memoise.ts'

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

/** A protocol header is compared, unless its value is generated for each message. */
const isProtocol = (name: string): boolean =>
  name.startsWith('x-app-') && !/signature|token|secret|key|timestamp|nonce|date/.test(name)

/** From a header name as received to the compared name; empty for a header that is not compared. */
const comparedName = memoise(2000, (receivedName) => {
  const name = receivedName.toLowerCase()
  return compared.has(name) || isProtocol(name) ? name : ''
})

/** Content type without `charset=utf-8`, which is the default of JSON. */
const normalisedType = (value: string): string =>
  value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
    .filter((part, index) => index === 0 || !/^charset="?utf-8"?$/.test(part))
    .join('; ')

/** The compared headers of a message: names in lower case, repeated headers joined by commas. */
export function comparedHeaders(pairs: HeaderPairs): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [receivedName, value] of pairs) {
    const name = comparedName(receivedName)
    if (name === '') continue
    const comparedValue = name === 'content-type' ? normalisedType(value) : value.trim()
    headers[name] =
      headers[name] === undefined ? comparedValue : `${headers[name]}, ${comparedValue}`
  }
  return headers
}
