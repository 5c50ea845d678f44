/** Builds a snapshot of a session for a view; every list is a bounded window. */
import { compact } from '../base/compact.ts'
import type { Journal, JournalEntry } from '../engine/journal.ts'
import type { Settings } from '../engine/settings.ts'
import type { World } from '../engine/world.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { faultRows } from './fault-rows.ts'
import type {
  ItemDetail,
  OperatorAction,
  SessionInfo,
  Snapshot,
  TrafficRow,
  View,
  JournalRow,
} from '../session-api/session-api.ts'
import type { DerivedLog, TrafficLog } from '../traffic/log.ts'
import { agendaRow, agendaRows } from './agenda-rows.ts'
import type { EntityView, ViewContext } from './entity-view.ts'
import { resolveViewOrders } from './order-reference.ts'
import { orderDetail, orderRows, pinnedRows } from './order-rows.ts'
import { rowTest } from './row-text.ts'
import { trafficRows } from './traffic-rows.ts'
import { accountEntities } from './accounts.ts'
import { deliveryEntities } from './deliveries.ts'
import { couponEntities, loyaltyAccountEntities } from './loyalty.ts'
import type { Command } from '../engine/command.ts'
import type { EntityDetail, EntityRow, SessionEntityKind } from '../session-api/entities.ts'
import { customerEntities, leadEntities, reviewEntities } from './customers.ts'
import type { Role } from '../protocol/role.ts'
import { concernsRole } from './relevance.ts'
import { factText, orderIdOfFact } from '../engine/fact.ts'

/** `subject` is the role of the user's service. */
function journalRow({ seq, at, by, fact }: JournalEntry, world: World, subject?: Role): JournalRow {
  const orderId = orderIdOfFact(fact, world)
  return {
    seq,
    at,
    kind: fact.kind,
    by,
    text: factText(fact, world),
    ...compact({ orderId }),
    ...(subject !== undefined && concernsRole(fact, subject, world)
      ? { subject: true as const }
      : {}),
  }
}

/** Which facts a view is about; undefined for all. */
function scopeOf(
  { orderId, mine }: NonNullable<View['journal']>,
  world: World,
  subject: Role | undefined,
): ((entry: JournalEntry) => boolean) | undefined {
  const role = mine ? subject : undefined
  if (orderId === undefined && role === undefined) return undefined
  return ({ fact }) =>
    (orderId === undefined || orderIdOfFact(fact, world) === orderId) &&
    (role === undefined || (!fact.kind.startsWith('agenda.') && concernsRole(fact, role, world)))
}

/** Maximum facts scanned per view. */
const maxScanned = 20_000

interface JournalRows {
  /** Oldest first. */
  readonly rows: readonly JournalRow[]
  /** Number of facts with the words that are searched for. */
  readonly found?: number
}

/** Rows of the journal: facts, oldest first. */
function journalRows(
  journal: Journal,
  world: World,
  view: NonNullable<View['journal']>,
  subject?: Role,
): JournalRows {
  const test = rowTest('journal', view.contains, world)
  if (!test) return { rows: allRows(journal, world, view, subject) }
  const { limit, before = Number.MAX_SAFE_INTEGER, after, orderId, mine, contains = '' } = view
  const isInScope = scopeOf(view, world, subject)
  const matches = journalMatches(
    journal,
    JSON.stringify([contains, orderId, mine]),
    (entry) => isInScope?.(entry) !== false && test(journalRow(entry, world, subject)),
  )
  const numbers =
    after === undefined
      ? matches.filter((seq) => seq < before).slice(-limit)
      : matches.filter((seq) => seq > after).slice(0, limit)
  const rows = limit === 0 ? [] : numbers.flatMap((seq) => journal.get(seq) ?? [])
  return { rows: rows.map((entry) => journalRow(entry, world, subject)), found: matches.length }
}

function allRows(
  journal: Journal,
  world: World,
  view: NonNullable<View['journal']>,
  subject: Role | undefined,
): readonly JournalRow[] {
  const { limit, before, after } = view
  const isInScope = scopeOf(view, world, subject)
  if (after !== undefined) {
    const entries = isInScope
      ? journal.after(after, maxScanned).filter(isInScope)
      : journal.after(after, limit)
    return entries.slice(0, limit).map((entry) => journalRow(entry, world, subject))
  }
  const rows: JournalRow[] = []
  let scanned = 0
  for (const entry of journal.before(before ?? Number.MAX_SAFE_INTEGER)) {
    if (rows.length >= limit || scanned++ >= maxScanned) break
    if (isInScope?.(entry) !== false) rows.push(journalRow(entry, world, subject))
  }
  return rows.toReversed()
}

interface Search {
  readonly key: string
  /** The last fact that was looked at. */
  upTo: number
  /** Ascending. */
  matches: number[]
}

/** The last search of each journal: while a user types, it is always a new one. */
const searches = new WeakMap<Journal, Search>()

/** Numbers of the facts that pass, ascending; `key` names the search. */
function journalMatches(
  journal: Journal,
  key: string,
  passes: (entry: JournalEntry) => boolean,
): readonly number[] {
  const known = searches.get(journal)
  const search = known?.key === key ? known : { key, upTo: 0, matches: [] }
  for (const entry of journal.after(search.upTo, Number.MAX_SAFE_INTEGER))
    if (passes(entry)) search.matches.push(entry.seq)
  search.upTo = journal.last()
  const first = journal.first()
  if ((search.matches[0] ?? first) < first)
    search.matches = search.matches.filter((seq) => seq >= first)
  searches.set(journal, search)
  return search.matches
}

export interface SnapshotSource {
  readonly world: World
  readonly journal: Journal
  readonly log: TrafficLog
  /** The exchanges of the log as rows. */
  readonly trafficRows: DerivedLog<TrafficRow>
  readonly info: SessionInfo
  readonly settings: Settings
  /** Verdicts, where the view requests them. */
  readonly verdicts?: readonly Verdict[] | undefined
  readonly operatorActions?: readonly OperatorAction[] | undefined
}

/** Maximum rows of a list. */
const maxRows = 1000

const bounded = <Rows extends { readonly limit: number }>(rows: Rows): Rows => ({
  ...rows,
  limit: Math.max(0, Math.min(rows.limit, maxRows)),
})

/** Why the world after a fact cannot be reconstructed. */
const lostText = (at: number, journal: Journal): string =>
  at > journal.last()
    ? `there is no fact ${at} yet: the journal goes up to ${journal.last()}`
    : `fact ${at} is no longer kept: the journal goes back to ${journal.first()}`

export function buildSnapshot(source: SnapshotSource, wanted: View): Snapshot {
  const { world: now, journal, log, info, settings } = source
  const { view, problem: ambiguous } = resolveViewOrders(wanted, now)
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
  const traffic = view.traffic
    ? trafficRows(source.trafficRows, bounded(view.traffic), (slot) =>
        now.faults.orderBySlot.get(slot),
      )
    : { rows: [], hidden: 0 }
  const order = view.orderId === undefined ? undefined : orderDetail(view.orderId, world, settings)
  const entity = view.entity && entityDetail(world, scene, view.entity)
  const exchange = view.exchange === undefined ? undefined : log.get(view.exchange)
  const item = view.item === undefined ? undefined : itemDetail(view.item, world, settings)
  const orders = view.orders && orderRows(world, bounded(view.orders), view.orderId)
  const facts = view.journal && journalRows(journal, now, bounded(view.journal), settings.subject)
  const agenda = view.agenda && agendaRows(world, bounded(view.agenda), settings)
  const found = compact({ journal: facts?.found, agenda: agenda?.found, orders: orders?.found })
  const problem =
    view.at !== undefined && pastWorld === undefined
      ? lostText(view.at, journal)
      : (ambiguous ?? traffic.problem)
  return compact({
    info,
    journal: facts?.rows ?? [],
    traffic: traffic.rows,
    hidden: traffic.hidden,
    agenda: agenda?.rows ?? [],
    orders: orders?.rows ?? [],
    orderPlace: orders?.place,
    found: Object.keys(found).length > 0 ? found : undefined,
    ...(view.entities
      ? entityRows(world, scene, bounded(view.entities), view.entity?.id)
      : { entities: [], entityCount: 0 }),
    order,
    entity,
    exchange,
    item,
    pinned: view.pinned && pinnedRows(view.pinned, world),
    faults: view.faults ? faultRows(world) : [],
    verdicts: source.verdicts ?? [],
    operatorActions: source.operatorActions ?? [],
    problem,
  })
}

/** Entities beside orders, by kind. */
const looks: Readonly<Record<SessionEntityKind, EntityView>> = {
  account: accountEntities,
  delivery: deliveryEntities,
  customer: customerEntities,
  lead: leadEntities,
  review: reviewEntities,
  'loyalty-account': loyaltyAccountEntities,
  coupon: couponEntities,
}

/** Newest first. */
function entityRows(
  world: World,
  scene: ViewContext,
  { kind, limit, offset = 0, status, contains }: NonNullable<View['entities']>,
  chosenId: string | undefined,
): Pick<Snapshot, 'entities' | 'entityCount' | 'entityPlace'> {
  const rows: EntityRow[] = []
  const test = rowTest('entities', contains, world) ?? (() => true)
  for (const row of looks[kind].rows(world, scene))
    if ((status === undefined || row.status === status) && test(row)) rows.push(row)
  const entities = rows.toReversed().slice(offset, offset + limit)
  const index = chosenId === undefined ? -1 : rows.findIndex(({ id }) => id === chosenId)
  const entityPlace = index < 0 ? undefined : rows.length - 1 - index
  return { entities, entityCount: rows.length, ...compact({ entityPlace }) }
}

const entityDetail = (
  world: World,
  scene: ViewContext,
  { kind, id }: NonNullable<View['entity']>,
): EntityDetail | undefined => looks[kind].detail(id, world, scene)

/** The event that a command hands over. */
function eventIdOf(command: Command): string | undefined {
  if (command.kind === 'event.offer' || command.kind === 'event.push') return command.eventId
  return command.kind === 'call.place' ? command.call.eventId : undefined
}

function eventOf(command: Command, { ordering, announcements }: World): ItemDetail['event'] {
  const eventId = eventIdOf(command)
  if (eventId === undefined) return undefined
  const event = ordering.events.get(eventId)
  if (event) {
    // `merchantId` is left out: the host adds the address when the event is sent.
    const { merchantId: _merchantId, more, ...fields } = event
    return { eventId, eventType: event.eventType, fields: { ...fields, ...more } }
  }
  const announced = announcements.events.get(eventId)
  return (
    announced && {
      eventId,
      eventType: announced.eventType,
      fields: announced.body as Readonly<Record<string, unknown>>,
    }
  )
}

/** An agenda item with its command, and the wire form of the event that it hands over. */
function itemDetail(id: number, world: World, settings: Settings): ItemDetail | undefined {
  const item = world.agenda.byId.get(id)
  if (!item) return undefined
  const event = eventOf(item.command, world)
  return { row: agendaRow(item, world, settings), command: item.command, ...compact({ event }) }
}
