/** The report of a session through its API: in this process, or over the control API. */
import { isoOf } from '../../../core/engine/instant.ts'
import { type Clauses, loadClauses } from '../../../core/protocol/clause.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { fullRoleName } from '../../../core/protocol/role.ts'
import { compact } from '../../../core/base/compact.ts'
import { notJudgedText } from '../../../core/views/session-verdict.ts'
import { recordedVerdicts } from '../../../core/rules/invariants/recorded-verdicts.ts'
import { elapsedText } from '../../page/session/exchange-text.ts'
import type { ReportedOrder, SessionReport } from '../../page/session/report-content.ts'
import { namedExchanges } from '../../page/session/select-exchanges.ts'
import type {
  OrderRow,
  SessionApi,
  SessionInfo,
  Snapshot,
  TrafficRow,
} from '../../../core/session-api/session-api.ts'
import { chooseExchanges } from './choose-exchanges.ts'
import { reportedFaults, reportedVerdicts } from './report-parts.ts'
import type { ReportOptions } from './report-flags.ts'

type ReportedSession = Pick<SessionApi, 'look'>

/** Rows of one request, and requests at most: the window of a session is smaller. */
const [rowsPerLook, maxLooks] = [1000, 100]
/** Orders that are explained at most, those with trouble first. */
const maxExplained = 60
/** Requests under way at once. */
const concurrency = 8

/** Every row of the traffic that the session has in memory, oldest first. */
async function allTrafficRows(session: ReportedSession): Promise<readonly TrafficRow[]> {
  const rows: TrafficRow[] = []
  for (let look = 0; look < maxLooks; look++) {
    const before = rows[0]?.seq
    const { traffic } = await session.look({
      traffic: { limit: rowsPerLook, ...compact({ before }) },
    })
    rows.unshift(...traffic)
    if (traffic.length < rowsPerLook) break
  }
  return rows
}

/** Does something for each, several at once; the results are in the order of the input. */
async function mapSeveral<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values = new Map<number, Value>()
  const queue = [...items.entries()].values()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) values.set(index, await work(item))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return items.flatMap((_, index) => {
    const value = values.get(index)
    return value === undefined ? [] : [value]
  })
}

const isTroubled = ({ failed, fault, advice, note }: TrafficRow): boolean =>
  failed === true || (fault ?? advice ?? note) !== undefined

/** The rows whose exchanges are asked for: at most `limit`, troubled and named ones first, idle polls last. */
function rowsToFetch(
  rows: readonly TrafficRow[],
  named: ReadonlySet<number>,
  limit: number,
): readonly TrafficRow[] {
  if (rows.length <= limit) return rows
  const rank = (row: TrafficRow): number =>
    named.has(row.seq) ? 0 : isTroubled(row) ? 1 : row.idle === true ? 3 : 2
  return rows
    .toSorted((one, other) => rank(one) - rank(other) || other.seq - one.seq)
    .slice(0, limit)
    .toSorted((one, other) => one.seq - other.seq)
}

function factsOf(info: SessionInfo, rows: readonly TrafficRow[]): SessionReport['facts'] {
  const { version, protocol, seed, clock, channel, counterparts, subject, recording, counts } = info
  const begin = rows[0]?.startedAt
  const end = Math.max(...rows.map(({ endedAt }) => endedAt), begin ?? 0)
  return [
    ...(subject
      ? [
          [
            fullRoleName[subject.role],
            `your service${subject.url === undefined ? '' : `, ${subject.url}`}`,
          ] as const,
        ]
      : []),
    ...counterparts.map(
      ({ role, url, behaviour }) => [fullRoleName[role], `Sparring, ${url}, ${behaviour}`] as const,
    ),
    ...(begin === undefined
      ? []
      : [
          [
            'traffic',
            `${pluralise(counts.exchanges, 'exchange')} in ${elapsedText(end - begin)}, from ${isoOf(Math.floor(begin))}`,
          ] as const,
        ]),
    ['orders', `${counts.orders}, of which ${counts.open} open`],
    ['channel', channel],
    ['clock', `${clock.mode}, speed ${clock.speed}, ${isoOf(Math.floor(clock.now))}`],
    ['seed', String(seed)],
    ['versions', `sparring/${version}, ${protocol.name} ${protocol.version}`],
    ...(recording === undefined ? [] : [['recording', recording.file] as const]),
  ]
}

const orderTitle = ({ profile, displayId, merchant, status, cancellation }: OrderRow): string =>
  `${profile} order ${displayId} of ${merchant}: ${status}${cancellation === undefined ? '' : `, cancellation ${cancellation}`}`

/** The orders of the session with their explanations, as far as these are few. */
async function explainedOrders(
  session: ReportedSession,
  orders: readonly OrderRow[],
  troubled: ReadonlySet<string>,
): Promise<readonly ReportedOrder[]> {
  const ranked = orders.toSorted(
    (one, other) => Number(troubled.has(other.orderId)) - Number(troubled.has(one.orderId)),
  )
  const explained = new Set(ranked.slice(0, maxExplained).map(({ orderId }) => orderId))
  return mapSeveral(orders, async (row): Promise<ReportedOrder> => {
    const { orderId, slot } = row
    const about = { orderId, title: orderTitle(row), ...compact({ slot }) }
    if (!explained.has(orderId)) return about
    const { explanation } = await session.look({ explain: orderId })
    if (!explanation) return about
    const { host, known, conclusion, splits } = explanation
    return { ...about, explanation: { host, known, conclusion, splits } }
  })
}

/** Nothing in it is redacted yet. */
export async function reportOfSession(
  session: ReportedSession,
  options: Pick<ReportOptions, 'order' | 'failed' | 'only'>,
  limit: number,
): Promise<SessionReport> {
  const [clauses, rows, snapshot] = await Promise.all([
    loadClauses(),
    allTrafficRows(session),
    session.look({ verdicts: true, faults: true, orders: { limit: rowsPerLook } }),
  ])
  return drawReport({ session, clauses, rows, snapshot }, options, limit)
}

interface ReportSources {
  readonly session: ReportedSession
  readonly clauses: Clauses
  readonly rows: readonly TrafficRow[]
  readonly snapshot: Snapshot
}

async function drawReport(
  { session, clauses, rows, snapshot }: ReportSources,
  options: Pick<ReportOptions, 'order' | 'failed' | 'only'>,
  limit: number,
): Promise<SessionReport> {
  const { info } = snapshot
  const verdicts = reportedVerdicts(recordedVerdicts(snapshot.verdicts), clauses)
  const named = namedExchanges({ verdicts, failures: [], faults: [] })
  const wanted = rowsToFetch(rows, named, limit)
  const exchanges = await mapSeveral(
    wanted,
    async ({ seq }) => (await session.look({ exchange: seq })).exchange,
  )
  const found = exchanges.filter((each) => each !== undefined)
  // Newest first in the session; a page tells the story from its beginning.
  const orders = snapshot.orders.toReversed()
  const slots = new Map(
    orders.flatMap(({ slot, orderId }) => (slot === undefined ? [] : [[slot, orderId] as const])),
  )
  const missing = info.counts.exchanges - found.length
  const { exchanges: chosen, ...choice } = chooseExchanges(
    {
      exchanges: found,
      named,
      slots,
      all: info.counts.exchanges,
      remedies:
        missing > 0
          ? [
              `${pluralise(missing, 'exchange')} are not asked of the session, or no longer in its memory: see them with --limit <n>, or record the session (up --record <file>) and report the recording`,
            ]
          : [],
    },
    options,
    limit,
  )
  const troubled = new Set(
    rows.flatMap((row) => (isTroubled(row) && row.orderId !== undefined ? [row.orderId] : [])),
  )
  for (const { findings } of verdicts)
    for (const { orderId } of findings) if (orderId !== undefined) troubled.add(orderId)
  return {
    facts: factsOf(info, rows),
    exchanges: chosen,
    orders: await explainedOrders(session, orders, troubled),
    faults: reportedFaults(snapshot.faults, found),
    verdicts,
    whyNoVerdicts: notJudgedText(info),
    failures: [],
    ...choice,
  }
}
