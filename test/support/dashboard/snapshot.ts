/** Snapshots of the fake session: windows on lists, the traffic filter, and the world at an earlier fact. */
import { compact } from '../../../src/core/base/compact.ts'
import {
  orderLifecycle,
  orderTriggers,
  type OrderTrigger,
  orderLifecycles,
} from '../../../src/core/protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../../../src/core/protocol/orders/order.ts'
import { shortRoleName } from '../../../src/core/protocol/role.ts'
import type {
  AgendaRow,
  JournalRow,
  OrderDetail,
  OrderRow,
  SessionInfo,
  Snapshot,
  TrafficRow,
  View,
} from '../../../src/core/session-api/session-api.ts'
import type { Exchange } from '../../../src/core/traffic/exchange.ts'
import type { Move } from '../../../src/core/session-api/entities.ts'

const { transitionsFrom: legalOrderTransitions } = orderLifecycles.strict

export type OrderStatusHistory = readonly {
  readonly status: OrderStatus
  readonly at: number
  readonly trigger?: string
}[]

type Orders = ReadonlyMap<
  string,
  { readonly row: OrderRow; readonly statusHistory: OrderStatusHistory }
>

export interface PastWorld {
  readonly orders: Orders
  readonly agenda: readonly AgendaRow[]
}

interface State extends PastWorld {
  readonly info: SessionInfo
  readonly journal: readonly JournalRow[]
  readonly exchanges: readonly Exchange[]
  readonly past: readonly PastWorld[]
}

export function snapshotOf(view: View, state: State): Snapshot {
  const world = view.at === undefined ? state : state.past[view.at - 1]
  if (!world) return { ...snapshotOf({}, state), problem: `fact ${view.at} is no longer kept` }
  const filter = view.traffic?.filter ?? ''
  const test = filterTest(filter)
  const traffic = state.exchanges.map(trafficRow)
  const passing = typeof test === 'string' ? [] : traffic.filter(test)
  const chosen = view.orderId === undefined ? undefined : world.orders.get(view.orderId)
  const exchange = state.exchanges.find(({ seq }) => seq === view.exchange)
  const newestFirst = [...world.orders.values()].map(({ row }) => row).toReversed()
  const { offset = 0, limit: orderLimit = 0 } = view.orders ?? {}
  const orderPlace = newestFirst.findIndex(({ orderId }) => orderId === view.orderId)
  return {
    info: state.info,
    faults: [],
    verdicts: [],
    operatorActions: [],
    journal: view.journal ? windowOf(state.journal, view.journal) : [],
    traffic: view.traffic ? windowOf(passing, view.traffic) : [],
    hidden: view.traffic ? traffic.length - passing.length : 0,
    agenda: view.agenda
      ? world.agenda.filter(ofOrder(view.agenda.orderId)).slice(0, view.agenda.limit)
      : [],
    orders: newestFirst.slice(offset, offset + orderLimit),
    entities: [],
    entityCount: 0,
    ...(orderPlace < 0 ? {} : { orderPlace }),
    ...(chosen ? { order: detailOf(chosen.row, chosen.statusHistory) } : {}),
    ...compact({ exchange }),
    ...(typeof test === 'string' ? { problem: test } : {}),
  }
}

const ofOrder =
  (orderId: string | undefined) =>
  (row: { readonly orderId?: string }): boolean =>
    orderId === undefined || row.orderId === orderId

interface Window {
  readonly limit: number
  readonly before?: number
  readonly after?: number
  readonly orderId?: string
}

/** The last rows before a sequence number, the first after it, or the last of all; oldest first. */
function windowOf<Row extends { readonly seq: number; readonly orderId?: string }>(
  rows: readonly Row[],
  { limit, before, after, orderId }: Window,
): readonly Row[] {
  const own = rows.filter(ofOrder(orderId))
  if (after !== undefined) return own.filter(({ seq }) => seq > after).slice(0, limit)
  return own.filter(({ seq }) => before === undefined || seq < before).slice(-limit)
}

/** Predicate of a traffic filter, or its validation error. */
function filterTest(filter: string): ((row: TrafficRow) => boolean) | string {
  const tests: ((row: TrafficRow) => boolean)[] = []
  for (const term of filter.split(' ').filter((part) => part !== '')) {
    const status = /^status>=(\d*)$/.exec(term)
    const expression = /^\/(.*)\/$/.exec(term)
    if (status && status[1] === '') return 'status>= needs a number'
    if (status) tests.push((row) => row.status >= Number(status[1]))
    else if (expression) {
      try {
        const pattern = new RegExp(expression[1] ?? '')
        tests.push((row) => pattern.test(textOf(row)))
      } catch {
        return `${term} is no regular expression`
      }
    } else if (term.startsWith('/')) return `${term} has no / at its end`
    else if (term === 'failed') tests.push((row) => row.status >= 400 || row.failure !== undefined)
    else if (term === 'mine') tests.push(({ subject }) => subject)
    else if (term === '!idle') tests.push(({ idle }) => idle !== true)
    else if (term.startsWith('!')) tests.push((row) => !textOf(row).includes(term.slice(1)))
    else tests.push((row) => textOf(row).includes(term))
  }
  return (row) => tests.every((test) => test(row))
}

const textOf = ({ from, to, method, path, operation, status, orderId }: TrafficRow): string =>
  `from:${shortRoleName[from]} to:${shortRoleName[to]} ${method} ${path} ${operation ?? ''} ${status} ${orderId ?? ''}`

const trafficRow = (exchange: Exchange): TrafficRow => ({
  seq: exchange.seq,
  startedAt: exchange.startedAt,
  endedAt: exchange.startedAt + exchange.tookMs,
  tookMs: exchange.tookMs,
  from: exchange.from.role,
  to: exchange.to.role,
  subject: exchange.from.party === 'subject' || exchange.to.party === 'subject',
  method: exchange.request.method,
  path: new URL(exchange.request.url).pathname,
  status: exchange.reply?.status ?? 0,
  ...compact({ operation: exchange.operation }),
  ...(exchange.failure ? { failure: exchange.failure.code } : {}),
  ...compact({ orderId: exchange.orderId }),
  ...(exchange.operation === 'pollingEvents' && exchange.reply?.status === 204
    ? { idle: true as const }
    : {}),
})

const strips: Readonly<Record<OrderType, readonly OrderStatus[]>> = {
  DELIVERY: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY', 'DELIVERED', 'CONCLUDED'],
  TAKEOUT: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'DELIVERED', 'CONCLUDED'],
  INDOOR: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'CONCLUDED'],
}

function detailOf(row: OrderRow, statusHistory: OrderStatusHistory): OrderDetail {
  const valid = legalOrderTransitions(row.status, row.profile)
  const moves = orderTriggers.map((trigger): Move => moveOf(row, trigger, valid))
  return {
    row,
    statusHistory,
    regularStatuses: strips[row.profile],
    moves,
    events: statusHistory.map(({ status, at }, index) => ({
      eventId: `event-${index + 1}`,
      eventType: status,
      createdAt: new Date(at).toISOString(),
      state: 'pushed',
    })),
    document: { id: row.orderId, displayId: row.displayId, status: row.status },
  }
}

function moveOf(
  row: OrderRow,
  trigger: OrderTrigger,
  valid: ReturnType<typeof legalOrderTransitions>,
): Move {
  const found = valid.find((each) => each.trigger === trigger)
  const by =
    trigger === 'cancel' || trigger === 'conclude' ? 'ordering-application' : 'software-service'
  const command = { kind: 'order.apply', orderId: row.orderId, trigger } as const
  return found
    ? { trigger, to: found.to, by, command }
    : {
        trigger,
        to: orderLifecycle.find((each) => each.trigger === trigger)?.to ?? '',
        by,
        command: { ...command, force: true },
        invalid: `not from ${row.status}`,
      }
}
