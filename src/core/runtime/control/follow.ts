/**
 * Follows all changes of a session in order, for log output and the control API's stream. Pull-based: a slow reader
 * costs no memory; entries evicted meanwhile are counted as missed.
 */
import type {
  JournalRow,
  SessionApi,
  SessionInfo,
  TrafficRow,
} from '../../session-api/session-api.ts'

/** Read position. */
export interface ChangeCursor {
  /** Sequence number of the last fact. */
  readonly fact: number
  /** All exchanges up to this sequence number were read. */
  readonly exchange: number
}

export interface SessionChanges {
  readonly facts: readonly JournalRow[]
  readonly exchanges: readonly TrafficRow[]
  readonly info: SessionInfo
  /** Facts evicted before they could be read. */
  readonly missed: number
  /** Position after these changes. */
  readonly cursor: ChangeCursor
}

export const followBatchSize = 200

/**
 * Exchanges are numbered when they begin and delivered when they end, so they arrive out of order. The number of out-
 * of-order exchanges remembered is bounded, since an exchange may never end.
 */
const maxOutOfOrder = 256

/** Deduplicates sequence numbers that arrive out of order. */
export function createSeqDeduplicator(start: number) {
  let floor = start
  const known = new Set<number>()
  return {
    floor: () => floor,
    /** Marks a number as known; returns whether it is new. */
    take(seq: number): boolean {
      if (seq <= floor || known.has(seq)) return false
      known.add(seq)
      if (known.size > maxOutOfOrder) floor = Math.min(...known) - 1
      while (known.delete(floor + 1)) floor++
      return true
    },
  }
}

/** The current position. */
export async function currentCursor(session: Pick<SessionApi, 'look'>): Promise<ChangeCursor> {
  const { info, traffic } = await session.look({ traffic: { limit: 1 } })
  return { fact: info.counts.facts, exchange: traffic.at(-1)?.seq ?? 0 }
}

export interface FollowOptions {
  readonly from: ChangeCursor
  readonly signal: AbortSignal
  /** Aborted when nothing more will come: it ends with the changes until then. */
  readonly last?: AbortSignal | undefined
}

type Followed = Pick<SessionApi, 'look' | 'subscribe' | 'patientLook'>

/** Yields on every change until aborted; a change may contain neither facts nor exchanges. */
export async function* followSession(
  session: Followed,
  { from, signal, last: ending }: FollowOptions,
): AsyncGenerator<SessionChanges, void> {
  const take = session.patientLook ?? session.look
  let fact = from.fact
  /** Where a viewer is attached: the session that the position belongs to. */
  let sessionId: string | undefined
  /** Exchanges that ended after the last fact read so far. */
  let later: readonly TrafficRow[] = []
  let deduplicator = createSeqDeduplicator(from.exchange)
  let changed = Promise.withResolvers<void>()
  const wake = () => changed.resolve()
  const unsubscribe = session.subscribe(wake)
  signal.addEventListener('abort', wake)
  ending?.addEventListener('abort', wake)
  wake()

  async function look(): Promise<SessionChanges> {
    // Both in one snapshot, so that no fact is later than an exchange that the next one has.
    const { info, journal, traffic, attached } = await take({
      journal: { after: fact, limit: followBatchSize },
      traffic: { after: deduplicator.floor(), limit: followBatchSize },
    })
    const isOther = sessionId !== undefined && attached?.session !== sessionId
    sessionId = attached?.session
    if (isOther) {
      fact = 0
      later = []
      deduplicator = createSeqDeduplicator(0)
      return look()
    }
    // After a reset facts count from 1 again; exchanges continue.
    if (info.counts.facts < fact) {
      fact = 0
      return look()
    }
    const facts = journal.filter(({ seq }) => seq > fact)
    const missed = facts[0] ? facts[0].seq - fact - 1 : 0
    const last = facts.at(-1)
    fact = last?.seq ?? fact
    const all = [...later, ...(await newExchanges(take, deduplicator, traffic))]
    const until = last && facts.length === followBatchSize ? last.at + 1 : Number.POSITIVE_INFINITY
    const exchanges = all.filter(({ endedAt }) => endedAt < until)
    later = all.filter(({ endedAt }) => endedAt >= until)
    const exchange = Math.min(deduplicator.floor(), ...later.map(({ seq }) => seq - 1))
    return { facts, exchanges, info, missed, cursor: { fact, exchange } }
  }

  try {
    while (!signal.aborted) {
      await changed.promise
      if (signal.aborted) return
      changed = Promise.withResolvers()
      const isLast = ending?.aborted === true
      const news = await look()
      const isMore = news.facts.length === followBatchSize
      if (isMore) wake()
      yield news
      if (isLast && !isMore) return
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', wake)
    ending?.removeEventListener('abort', wake)
  }
}

async function newExchanges(
  take: Followed['look'],
  deduplicator: ReturnType<typeof createSeqDeduplicator>,
  first: readonly TrafficRow[],
): Promise<readonly TrafficRow[]> {
  const found: TrafficRow[] = []
  let after = deduplicator.floor()
  for (let page = first; ;) {
    found.push(...page.filter(({ seq }) => deduplicator.take(seq)))
    const last = Math.max(0, ...page.map(({ seq }) => seq))
    if (page.length < followBatchSize || last <= after) return found
    after = last
    page = (await take({ traffic: { after, limit: followBatchSize } })).traffic
  }
}
