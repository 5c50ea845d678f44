/** Read-only routes of the control API: state, agenda, journal and traffic of a session, as windows. */
import { z } from 'zod'
import { OrderStatus } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import { RoleChoice } from '../../protocol/role-schema.ts'
import type { OrderRow, SessionApi, Snapshot, View } from '../../session-api/session-api.ts'
import { type ControlAnswer, jsonAnswer, errorAnswer } from './answer.ts'
import { defineRoute, getRoute, gives } from './route.ts'
import { controlSchemas } from './schemas.ts'
import { compact } from '../../base/compact.ts'
import {
  sessionEntityKinds,
  type SessionEntityKind,
  type EntityRow,
} from '../../session-api/entities.ts'
import { strictObject } from '../../base/lazy-object.ts'

const maxRows = 1000

const number = z.coerce.number().int().min(0)
const limit = z.coerce.number().int().min(1).max(maxRows).default(100)
const order = z.string().min(1).optional()
const window = { limit, after: number.optional(), before: number.optional() }

const HealthBody = z.object({ status: z.literal('ok') })

const OrdersQuery = strictObject(() => ({
  limit,
  offset: number.optional(),
  status: OrderStatus.optional(),
}))

/** Takes a snapshot and responds with a part of it, or with the problem. */
async function answerPart(
  session: SessionApi,
  view: View,
  part: (snapshot: Snapshot) => unknown,
): Promise<ControlAnswer> {
  const snapshot = await session.look(view)
  return snapshot.problem === undefined
    ? jsonAnswer(part(snapshot))
    : errorAnswer('INVALID_PAYLOAD', snapshot.problem)
}

const bySeq = <Row extends { readonly seq: number }>(rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((a, b) => a.seq - b.seq)

/** Entity kinds that each role holds. */
const kindsByRole: Readonly<Record<Role, readonly SessionEntityKind[]>> = {
  'ordering-application': [],
  'software-service': ['account'],
  'delivery-platform': ['delivery'],
  crm: ['customer', 'lead', 'review', 'loyalty-account', 'coupon'],
}

const believedOrders = ({ orderId, displayId, profile, believed: status }: OrderRow) =>
  status === undefined ? [] : [{ orderId, displayId, profile, status }]

/** Orders as each of our roles knows them; the subject's view is not available. */
const ordersAs: Partial<Record<Role, (orders: readonly OrderRow[]) => unknown>> = {
  'ordering-application': (orders) => orders,
  'software-service': (orders) => orders.flatMap(believedOrders),
}

export const readRoutes = [
  defineRoute({
    ...getRoute('getHealth', '/health'),
    summary: 'Whether the session lives',
    open: true,
    success: gives('`{"status":"ok"}`', HealthBody),
    answer: () => Promise.resolve(jsonAnswer({ status: 'ok' })),
  }),
  defineRoute({
    ...getRoute('getSession', '/session'),
    summary:
      'Who is up and where, the seed, the clock, the versions, and how much there is of everything',
    success: gives('the session', controlSchemas.Session),
    answer: (session) => answerPart(session, {}, ({ info }) => info),
  }),
  defineRoute({
    ...getRoute('streamChanges', '/stream'),
    summary:
      'Everything new as server-sent events: `fact`, `exchange`, and `session` for other changes; after `Last-Event-ID`, or `after`, an event id such as `120-34`',
    query: strictObject(() => ({
      after: z
        .string()
        .regex(/^\d{1,15}-\d{1,15}$/, 'write the id of an event: 120-34')
        .optional(),
    })),
    success: { status: 200, what: 'a stream', type: 'text/event-stream' },
    refuses: ['UNAVAILABLE'],
    answer: (_, { query }) => Promise.resolve({ stream: 'changes', ...compact(query) }),
  }),
  defineRoute({
    ...getRoute('followPosition', '/position'),
    summary:
      'How far the session is, as server-sent events, eight a second at most: `hello` with its `session` id, `version` and the `access` of the token, `position` with `seed`, `facts` and `exchanges` whenever something has changed, and `end` when the session is stopped',
    success: { status: 200, what: 'a stream of a few numbers', type: 'text/event-stream' },
    refuses: ['UNAVAILABLE'],
    answer: () => Promise.resolve({ stream: 'position' }),
  }),
  defineRoute({
    ...getRoute('getState', '/state/{role}'),
    summary: 'The present, as one role that we play knows it',
    params: strictObject(() => ({ role: RoleChoice })),
    query: OrdersQuery,
    success: gives(
      'the counterpart, its orders, and what else it keeps, by kind',
      controlSchemas.RoleState,
    ),
    async answer(session, { params: { role }, query }) {
      const { info, orders } = await session.look({ orders: compact(query) })
      const counterpart = info.counterparts.find((each) => each.role === role)
      if (!counterpart)
        return errorAnswer('NOT_FOUND', `we do not play the ${role} in this session`)
      const entities: Record<string, readonly EntityRow[]> = {}
      for (const kind of kindsByRole[role])
        entities[kind] = (await session.look({ entities: compact({ kind, ...query }) })).entities
      return jsonAnswer({ ...counterpart, orders: ordersAs[role]?.(orders) ?? [], ...entities })
    },
  }),
  defineRoute({
    ...getRoute('listSessionOrders', '/orders'),
    summary: 'Orders, newest first',
    query: OrdersQuery,
    success: gives('a list of orders', z.array(controlSchemas.OrderRow)),
    answer: (session, { query }) =>
      answerPart(session, { orders: compact(query) }, ({ orders }) => orders),
  }),
  defineRoute({
    ...getRoute('getSessionOrder', '/orders/{id}'),
    summary: 'One order: its status history, its events, its moves, and its document',
    params: strictObject(() => ({ id: z.string() })),
    success: gives('the order in detail', controlSchemas.OrderDetail),
    refuses: ['CONFLICT'],
    async answer(session, { params: { id } }) {
      const { order: detail, problem } = await session.look({ orderId: id })
      if (problem !== undefined) return errorAnswer('CONFLICT', problem)
      return detail ? jsonAnswer(detail) : errorAnswer('NOT_FOUND', `there is no order ${id}`)
    },
  }),
  defineRoute({
    ...getRoute('listEntities', '/entities/{kind}'),
    summary: 'Accounts, deliveries, customers … of one kind, newest first',
    params: strictObject(() => ({ kind: z.enum(sessionEntityKinds) })),
    query: strictObject(() => ({
      limit,
      offset: number.optional(),
      status: z.string().optional(),
    })),
    success: gives('a list of that kind', z.array(controlSchemas.EntityRow)),
    answer: (session, { params: { kind }, query }) =>
      answerPart(session, { entities: compact({ kind, ...query }) }, ({ entities }) => entities),
  }),
  defineRoute({
    ...getRoute('getEntity', '/entities/{kind}/{id}'),
    summary:
      'One of them: its status history, its moves with the command of each, and its document',
    params: strictObject(() => ({ kind: z.enum(sessionEntityKinds), id: z.string() })),
    success: gives('the account, delivery, customer … in detail', controlSchemas.EntityDetail),
    async answer(session, { params: { kind, id } }) {
      const { entity } = await session.look({ entity: { kind, id } })
      return entity ? jsonAnswer(entity) : errorAnswer('NOT_FOUND', `there is no ${kind} ${id}`)
    },
  }),
  defineRoute({
    ...getRoute('getMenu', '/menu'),
    summary:
      'What orders are made up from: `merchants` and the `items` that they sell, of one merchant if named by id, externalCode or name',
    query: strictObject(() => ({
      limit,
      offset: number.optional(),
      merchant: z.string().optional(),
    })),
    success: gives('`{merchants, items}`', controlSchemas.Menu),
    answer: (session, { query }) =>
      answerPart(session, { menu: compact(query) }, ({ menu }) => menu),
  }),
  defineRoute({
    ...getRoute('listAgenda', '/agenda'),
    summary: 'The future: what will happen, in the order in which it is due',
    query: strictObject(() => ({ limit, order, background: z.stringbool().optional() })),
    success: gives('a list of items', z.array(controlSchemas.AgendaItem)),
    answer: (session, { query: { order: orderId, ...query } }) =>
      answerPart(session, { agenda: compact({ ...query, orderId }) }, ({ agenda }) => agenda),
  }),
  defineRoute({
    ...getRoute('listFacts', '/journal'),
    summary: 'The past of our world: facts, oldest first; `after` pages forward, `before` back',
    query: strictObject(() => ({ ...window, order })),
    success: gives('a list of facts', z.array(controlSchemas.FactRow)),
    answer: (session, { query: { order: orderId, ...query } }) =>
      answerPart(session, { journal: compact({ ...query, orderId }) }, ({ journal }) =>
        bySeq(journal),
      ),
  }),
  defineRoute({
    ...getRoute('listExchanges', '/traffic'),
    summary:
      'What went over the wire: exchanges, oldest first; `after` pages forward, `before` back',
    query: strictObject(() => ({ ...window, order, filter: z.string().max(1000).optional() })),
    success: gives('a list of exchanges, a line each', z.array(controlSchemas.ExchangeRow)),
    answer: (session, { query: { order: orderId, ...query } }) =>
      answerPart(session, { traffic: compact({ ...query, orderId }) }, ({ traffic }) =>
        bySeq(traffic),
      ),
  }),
  defineRoute({
    ...getRoute('getExchange', '/traffic/{seq}'),
    summary: 'One exchange whole: headers and bodies',
    params: strictObject(() => ({ seq: z.coerce.number().int().min(1) })),
    success: gives('the exchange', controlSchemas.Exchange),
    async answer(session, { params: { seq } }) {
      const { exchange } = await session.look({ exchange: seq })
      return exchange
        ? jsonAnswer(exchange)
        : errorAnswer('NOT_FOUND', `exchange ${seq} is not kept`)
    },
  }),
]
