/**
 * A scripted partner, as a fetch handler. It is written by hand and shares no code with the product, so common mistakes
 * show. It publishes a manifest, issues tokens, records every call, and replies as the test says.
 */

export type Json = Readonly<Record<string, unknown>>

/** Its operations by name: `POST /orders/{orderId}/confirm`. */
export type HostOperations<Name extends string> = Readonly<Record<Name, string>>

const entry = {
  manifest: 'GET /.well-known/.*',
  token: 'POST /oauth/token',
  merchants: 'GET /merchants',
} as const

/** `nothing` for a call that no operation has. */
export type HostName<Name extends string> = Name | keyof typeof entry | 'nothing'

export interface HostCall<Name extends string = string> {
  readonly name: HostName<Name>
  readonly method: string
  readonly url: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: Json
  readonly orderId: string
  readonly itemId: string
  /** Session instant of the call. */
  readonly at: number
}

export interface HostReply {
  readonly status: number
  readonly body?: unknown
  /** A body that is sent verbatim. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Reply to the n-th call of a name, from 1; undefined for the default. */
export type HostScript<Name extends string = string> = (
  call: HostCall<Name>,
  nth: number,
) => HostReply | undefined | Promise<HostReply | undefined>

export interface ScriptedHostOptions<Name extends string> {
  readonly operations: HostOperations<Name>
  /** The name of a call that no operation has. */
  readonly nameOf?: (path: string) => Name
  /** Its manifest, evaluated per request; none when undefined. */
  readonly manifest: () => unknown
  /** A path before that of its operations. */
  readonly prefix?: string
  /** The n-th token, from 1. */
  readonly token?: (call: HostCall<Name>, nth: number) => string
  /** Whether calls without a token of it are answered with 401. */
  readonly needsToken?: true
  readonly tokenLifeSeconds?: number
  readonly merchants?: readonly unknown[]
  readonly now?: () => number
  /** The default reply. */
  readonly reply: (call: HostCall<Name>, nth: number) => HostReply | Promise<HostReply>
}

export interface ScriptedHost<Name extends string> {
  readonly fetch: (request: Request) => Promise<Response>
  /** Every call, oldest first. */
  readonly all: readonly HostCall<Name>[]
  /** All of them except for manifest, tokens and merchants. */
  readonly calls: readonly HostCall<Name>[]
  readonly of: (name: HostName<Name>, orderId?: string) => readonly HostCall<Name>[]
  /** Sets the reply to an operation; the default one when omitted. */
  readonly script: (name: HostName<Name>, scripted?: HostScript<Name>) => void
  /** Queues replies that precede the default one. */
  readonly next: (name: HostName<Name>, ...replies: readonly HostReply[]) => void
  /** Invalidates all tokens. */
  readonly revoke: () => void
}

export const hostManifest = (participantId: string, capabilities: unknown) => ({
  participantId,
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities,
})

export const refusal = (status: number, code: string): HostReply => ({
  status,
  body: { error: { code, message: code, retryable: status === 429 || status >= 500 } },
})

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

const compiled = <Name extends string>(operations: HostOperations<Name>) =>
  (Object.entries(operations) as [Name, string][]).map(([name, operation]) => ({
    name,
    pattern: new RegExp(`^${operation.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))

const responseOf = ({ status, body, text, headers }: HostReply): Response => {
  const sent = text ?? (body === undefined ? null : JSON.stringify(body))
  const type = sent === null ? {} : { 'content-type': 'application/json' }
  return new Response(sent, { status, headers: { ...type, ...headers } })
}

export function createScriptedHost<Name extends string>(
  options: ScriptedHostOptions<Name>,
): ScriptedHost<Name> {
  const { prefix = '', tokenLifeSeconds = 36_000, now = () => 0, merchants = [] } = options
  const { token = (_: unknown, nth: number) => `token-${nth}`, needsToken } = options
  const rows = [...compiled(entry), ...compiled(options.operations)]
  const all: HostCall<Name>[] = []
  const calls: HostCall<Name>[] = []
  const issued = new Set<string>()
  const scripts = new Map<string, HostScript<Name>>()
  const counts = new Map<string, number>()

  async function read(request: Request): Promise<HostCall<Name>> {
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
    const row = rows.find(({ pattern }) => pattern.test(`${request.method} ${path}`))
    const { orderId = '', itemId = '' } =
      row?.pattern.exec(`${request.method} ${path}`)?.groups ?? {}
    const text = await request.text()
    return {
      name: row?.name ?? options.nameOf?.(path) ?? 'nothing',
      method: request.method,
      url: request.url,
      path,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(request.headers),
      text,
      json: parsed(text),
      orderId: decodeURIComponent(orderId),
      itemId: decodeURIComponent(itemId),
      at: now(),
    }
  }

  const issue = (call: HostCall<Name>, nth: number): HostReply => {
    const access_token = token(call, nth)
    issued.add(`Bearer ${access_token}`)
    return {
      status: 200,
      body: { access_token, token_type: 'bearer', expires_in: tokenLifeSeconds },
    }
  }

  function usual(call: HostCall<Name>, nth: number): HostReply | Promise<HostReply> {
    if (call.name === 'token') return issue(call, nth)
    if (call.name === 'manifest') {
      const body = options.manifest()
      return body === undefined ? refusal(404, 'NOT_FOUND') : { status: 200, body }
    }
    if (needsToken && !issued.has(call.headers['authorization'] ?? ''))
      return refusal(401, 'UNAUTHORIZED')
    return call.name === 'merchants' ? { status: 200, body: merchants } : options.reply(call, nth)
  }

  return {
    all,
    calls,
    of: (name, orderId) =>
      all.filter((call) => call.name === name && (orderId ?? call.orderId) === call.orderId),
    script(name, scripted = () => undefined) {
      scripts.set(name, scripted)
    },
    next(name, ...replies) {
      const left = [...replies]
      scripts.set(name, () => left.shift())
    },
    revoke: () => issued.clear(),
    async fetch(request) {
      const call = await read(request)
      const nth = (counts.get(call.name) ?? 0) + 1
      counts.set(call.name, nth)
      all.push(call)
      if (!(call.name in entry)) calls.push(call)
      return responseOf((await scripts.get(call.name)?.(call, nth)) ?? (await usual(call, nth)))
    },
  }
}
