import { expect, test } from 'vitest'
import type { JournalRow, SessionApi, Snapshot, TrafficRow } from '../../session-api/session-api.ts'
import { ordersOnly } from '../../../../test/support/orders-only.ts'
import {
  createSeqDeduplicator,
  currentCursor,
  followSession,
  followBatchSize,
  type SessionChanges,
} from './follow.ts'
import { openSession } from '../../session/open-session.ts'

test('exchanges that end out of order are each delivered once', () => {
  const passage = createSeqDeduplicator(0)
  const handed = [1, 3, 4, 1, 3, 2, 5, 2].filter((seq) => passage.take(seq))
  expect(handed).toEqual([1, 3, 4, 2, 5])
  expect(passage.floor()).toBe(5)
})

test('an exchange that never ends does not block the others', () => {
  const passage = createSeqDeduplicator(0)
  for (let seq = 2; seq <= 300; seq++) passage.take(seq)
  expect(passage.floor()).toBe(300)
  expect(passage.take(1)).toBe(false)
})

const fact = (seq: number): JournalRow => ({ seq, at: 0, kind: 'agenda.taken', text: '', by: 'x' })
const exchange = (seq: number): TrafficRow => ({
  seq,
  startedAt: 0,
  endedAt: 0,
  tookMs: 0,
  from: 'software-service',
  to: 'ordering-application',
  subject: false,
  method: 'GET',
  path: '/',
  status: 200,
})

/** A session API with journal and traffic windows only. */
function past() {
  const facts: JournalRow[] = []
  const exchanges: TrafficRow[] = []
  const listeners = new Set<() => void>()
  let kept = 0
  const face: Pick<SessionApi, 'look' | 'subscribe'> = {
    look: ({ journal, traffic }) =>
      Promise.resolve({
        info: { counts: { facts: facts.at(-1)?.seq ?? 0 } },
        journal: facts
          .filter(({ seq }) => seq > kept && seq > (journal?.after ?? 0))
          .slice(0, journal?.limit ?? 0),
        traffic: exchanges
          .filter(({ seq }) => seq > (traffic?.after ?? 0))
          .slice(0, traffic?.limit ?? 0),
      } as unknown as Snapshot),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    face,
    facts,
    exchanges,
    listeners,
    forgetTo: (seq: number) => (kept = seq),
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
}

test('existing entries come first, in batches, then new ones', async () => {
  const { face, facts, exchanges, notify, listeners } = past()
  for (let seq = 1; seq <= followBatchSize + 5; seq++) facts.push(fact(seq))
  exchanges.push(exchange(2))
  const stopping = new AbortController()
  const seen: SessionChanges[] = []
  for await (const news of followSession(face, {
    from: { fact: 0, exchange: 0 },
    signal: stopping.signal,
  })) {
    seen.push(news)
    if (seen.length === 2) {
      facts.push(fact(followBatchSize + 6))
      exchanges.unshift(exchange(1))
      notify()
    }
    if (seen.length === 3) stopping.abort()
  }
  expect(seen.map(({ facts: told }) => told.length)).toEqual([followBatchSize, 5, 1])
  expect(seen.flatMap((news) => news.exchanges.map(({ seq }) => seq))).toEqual([2, 1])
  expect(seen.at(-1)?.cursor).toEqual({ fact: followBatchSize + 6, exchange: 2 })
  expect(listeners.size).toBe(0)
})

test('an exchange is not delivered before the facts that came before it', async () => {
  const { face, facts, exchanges } = past()
  for (let seq = 1; seq <= followBatchSize + 5; seq++) facts.push({ ...fact(seq), at: seq * 10 })
  const early = { ...exchange(1), endedAt: 20.5 }
  const late = { ...exchange(2), endedAt: (followBatchSize + 3) * 10 }
  exchanges.push(early, late)
  const stopping = new AbortController()
  const seen: SessionChanges[] = []
  for await (const news of followSession(face, {
    from: { fact: 0, exchange: 0 },
    signal: stopping.signal,
  })) {
    seen.push(news)
    if (seen.length === 2) stopping.abort()
  }
  expect(seen.map((news) => news.exchanges)).toEqual([[early], [late]])
  // Who goes on from the first position still gets it.
  expect(seen.map(({ cursor }) => cursor.exchange)).toEqual([1, 2])
})

test('a slow reader gets the number of missed facts', async () => {
  const { face, facts, forgetTo } = past()
  for (let seq = 1; seq <= 50; seq++) facts.push(fact(seq))
  forgetTo(40)
  const { value } = await followSession(face, {
    from: { fact: 10, exchange: 0 },
    signal: new AbortController().signal,
  }).next()
  expect(value).toMatchObject({ missed: 30 })
  expect((value as SessionChanges).facts[0]?.seq).toBe(41)
})

test('after a reset facts are delivered from the first one', async () => {
  await using session = await openSession({
    clock: 'stepped',
    listen: false,
    capabilities: ordersOnly,
  })
  await session.createOrder()
  const stopping = new AbortController()
  const news = followSession(session, {
    from: await currentCursor(session),
    signal: stopping.signal,
  })
  expect((await news.next()).value).toMatchObject({ facts: [], missed: 0 })
  const next = news.next()
  await session.reset()
  expect((await next).value).toMatchObject({ facts: [{ seq: 1, kind: 'session.opened' }, {}] })
  stopping.abort()
  expect((await news.next()).done).toBe(true)
})
