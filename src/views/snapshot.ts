/** Builds a snapshot of a session for a view; every list is a bounded window. */
import { compact } from '../compact.ts'
import type { Journal } from '../engine/journal.ts'
import type { Settings } from '../engine/settings.ts'
import type { World } from '../engine/world.ts'
import type { Verdict } from '../invariants/verdict.ts'
import { faultRows } from './fault-rows.ts'
import type { OperatorAction, SessionInfo, Snapshot, View } from '../session-api/session-api.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { agendaRows } from './agenda-rows.ts'
import { entityDetail, entityRows } from './entities.ts'
import type { ViewContext } from './entity-view.ts'
import { itemDetail } from './item-detail.ts'
import { journalRows } from './journal-rows.ts'
import { orderDetail, orderRows, pinnedRows } from './order-rows.ts'
import { trafficRows } from './traffic-rows.ts'

export interface SnapshotSource {
  readonly world: World
  readonly journal: Journal
  readonly log: TrafficLog
  readonly info: SessionInfo
  readonly settings: Settings
  /** Verdicts, where the view requests them. */
  readonly verdicts?: readonly Verdict[] | undefined
  readonly deeds?: readonly OperatorAction[] | undefined
}

/** Maximum rows of a list. */
const maxRows = 1000

const bounded = <Wish extends { readonly limit: number }>(wish: Wish): Wish => ({
  ...wish,
  limit: Math.max(0, Math.min(wish.limit, maxRows)),
})

/** Why the world after a fact cannot be reconstructed. */
const lostText = (at: number, journal: Journal): string =>
  at > journal.last()
    ? `there is no fact ${at} yet: the journal goes up to ${journal.last()}`
    : `fact ${at} is no longer kept: the journal goes back to ${journal.first()}`

export function buildSnapshot(source: SnapshotSource, view: View): Snapshot {
  const { world: now, journal, log, info, settings } = source
  const pastWorld = view.at === undefined ? undefined : journal.foldTo(view.at)
  const world = pastWorld ?? now
  const pastInstant =
    pastWorld === undefined || view.at === undefined
      ? undefined
      : journal.after(view.at - 1, 1)[0]?.at
  const scene: ViewContext = {
    now: pastInstant ?? info.clock.now,
    settings,
    base: (role) => info.counterparts.find((each) => each.role === role)?.url,
  }
  const traffic = view.traffic ? trafficRows(log, bounded(view.traffic)) : { rows: [], hidden: 0 }
  const order = view.orderId === undefined ? undefined : orderDetail(view.orderId, world, settings)
  const entity = view.entity && entityDetail(world, scene, view.entity)
  const exchange = view.exchange === undefined ? undefined : log.get(view.exchange)
  const item = view.item === undefined ? undefined : itemDetail(view.item, world)
  const problem =
    view.at !== undefined && pastWorld === undefined ? lostText(view.at, journal) : traffic.problem
  return {
    info,
    journal: view.journal ? journalRows(journal, now, bounded(view.journal)) : [],
    traffic: traffic.rows,
    hidden: traffic.hidden,
    agenda: view.agenda ? agendaRows(world, bounded(view.agenda)) : [],
    orders: view.orders ? orderRows(world, bounded(view.orders)) : [],
    ...(view.entities
      ? entityRows(world, scene, bounded(view.entities))
      : { entities: [], entityCount: 0 }),
    ...compact({ order, entity, exchange, item }),
    ...(view.pinned ? { pinned: pinnedRows(view.pinned, world) } : {}),
    faults: view.faults ? faultRows(world) : [],
    verdicts: source.verdicts ?? [],
    deeds: source.deeds ?? [],
    ...compact({ problem }),
  }
}
