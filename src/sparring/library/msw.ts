/**
 * The counterparts of a session as msw request handlers, one for each path of each operation, so that a test of a
 * service that calls `fetch` needs no socket. They call the same fetch handler as the server.
 *
 * @example
 * const session = await openSession({ subject: { role: 'software-service' }, listen: false, clock: 'virtual' })
 * const server = setupServer(...handlers(session))
 */
// A static import of the user's package: with an awaited one `require('sparring/msw')` would fail.
import { http, type HttpHandler, HttpResponse } from 'msw'
import { operationsHostedBy } from '../../core/protocol/catalogue.ts'
import { pathsAtHost } from '../../core/protocol/operation.ts'
import type { Session } from '../../core/session-api/session.ts'

/** Converts a path template to msw's syntax (`:orderId`); a literal colon is escaped, or it would begin a parameter. */
const mswPath = (path: string): string =>
  path.replaceAll(':', String.raw`\:`).replaceAll(/\{(\w+)\}/g, ':$1')

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put' } as const

/** A connection broken by a fault must make `fetch` fail: msw would turn the thrown error into a response. */
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

/** Handlers for all operations of all roles that the session plays, and a catch-all for each role's other paths. */
export function handlers(session: Pick<Session, 'urls' | 'fetch'>): readonly HttpHandler[] {
  const answer = answering(session)
  return [...session.urls].flatMap(([role, url]) => [
    ...operationsHostedBy(role).flatMap((row) =>
      pathsAtHost(row, role).map((path) =>
        http[verbs[row.method]](`${url}${mswPath(path)}`, ({ request }) => answer(request)),
      ),
    ),
    http.all(`${url}/*`, ({ request }) => answer(request)),
  ])
}
