/**
 * The counterparts of a session as msw request handlers, one for each operation, so that a test of a service that calls
 * `fetch` needs no socket. They answer through the same function as the server.
 *
 * @example
 * const session = await openSession({ subject: { role: 'software-service' }, listen: false, clock: 'virtual' })
 * const server = setupServer(...handlers(session))
 */
import { http, type HttpHandler, HttpResponse } from 'msw'
import { hostedBy } from './protocol/catalogue.ts'
import { pathsOf } from './protocol/operation.ts'
import type { Session } from './session-api/session.ts'

/** `{orderId}` as msw writes it; a colon of the path itself is escaped, or it would begin a parameter. */
const mswPath = (path: string): string =>
  path.replaceAll(':', String.raw`\:`).replaceAll(/\{(\w+)\}/g, ':$1')

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch' } as const

/** Where a fault breaks the connection, `fetch` fails: msw would make an answer of what is thrown. */
const answering =
  ({ fetch }: Pick<Session, 'fetch'>) =>
  async (request: Request): Promise<Response> => {
    try {
      return await fetch(request)
    } catch (error) {
      if (error instanceof TypeError && error.cause !== undefined) return HttpResponse.error()
      throw error
    }
  }

/** The handlers of every operation of every role that the session plays, and one for any other path of theirs. */
export function handlers(session: Pick<Session, 'urls' | 'fetch'>): readonly HttpHandler[] {
  const answer = answering(session)
  return [...session.urls].flatMap(([role, url]) => [
    ...hostedBy(role).flatMap((row) =>
      pathsOf(row, role).map((path) =>
        http[verbs[row.method]](`${url}${mswPath(path)}`, ({ request }) => answer(request)),
      ),
    ),
    http.all(`${url}/*`, ({ request }) => answer(request)),
  ])
}
