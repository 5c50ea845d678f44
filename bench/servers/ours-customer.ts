/** The built product: a session that plays a CRM. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { sessionIpcHandlers, fetchToken, unwatched } from './our-session.ts'
import type { OurServerOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'

const { root } = JSON.parse(process.argv[2] ?? '{}') as OurServerOptions
const { openSession } = await loadBuiltLibrary(root)
const session = await openSession({
  ...unwatched,
  port: 0,
  listen: true,
  only: ['crm'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(),
  // Rate limiting is active, with a limit above the rate of the load.
  conduct: { customer: { requestsPerSecond: 100_000 } },
})
const url = session.urls.get('crm') ?? ''

serveIpc(sessionIpcHandlers(session), {
  port: Number(new URL(url).port),
  token: await fetchToken(url),
})
