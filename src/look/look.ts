/** Everything that one look at a session shows, each list a window with a bound. */
import type { Journal } from '../engine/journal.ts'
import type { World } from '../engine/world.ts'
import type { SessionInfo, Snapshot, View } from '../session-face.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { agendaRows } from './agenda-rows.ts'
import { journalRows } from './journal-rows.ts'
import { orderDetail, orderRows } from './order-rows.ts'
import { trafficRows } from './traffic-rows.ts'

export interface Looked {
  readonly world: World
  readonly journal: Journal
  readonly log: TrafficLog
  readonly info: SessionInfo
}

/** Rows of one list at most. */
const mostRows = 1000

const bounded = <Wish extends { readonly limit: number }>(wish: Wish): Wish => ({
  ...wish,
  limit: Math.max(0, Math.min(wish.limit, mostRows)),
})

export function look({ world: now, journal, log, info }: Looked, view: View): Snapshot {
  const past = view.at === undefined ? undefined : journal.foldTo(view.at)
  const lost = view.at !== undefined && past === undefined
  const world = past ?? now
  const traffic = view.traffic ? trafficRows(log, bounded(view.traffic)) : { rows: [], hidden: 0 }
  const order = view.orderId === undefined ? undefined : orderDetail(view.orderId, world)
  const exchange = view.exchange === undefined ? undefined : log.get(view.exchange)
  const problem = lost
    ? `fact ${view.at} is no longer kept: the journal goes back to ${journal.first()}`
    : traffic.problem
  return {
    info,
    journal: view.journal ? journalRows(journal, now, bounded(view.journal)) : [],
    traffic: traffic.rows,
    hidden: traffic.hidden,
    agenda: view.agenda ? agendaRows(world, bounded(view.agenda)) : [],
    orders: view.orders ? orderRows(world, bounded(view.orders)) : [],
    ...(order ? { order } : {}),
    ...(exchange ? { exchange } : {}),
    ...(problem === undefined ? {} : { problem }),
  }
}
