/** A minimal HTTP router: method, path pattern and handler. Error bodies follow the protocol. */

export interface RoutedRequest {
  readonly request: Request
  /** The raw body. */
  readonly text: string
  /** The values of the {parameters} of the path, in order. */
  readonly params: readonly string[]
  readonly query: URLSearchParams
}

export interface Route {
  readonly method: 'GET' | 'POST'
  /** `/orders/{orderId}/confirm` */
  readonly path: string
  readonly answer: (asked: RoutedRequest) => Response | Promise<Response>
}

export function reply(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export const errorReply = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Response =>
  reply(status, { error: { code, message, retryable: status === 429 || status >= 500 } }, headers)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function createRouter(routes: readonly Route[]): (request: Request) => Promise<Response> {
  const table = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }))
  return async (request) => {
    const { pathname, searchParams: query } = new URL(request.url)
    for (const { method, pattern, answer } of table) {
      const match = method === request.method ? pattern.exec(pathname) : null
      if (!match) continue
      // As bytes: text() would swallow a byte order mark, and a signature is over every byte.
      const text = Buffer.from(await request.arrayBuffer()).toString('utf8')
      return answer({ request, text, query, params: match.slice(1).map(decoded) })
    }
    return errorReply(404, 'NOT_FOUND', `nothing answers ${request.method} ${pathname}`)
  }
}
