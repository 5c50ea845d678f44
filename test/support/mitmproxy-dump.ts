/** Builds mitmproxy dumps: tagged netstrings. */
export type NetstringValue =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | readonly NetstringValue[]
  | { readonly [key: string]: NetstringValue }

const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

function written(payload: Uint8Array, type: string): Uint8Array {
  return joined([Buffer.from(`${payload.length}:`), payload, Buffer.from(type)])
}

export function encodeNetstring(value: NetstringValue): Uint8Array {
  if (value === null) return written(Buffer.from(''), '~')
  if (value instanceof Uint8Array) return written(value, ',')
  if (typeof value === 'string') return written(Buffer.from(value), ';')
  if (typeof value === 'boolean') return written(Buffer.from(String(value)), '!')
  if (typeof value === 'number')
    return written(Buffer.from(String(value)), Number.isInteger(value) ? '#' : '^')
  if (Array.isArray(value)) return written(joined(value.map(encodeNetstring)), ']')
  return written(
    joined(
      Object.entries(value).flatMap(([key, each]) => [encodeNetstring(key), encodeNetstring(each)]),
    ),
    '}',
  )
}

type Change = Readonly<Record<string, unknown>>

/** Header names, header values and bodies are bytes in a dump. */
const bytesIn = (value: unknown): NetstringValue =>
  Array.isArray(value)
    ? value.map(bytesIn)
    : typeof value === 'string'
      ? Buffer.from(value)
      : (value as NetstringValue)

const message = (usual: Change, change: unknown): NetstringValue =>
  change === null
    ? null
    : Object.fromEntries(
        Object.entries({ ...usual, ...(change as Change | undefined) }).map(([key, value]) => [
          key,
          key === 'host' ? (value as NetstringValue) : bytesIn(value),
        ]),
      )

const at = 1_795_176_000.2505

/** The bytes of a flow with changed members; `request` and `response` are merged one level deep. */
export function flowBytes({ request, response, ...rest }: Change): Uint8Array {
  return encodeNetstring({
    websocket: null,
    response: message(
      {
        http_version: 'HTTP/1.1',
        status_code: 202,
        reason: 'Accepted',
        headers: [['content-type', 'application/json']],
        content: '{}',
        trailers: null,
        timestamp_start: at + 0.1,
        timestamp_end: 1_795_176_000.3705,
      },
      response,
    ),
    request: message(
      {
        path: '/v2/orders/o-1/confirm?x=1',
        authority: '',
        scheme: 'https',
        method: 'POST',
        port: 8443,
        host: '10.0.0.7',
        headers: [
          ['Host', 'partner.example:8443'],
          ['X-Two', 'a'],
          ['x-two', 'b'],
        ],
        content: '{"reason":"ç"}',
        timestamp_start: at,
        timestamp_end: at + 0.01,
      },
      request,
    ),
    error: null,
    type: 'http',
    version: 21,
    ...(rest as { readonly [key: string]: NetstringValue }),
  })
}

export const joinFlows = (...flows: readonly Uint8Array[]): Uint8Array => joined(flows)
