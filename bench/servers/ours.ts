/** The built product: a session that plays the Ordering Application over sockets, on the real clock. */
import { serveIpc } from '../ipc.ts'
import { loadBuiltLibrary } from '../built-library.ts'
import { createOrderSource } from '../documents.ts'
import { concludeDelayMs } from '../load/jobs.ts'
import {
  sessionIpcHandlers,
  fetchToken,
  ordersCapabilityOnly,
  submitAccepted,
  waitUntilIdle,
} from './our-session.ts'

export interface OurServerOptions {
  /** The folder that holds `dist`. */
  readonly root: string
  readonly orders: string
  /** Records every exchange to this file. */
  readonly record?: string
  /** Invariants are on, and faults are in force that every message is matched against. */
  readonly watched?: boolean
  /** Compares every exchange with this OpenAPI document. */
  readonly contract?: string
}

const {
  root,
  orders: file,
  record,
  watched = false,
  contract,
} = JSON.parse(process.argv[2] ?? '{}') as OurServerOptions
const untouchedOrder = { order: 'o1', event: 'CONFIRMED' } as const
const { openSession } = await loadBuiltLibrary(root)
const nextOrder = createOrderSource(file)
const session = await openSession({
  port: 0,
  ...ordersCapabilityOnly,
  counterparts: { 'ordering-application': { concludeAfter: `${concludeDelayMs}ms` } },
  subject: { role: 'software-service' },
  tolerances: { on: watched },
  ...(watched ? { faults: [{ drop: untouchedOrder }, { fail: untouchedOrder }] } : {}),
  ...(record === undefined ? {} : { recording: { file: record } }),
  ...(contract === undefined ? {} : { contract }),
})
const url = session.urls.get('ordering-application') ?? ''

async function create(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const order = nextOrder()
    await submitAccepted(session, { kind: 'order.create', order })
    ids.push(order.id)
  }
  return ids
}

/**
 * Creates the order that the faults name and that the load never touches, so that every other message is matched
 * without a hit.
 */
if (watched) await create(1)

async function turnOver(orderIds: readonly string[]): Promise<readonly string[]> {
  for (const orderId of orderIds)
    for (const trigger of ['cancel', 'conclude'] as const)
      await submitAccepted(session, { kind: 'order.apply', orderId, trigger })
  return create(orderIds.length)
}

/** Judges what waits, so that all of it is measured, and makes sure that it is the ordinary case: no difference. */
async function judgeByContract(): Promise<void> {
  const [verdict] = await session.judge()
  if (verdict?.outcome !== 'passed')
    throw new Error(`the contract: ${verdict?.findings[0]?.because ?? 'nothing was compared'}`)
}

serveIpc(
  {
    ...sessionIpcHandlers(session, record),
    async calm() {
      await waitUntilIdle(session)
      if (contract !== undefined) await judgeByContract()
      return {}
    },
    create: ({ count }) => create(count),
    turnOver: ({ orderIds }) => turnOver(orderIds),
  },
  { port: Number(new URL(url).port), token: await fetchToken(url) },
)
