/** An HTTP client of a host of a session, as the subject would be; renews its token when it has expired. */
import { compact } from '../../src/core/base/compact.ts'
import type { Session } from '../../src/core/session-api/session.ts'

export interface HostAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: unknown
  /** The error code of the body. */
  readonly code: string | undefined
  /** The error message of the body. */
  readonly message: string | undefined
}

export interface HostRequest {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent verbatim, declared as JSON. */
  readonly text?: string
  /** Headers that override the own ones; an empty value removes one. */
  readonly headers?: Readonly<Record<string, string>>
  /** A token instead of the own one; none when null. */
  readonly token?: string | null
}

export interface HostClient {
  /** Any request to a path of the host, or to an absolute URL. */
  readonly send: (method: string, path: string, sending?: HostRequest) => Promise<HostAnswer>
  readonly post: (path: string, body?: unknown) => Promise<HostAnswer>
  /** The body of a GET, which must be answered with 200. */
  readonly read: <Value = Readonly<Record<string, unknown>>>(path: string) => Promise<Value>
  /** A new token of this host, or of another one. */
  readonly token: (scope?: string, url?: string) => Promise<string>
}

export interface HostClientOptions {
  readonly fetch: Session['fetch']
  /** The base URL of the host. */
  readonly base: string
  readonly clientId?: string
  readonly clientSecret?: string
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function createHostClient({
  fetch,
  base,
  clientId = 'subject',
  clientSecret = 'secret',
}: HostClientOptions): HostClient {
  let own: string | undefined

  async function request(method: string, path: string, init: RequestInit): Promise<HostAnswer> {
    const url = path.startsWith('http') ? path : `${base}${path}`
    const response = await fetch(new Request(url, { method, redirect: 'manual', ...init }))
    const text = await response.text()
    const json = parsed(text)
    const { error } = (json ?? {}) as { error?: { code: string; message: string } }
    const { status, headers } = response
    return { status, headers, text, json, code: error?.code, message: error?.message }
  }

  async function token(scope?: string, url = base): Promise<string> {
    const credentials = {
      client_id: clientId,
      client_secret: clientSecret,
      ...compact({ scope }),
    }
    const answer = await request('POST', `${url}/oauth/token`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...credentials }),
    })
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
    return (answer.json as { access_token: string }).access_token
  }

  async function send(
    method: string,
    path: string,
    sending: HostRequest = {},
  ): Promise<HostAnswer> {
    const body = sending.body === undefined ? sending.text : JSON.stringify(sending.body)
    const isOwn = sending.token === undefined && sending.headers?.['authorization'] === undefined
    const attempt = async (): Promise<HostAnswer> => {
      const bearer = isOwn ? (own ??= await token()) : sending.token
      const headers = {
        ...(bearer !== null && bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...sending.headers,
      }
      return request(method, path, {
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
        ...compact({ body }),
      })
    }
    const answer = await attempt()
    if (answer.status !== 401 || !isOwn) return answer
    // Virtual time may have outlived the token: fetch a new one and continue.
    own = undefined
    return attempt()
  }

  return {
    send,
    token,
    post: (path, body) => send('POST', path, { body }),
    async read<Value>(path: string) {
      const answer = await send('GET', path)
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`)
      return answer.json as Value
    },
  }
}
