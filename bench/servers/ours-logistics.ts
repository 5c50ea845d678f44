/** The built product: a session that plays a Delivery Platform with couriers. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { deliveryClockSpeed, courierPace } from './delivery-speeds.ts'
import { sessionIpcHandlers, fetchToken, unwatched } from './our-session.ts'
import type { OurServerOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'

const { root } = JSON.parse(process.argv[2] ?? '{}') as OurServerOptions
const { openSession } = await loadBuiltLibrary(root)
const session = await openSession({
  ...unwatched,
  port: 0,
  listen: true,
  only: ['delivery-platform'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(),
  speed: deliveryClockSpeed,
  // Every delivery gets a courier, and no courier arrives during the measurement.
  conduct: { logistics: { mostOpen: 1_000_000, pace: courierPace } },
})
const url = session.urls.get('delivery-platform') ?? ''

serveIpc(sessionIpcHandlers(session), {
  port: Number(new URL(url).port),
  token: await fetchToken(url),
})
