/** The built product: a session that plays the Ordering Application over sockets, on the real clock. */
import { answer } from '../asks.ts'
import { built } from '../built.ts'
import { createPress } from '../documents.ts'
import { concludeMs } from '../load/jobs.ts'
import { answersOf, askToken, ordersAlone, told } from './our-session.ts'

export interface OursOptions {
  /** The folder that holds `dist`. */
  readonly root: string
  readonly orders: string
  /** Records every exchange to this file. */
  readonly record?: string
  /** Invariants are on, and faults are in force that every message is matched against. */
  readonly watched?: boolean
}

const {
  root,
  orders: file,
  record,
  watched = false,
} = JSON.parse(process.argv[2] ?? '{}') as OursOptions
const untouchedOrder = { order: 'o1', event: 'CONFIRMED' } as const
const { openSession } = await built(root)
const nextOrder = createPress(file)
const session = await openSession({
  port: 0,
  ...ordersAlone,
  counterparts: { 'ordering-application': { concludeAfter: `${concludeMs}ms` } },
  subject: { role: 'software-service' },
  judgement: { on: watched },
  ...(watched ? { faults: [{ drop: untouchedOrder }, { fail: untouchedOrder }] } : {}),
  ...(record === undefined ? {} : { recording: { file: record } }),
})
const url = session.urls.get('ordering-application') ?? ''

async function create(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const order = nextOrder()
    await told(session, { kind: 'order.create', order })
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
      await told(session, { kind: 'order.apply', orderId, trigger })
  return create(orderIds.length)
}

answer(
  {
    ...answersOf(session, record),
    create: ({ count }) => create(count),
    turnOver: ({ orderIds }) => turnOver(orderIds),
  },
  { port: Number(new URL(url).port), token: await askToken(url) },
)
