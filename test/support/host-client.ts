/** An HTTP client of a host of a session, as the subject would be; renews its token when it has expired. */
import { compact } from '../../src/compact.ts'
import type { Session } from '../../src/session-api/session.ts'

export interface HostAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: unknown
}

export interface HostRequest {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent verbatim. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A token instead of the own one; none when null. */
  readonly token?: string | null
}

export interface HostClient {
  /** Any request to a path of the host, or to an absolute URL. */
  readonly send: (method: string, path: string, sending?: HostRequest) => Promise<HostAnswer>
  readonly token: (scope?: string) => Promise<string>
}

export interface HostClientOptions {
  readonly session: Session
  /** The base URL of the host. */
  readonly base: string
  /** Over a socket, or in process. */
  readonly listens: boolean
  /** Whether verbatim bodies are declared as JSON too. */
  readonly typesText?: true
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function createHostClient({
  session,
  base,
  listens,
  typesText,
}: HostClientOptions): HostClient {
  let own: string | undefined

  const isTyped = ({ body, text }: HostRequest): boolean =>
    body !== undefined || (typesText === true && text !== undefined)

  async function request(method: string, path: string, init: RequestInit): Promise<HostAnswer> {
    const url = path.startsWith('http') ? path : `${base}${path}`
    const made = new Request(url, { method, redirect: 'manual', ...init })
    const response = await (listens ? fetch(made) : session.fetch(made))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  async function token(scope?: string): Promise<string> {
    const credentials = { client_id: 'subject', client_secret: 'secret', ...(scope && { scope }) }
    const answer = await request('POST', '/oauth/token', {
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
    const attempt = async (): Promise<HostAnswer> => {
      const bearer = sending.token === undefined ? (own ??= await token()) : sending.token
      const body = sending.body === undefined ? sending.text : JSON.stringify(sending.body)
      return request(method, path, {
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(isTyped(sending) ? { 'content-type': 'application/json' } : {}),
          ...sending.headers,
        },
        ...compact({ body }),
      })
    }
    const answer = await attempt()
    if (answer.status !== 401 || sending.token !== undefined) return answer
    // Virtual time may have outlived the token: fetch a new one and continue.
    own = undefined
    return attempt()
  }

  return { send, token }
}
