/** Records the examples of the control API's document: answers of a control server over sessions with a fixed seed. */
import { startControl } from '../../src/core/runtime/control/control.ts'
import type { ControlRoute } from '../../src/core/runtime/control/route.ts'
import { controlRoutes } from '../../src/core/runtime/control/routes.ts'
import { packageVersion } from '../../src/core/runtime/version.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import type { Session } from '../../src/core/session-api/session.ts'

interface ControlExample {
  readonly request?: unknown
  readonly response?: unknown
}

export type ControlExamples = Readonly<Record<string, ControlExample>>

/** One answer of a route. */
export interface ControlAnswered extends ControlExample {
  readonly route: ControlRoute
  readonly status: number
}

/** What the wall clock measured differs from run to run. */
const wallFields: ReadonlySet<string> = new Set([
  'tookMs',
  'waitedMs',
  'wall',
  'sentMs',
  'repliedMs',
])

/** A body without what differs between runs and releases. */
const withoutVariation = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) => {
      if (wallFields.has(key)) return typeof value === 'number' ? 1 : undefined
      return value === packageVersion() ? '1.0.0' : value
    }),
  )

const routeOf = (id: string): ControlRoute => {
  const route = controlRoutes.find((each) => each.id === id)
  if (!route) throw new Error(`the control API has no route ${id}`)
  return route
}

interface Ask {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: string
  readonly body?: unknown
}

/** Asks a control server for routes by their ids, and keeps every answer. */
async function openAsker(session: Session, answered: ControlAnswered[]) {
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  return {
    close: control.close,
    ask: async <Body>(id: string, { params = {}, query = '', body }: Ask = {}): Promise<Body> => {
      const route = routeOf(id)
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(params[name])),
      )
      const answer = await fetch(`${control.url}${path}${query}`, {
        method: route.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${id} is answered with ${answer.status}: ${text}`)
      const response = text === '' ? undefined : (JSON.parse(text) as unknown)
      answered.push({
        route,
        status: answer.status,
        ...(body === undefined ? {} : { request: body }),
        ...(response === undefined ? {} : { response }),
      })
      return response as Body
    },
  }
}

type Asker = Awaited<ReturnType<typeof openAsker>>

const fixed = { listen: false, clock: 'virtual', automatic: false, seed: 42 } as const

async function withSession(
  options: SessionOptions,
  answered: ControlAnswered[],
  use: (asker: Asker, session: Session) => Promise<void>,
): Promise<void> {
  await using session = await openSession({ ...fixed, ...options })
  const asker = await openAsker(session, answered)
  try {
    await use(asker, session)
  } finally {
    await asker.close()
  }
}

interface Identified {
  readonly id: string
}

async function readEverything({ ask }: Asker): Promise<void> {
  await ask('getHealth')
  await ask('getSession')
  const [order] = await ask<readonly { readonly orderId: string }[]>('listSessionOrders', {
    query: '?limit=1',
  })
  const orderId = order?.orderId ?? ''
  await ask('getSessionOrder', { params: { id: orderId } })
  await ask('getState', { params: { role: 'ordering-application' }, query: '?limit=1' })
  const kind = 'customer'
  const [entity] = await ask<readonly Identified[]>('listEntities', {
    params: { kind },
    query: '?limit=1',
  })
  await ask('getEntity', { params: { kind, id: entity?.id ?? '' } })
  await ask('getMenu', { query: '?limit=1' })
  await ask('listFacts', { query: '?limit=2' })
  const [exchange] = await ask<readonly { readonly seq: number }[]>('listExchanges', {
    query: '?limit=1&filter=getOrder',
  })
  await ask('getExchange', { params: { seq: exchange?.seq ?? 0 } })
  await ask('explain', { params: { order: orderId } })
  await ask('look', { body: { orders: { limit: 1 }, agenda: { limit: 1 } } })
  await ask('noteExchange', {
    params: { seq: exchange?.seq ?? 0 },
    body: { text: 'the order is read twice here' },
  })
  await ask('resendExchange', { params: { seq: exchange?.seq ?? 0 }, body: {} })
}

async function steer({ ask }: Asker): Promise<void> {
  await ask('setClock', { body: { advance: '5s' } })
  await ask('createOrder', {
    body: { type: 'TAKEOUT', customer: { name: 'Ana Souza' }, payment: { method: 'pix' } },
  })
  const [item] = await ask<readonly { readonly id: number }[]>('listAgenda', { query: '?limit=1' })
  const params = { id: item?.id ?? 0 }
  await ask('holdItem', { params, body: {} })
  await ask('releaseItem', { params, body: {} })
  await ask('delayItem', { params, body: { by: '5s' } })
  await ask('duplicateItem', { params, body: {} })
  await ask('moveItem', { params, body: { to: 'later' } })
  await ask('dropItem', { params, body: {} })
  await ask('stepAgenda', { body: {} })
  await ask('submitCommand', { body: { kind: 'fault.end' } })
  const added = await ask<{ readonly ids: readonly number[] }>('addFault', {
    body: { drop: { event: 'CONFIRMED' } },
  })
  await ask('listFaults')
  await ask('removeFault', { params: { id: added.ids[0] ?? 0 } })
  await ask('endFaults')
  await ask('listOperatorActions')
}

/** Every answer of the story that examples are taken from. */
export async function answeredRoutes(): Promise<readonly ControlAnswered[]> {
  const answered: ControlAnswered[] = []
  const orders = { every: 4000, limit: 3 }
  await withSession(
    { counterparts: { 'ordering-application': { orders } } },
    answered,
    async (asker, session) => {
      await session.advance(60_000)
      await readEverything(asker)
      await steer(asker)
      await asker.ask('forkSession', { body: { at: 100 } })
      await asker.ask('resetSession', { body: { seed: 7 } })
    },
  )
  await withSession({ as: 'software-service' }, answered, async ({ ask }, session) => {
    await session.createOrder({ type: 'DELIVERY' })
    await session.advance(600_000)
    await ask('listVerdicts', { query: '?outcome=failed' })
    await ask('judge', { body: {} })
    await ask('listVerdicts', { query: '?id=AK-1' })
    await ask('waitUntil', { body: { timeout: 0 } })
    await ask('waitUntil', { body: { order: 'o1', status: 'CREATED', timeout: '10s' } })
    await ask('getVerdict')
  })
  return answered
}

/** The examples by the id of the route: of several answers the last one. */
export async function recordControlExamples(): Promise<ControlExamples> {
  const examples = new Map<string, ControlExample>()
  for (const { route, request, response } of await answeredRoutes())
    // All verdicts would be a long list.
    if (route.id !== 'judge' && (request ?? response) !== undefined)
      examples.set(route.id, {
        ...(request === undefined ? {} : { request }),
        ...(response === undefined ? {} : { response: withoutVariation(response) }),
      })
  return Object.fromEntries(examples)
}
