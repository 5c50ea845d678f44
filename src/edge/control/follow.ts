/**
 * Follows all changes of a session in order, for log output and the control API's stream. Pull-based: a slow reader
 * costs no memory; entries evicted meanwhile are counted as missed.
 */
import type {
  JournalRow,
  SessionFace,
  SessionInfo,
  TrafficRow,
} from '../../session-api/session-api.ts'

/** Read position. */
export interface Cursor {
  /** Sequence number of the last fact. */
  readonly fact: number
  /** All exchanges up to this sequence number were read. */
  readonly exchange: number
}

export interface News {
  readonly facts: readonly JournalRow[]
  readonly exchanges: readonly TrafficRow[]
  readonly info: SessionInfo
  /** Facts evicted before they could be read. */
  readonly missed: number
  /** Position after these changes. */
  readonly cursor: Cursor
}

export const followBatch = 200

/**
 * Exchanges are numbered when they begin and delivered when they end, so they arrive out of order. The number of out-
 * of-order exchanges remembered is bounded, since an exchange may never end.
 */
const mostPassed = 256

/** Deduplicates sequence numbers that arrive out of order. */
export function createPassage(start: number) {
  let floor = start
  const passed = new Set<number>()
  return {
    floor: () => floor,
    /** Marks a number as seen; returns whether it is new. */
    take(seq: number): boolean {
      if (seq <= floor || passed.has(seq)) return false
      passed.add(seq)
      if (passed.size > mostPassed) floor = Math.min(...passed) - 1
      while (passed.delete(floor + 1)) floor++
      return true
    },
  }
}

/** The current position. */
export async function cursorOf(face: Pick<SessionFace, 'look'>): Promise<Cursor> {
  const { info, traffic } = await face.look({ traffic: { limit: 1 } })
  return { fact: info.counts.facts, exchange: traffic.at(-1)?.seq ?? 0 }
}

interface FollowOptions {
  readonly from: Cursor
  readonly signal: AbortSignal
}

type Followed = Pick<SessionFace, 'look' | 'subscribe'>

/** Yields on every change until aborted; a change may contain neither facts nor exchanges. */
export async function* follow(
  face: Followed,
  { from, signal }: FollowOptions,
): AsyncGenerator<News, void> {
  let fact = from.fact
  const passage = createPassage(from.exchange)
  let changed = Promise.withResolvers<void>()
  const wake = () => changed.resolve()
  const stop = face.subscribe(wake)
  signal.addEventListener('abort', wake)
  wake()

  async function look(): Promise<News> {
    const { info, journal } = await face.look({ journal: { after: fact, limit: followBatch } })
    // After a reset facts count from 1 again; exchanges continue.
    if (info.counts.facts < fact) {
      fact = 0
      return look()
    }
    const facts = journal.filter(({ seq }) => seq > fact)
    const missed = facts[0] ? facts[0].seq - fact - 1 : 0
    fact = facts.at(-1)?.seq ?? fact
    const exchanges = await newExchanges(face, passage)
    return { facts, exchanges, info, missed, cursor: { fact, exchange: passage.floor() } }
  }

  try {
    while (!signal.aborted) {
      await changed.promise
      if (signal.aborted) return
      changed = Promise.withResolvers()
      const news = await look()
      if (news.facts.length === followBatch) wake()
      yield news
    }
  } finally {
    stop()
    signal.removeEventListener('abort', wake)
  }
}

async function newExchanges(
  face: Followed,
  passage: ReturnType<typeof createPassage>,
): Promise<readonly TrafficRow[]> {
  const found: TrafficRow[] = []
  let after = passage.floor()
  for (;;) {
    const { traffic } = await face.look({ traffic: { after, limit: followBatch } })
    found.push(...traffic.filter(({ seq }) => passage.take(seq)))
    const last = Math.max(0, ...traffic.map(({ seq }) => seq))
    if (traffic.length < followBatch || last <= after) return found
    after = last
  }
}
