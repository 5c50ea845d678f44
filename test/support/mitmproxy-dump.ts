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
      Object.entries(value).flatMap(([key, each]) =>
        each === undefined ? [] : [encodeNetstring(key), encodeNetstring(each)],
      ),
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

/** What a message and a flow of a version say besides what they have always said. */
function shapeOf(version: number, response: unknown) {
  const is_replay = version < 9 ? { is_replay: false } : {}
  return {
    request: {
      ...is_replay,
      ...(version < 9 ? { first_line_format: 'relative', authority: undefined } : {}),
    },
    response: response === null ? null : { ...is_replay },
    flow: {
      ...connectionsOf(version),
      ...(version < 9 ? {} : { is_replay: null }),
      ...(version < 12 ? { websocket: undefined } : {}),
      ...(version < 13 ? { marked: false } : { marked: '' }),
      ...(version < 14 ? {} : { comment: '' }),
      ...(version < 16 ? {} : { timestamp_created: at }),
      ...(version < 17 ? { mode: 'regular' } : {}),
      intercepted: false,
      metadata: {},
      id: '0a1b2c3d-0000-4000-8000-000000000001',
    },
  }
}

/** Version 10 brought states and offers, 11 other names, 18 the mode of the proxy, 20 took the state away. */
function connectionsOf(version: number) {
  const address = ['10.0.0.7', 8443]
  const common = { tls_established: true, timestamp_tls_setup: at, tls_version: 'TLSv1.3', id: 'c' }
  const named = (before: object, later: object): object => (version < 11 ? before : later)
  const state = version < 10 || version >= 20 ? {} : { state: 0 }
  return {
    client_conn: {
      ...common,
      ...state,
      ...named(
        { address, alpn_proto_negotiated: Buffer.from('h2'), cipher_name: 'AES' },
        { peername: address, sockname: address, alpn: Buffer.from('h2'), cipher: 'AES' },
      ),
      ...(version < 10 ? { tls_extensions: null, mitmcert: null, clientcert: null } : {}),
      ...(version < 18 ? {} : { proxy_mode: 'regular' }),
    },
    server_conn: {
      ...common,
      ...state,
      ...named(
        { address, ip_address: address, source_address: address, via: null },
        { address, peername: address, sockname: address, via: null },
      ),
      sni: 'partner.example',
    },
  }
}

/** A flow in the shape of its version. */
export function versionedFlowBytes({ request, response, ...rest }: Change, version: number) {
  const shape = shapeOf(version, response)
  return flowBytes({
    ...shape.flow,
    version,
    request: { ...shape.request, ...(request as Change | undefined) },
    response: shape.response && { ...shape.response, ...(response as Change | undefined) },
    ...rest,
  })
}

export const joinFlows = (...flows: readonly Uint8Array[]): Uint8Array => joined(flows)
