/**
 * The counterparts of a session as msw request handlers, one for each path of each operation, so that a test of a
 * service that calls `fetch` needs no socket. They call the same fetch handler as the server.
 *
 * @example
 * const session = await openSession({ subject: { role: 'software-service' }, listen: false, clock: 'virtual' })
 * const server = setupServer(...handlers(session))
 */
import { createRequire } from 'node:module'
import type * as Msw from 'msw'
import { problem } from '../../core/base/problem.ts'
import { operationsHostedBy } from '../../core/protocol/catalogue.ts'
import { pathsAtHost } from '../../core/protocol/operation.ts'
import type { Session } from '../../core/session-api/session.ts'

/**
 * The user's package. Neither imported, for it may be missing, nor awaited, for then `require('sparring/msw')` would fail.
 */
function installedMsw(): typeof Msw {
  const require = createRequire(import.meta.url)
  try {
    return require('msw') as typeof Msw
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'))
      throw error
    throw problem(
      'importing sparring/msw',
      'the package msw is not installed',
      'Install it with npm install --save-dev msw.',
    )
  }
}

const { http, HttpResponse } = installedMsw()

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
export function handlers(session: Pick<Session, 'urls' | 'fetch'>): readonly Msw.HttpHandler[] {
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
