/** The built product: a session that plays a Software Service with dining accounts. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { createOrderSource, type BenchOrder } from '../documents.ts'
import { sessionIpcHandlers, fetchToken, submitAccepted, unwatched } from './our-session.ts'
import type { OurServerOptions } from './ours.ts'
import { silentSubject } from './silent-subject.ts'
import { tableOrder } from './table-order.ts'

const { root, orders: file } = JSON.parse(process.argv[2] ?? '{}') as OurServerOptions
const { openSession } = await loadBuiltLibrary(root)
const nextOrder = createOrderSource(file)
const orders = new Map<string, BenchOrder>()
const session = await openSession({
  ...unwatched,
  port: 0,
  listen: true,
  only: ['software-service'],
  subject: { role: 'ordering-application' },
  handler: silentSubject(orders),
  // It learns of every order by webhook: polls would only add to the measured cost.
  counterparts: { 'software-service': { pollEvery: '1h' } },
})
const url = session.urls.get('software-service') ?? ''
let tables = 0

/** Opens an account at each of `count` new tables; returns the tables once every account is open. */
async function create(count: number): Promise<readonly string[]> {
  const made = Array.from({ length: count }, () => String(++tables))
  for (const identifier of made) {
    const order = tableOrder(nextOrder, identifier)
    orders.set(order.id, order)
    await submitAccepted(session, {
      kind: 'ticket.notify',
      event: {
        eventId: crypto.randomUUID(),
        eventType: 'DELIVERED',
        orderId: order.id,
        createdAt: order.createdAt,
      },
    })
  }
  const deadline = Date.now() + 20_000
  for (;;) {
    const view = { kind: 'account', limit: 1 } as const
    const { entityCount } = await session.look({ entities: view })
    if (entityCount === tables) return made
    if (Date.now() > deadline) throw new Error(`${entityCount} of ${tables} accounts are open`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

serveIpc(
  { ...sessionIpcHandlers(session), create: ({ count }) => create(count) },
  { port: Number(new URL(url).port), token: await fetchToken(url) },
)
