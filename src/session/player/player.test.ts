/** The recording player, without a screen. */
import { compact } from '../../compact.ts'
import { afterAll, expect, test, vi } from 'vitest'
import {
  numberedExchange,
  recordingContentOf,
  withReadCount,
  filesInMemory,
  openPlayer,
  removeRecordings,
  writeRecording,
} from '../../../test/support/dashboard/recording.ts'
import { openRecordingIndex } from '../../edge/recording/recording-index.ts'
import { createFilterSearch } from './search.ts'
import { timelineOfContent, timelineOfIndex } from './timeline.ts'
import { openPlayback } from '../replay/replay.ts'
import { createRecordingPlayer } from './player.ts'
import { sampleT0 } from '../../../test/support/sample-exchange.ts'

afterAll(removeRecordings)

async function indexed(count: number) {
  const index = await openRecordingIndex(writeRecording(count))
  if (!index.ok) throw new Error(index.error)
  return index.value
}

test('of 100,000 exchanges only those shown are read', async () => {
  const index = await indexed(100_000)
  const { timeline, reads } = withReadCount(timelineOfIndex(index))
  await using opened = await openPlayer(timeline)
  const { playback } = await opened.face.look({})
  expect(playback).toMatchObject({ total: 100_000, position: 0, rows: [] })
  expect(reads()).toBe(0)
  const far = await opened.face.look({
    agenda: { limit: 10 },
    playback: {
      at: 50_000,
      rows: { around: 50_000, limit: 20 },
      orders: { limit: 5 },
      lane: { orderId: 'order-03', limit: 4 },
    },
  })
  expect(far.playback?.rows.map(({ place }) => place)).toEqual(
    Array.from({ length: 40 }, (_, row) => 49_980 + row),
  )
  expect(far.playback?.orders.map(({ orderId }) => orderId)).toEqual(
    [50_000, 49_999, 49_998, 49_997, 49_996].map((seq) => numberedExchange(seq).orderId),
  )
  expect(far.playback?.lane.map(({ seq }) => seq)).toEqual([49_923, 49_943, 49_963, 49_983])
  expect(far.agenda[0]).toMatchObject({ id: 50_001, kind: 'playback.send' })
  // 40 rows, 10 next items, 5 orders, 4 lane rows, mostly the same exchanges.
  expect(reads()).toBeLessThan(60)
  index.close()
})

test('a filter runs in time slices with a count of progress; indexed data is not read from the file', async () => {
  const index = await indexed(30_000)
  const { timeline, reads } = withReadCount(timelineOfIndex(index))
  let turns = 0
  const news = vi.fn(() => turns++)
  const search = createFilterSearch(timeline, news)
  const refused = search.resultsFor('status>=400')
  await vi.waitFor(() => expect(refused).toMatchObject({ value: { done: true } }))
  expect(refused).toMatchObject({ value: { tried: 30_000 } })
  expect(refused.ok && refused.value.places.length).toBe(Math.floor(30_000 / 7))
  expect(reads()).toBe(0)
  // A matching operation is known from the index; otherwise the word may occur in a path.
  const some = search.resultsFor('order-03')
  expect(some).toMatchObject({ value: { done: false } })
  const counts = new Set<number>()
  await vi.waitFor(() => {
    if (some.ok) counts.add(some.value.places.length)
    expect(some).toMatchObject({ value: { done: true } })
  }, 20_000)
  expect(some.ok && some.value.places.length).toBe(1500)
  expect(turns).toBeGreaterThan(3)
  expect(search.resultsFor('status>=')).toMatchObject({ ok: false })
  search.stop()
  index.close()
}, 30_000)

test('a replaced filter search stops', async () => {
  const index = await indexed(20_000)
  const { timeline, reads } = withReadCount(timelineOfIndex(index))
  const search = createFilterSearch(timeline, () => undefined)
  search.resultsFor('order-03')
  const next = search.resultsFor('failed')
  await vi.waitFor(() => expect(next).toMatchObject({ value: { done: true } }))
  const before = reads()
  await new Promise((resolve) => setImmediate(resolve))
  expect(reads()).toBe(before)
  expect(before).toBeLessThan(20_000)
  index.close()
})

test('a complete order id is found without reading', () => {
  const id = 'd3b7c1a4-5e2f-4c8a-9b6d-0f1e2d3c4b5a'
  const content = recordingContentOf(50)
  const exchanges = content.exchanges.map((each, place) =>
    place % 10 === 3 ? { ...each, orderId: id } : each,
  )
  const { timeline, reads } = withReadCount(timelineOfContent({ ...content, exchanges }))
  const found = createFilterSearch(timeline, () => undefined).resultsFor(id)
  return vi.waitFor(() => {
    expect(found).toMatchObject({ value: { done: true, places: [3, 13, 23, 33, 43] } })
    expect(reads()).toBe(0)
  })
})

test('a place is found by number, time, time of day and time since the beginning', async () => {
  await using opened = await openPlayer(timelineOfContent(recordingContentOf(1000)))
  const hand = opened.face.playback
  expect(await hand?.seek({ kind: 'seq', seq: 500 })).toEqual({ ok: true, value: 499 })
  // One exchange every 10.25 ms.
  expect(await hand?.seek({ kind: 'after', ms: 1025 })).toEqual({ ok: true, value: 100 })
  expect(await hand?.seek({ kind: 'time', at: sampleT0 + 10.25 * 7 })).toEqual({
    ok: true,
    value: 6,
  })
  const ofDay = (sampleT0 % 86_400_000) + 1000
  expect(await hand?.seek({ kind: 'clock', ms: ofDay })).toEqual({ ok: true, value: 97 })
  expect(await hand?.seek({ kind: 'seq', seq: 5000 })).toEqual({
    ok: false,
    error: 'there is no exchange 5000: the last is 1000',
  })
  expect(await hand?.seek({ kind: 'after', ms: 1e9 })).toMatchObject({ ok: false })
  await using none = await openPlayer(timelineOfContent(recordingContentOf(0)))
  expect(await none.face.playback?.seek({ kind: 'seq', seq: 1 })).toMatchObject({ ok: false })
})

test('bookmarks are saved by number, found, and removed', async () => {
  const timeline = timelineOfContent(recordingContentOf(100))
  await using opened = await openPlayer(timeline)
  const hand = opened.face.playback
  expect(await hand?.bookmark(9, 'here it begins')).toEqual({ ok: true, value: true })
  expect(await hand?.bookmark(50)).toEqual({ ok: true, value: true })
  expect(opened.files.kept.marks).toEqual([
    { seq: 10, text: 'here it begins' },
    { seq: 51, text: '' },
  ])
  expect(await hand?.next(0, 'mark', 1)).toBe(9)
  expect(await hand?.next(9, 'mark', 1)).toBe(50)
  expect(await hand?.next(9, 'mark', -1)).toBeUndefined()
  expect(await hand?.next(0, 'fault', 1)).toBe(6)
  expect(await hand?.next(0, 'trouble', 1)).toBeUndefined()
  const again = createRecordingPlayer({
    timeline,
    files: filesInMemory(opened.files.kept.marks),
    rules: [],
  })
  const { playback } = await again.over(opened.session).look({})
  expect(playback?.marks).toEqual([
    { place: 9, text: 'here it begins' },
    { place: 50, text: '' },
  ])
  expect(await hand?.bookmark(9)).toEqual({ ok: true, value: false })
  expect(opened.files.kept.marks).toEqual([{ seq: 51, text: '' }])
})

test('playing to an in-process service: steps send, looking back shows the past, an accepted difference becomes noise', async () => {
  const content = recordingContentOf(30)
  const files = filesInMemory()
  const player = createRecordingPlayer({
    timeline: timelineOfContent(content),
    files,
    rules: [],
    target: 'here',
  })
  const asked: string[] = []
  await using playback = await openPlayback(
    {
      recording: content,
      role: 'ordering-application',
      async to(request) {
        asked.push(new URL(request.url).pathname)
        await Promise.resolve()
        if (request.url.endsWith('/oauth/token'))
          return Response.json({ access_token: 't', token_type: 'bearer', expires_in: 3600 })
        return Response.json({ id: asked.at(-1)?.split('/').at(-1), customer: {} }, { status: 202 })
      },
      clock: 'stepped',
      capabilities: { indoor: false, logistics: false, customer: false },
      sameIds: true,
    },
    player.ports,
  )
  const running = playback.run()
  const face = player.over(playback.session, playback.wanted)
  const look = async (at?: number) => {
    const { playback: told } = await face.look({
      playback: { pair: 0, rows: { around: 0, limit: 5 }, ...compact({ at }) },
    })
    if (!told) throw new Error('there is no recording')
    return told
  }
  await vi.waitFor(async () => expect((await look()).next).toBe(0))
  expect(asked).toEqual([])
  await face.step()
  await vi.waitFor(async () => expect((await look()).counts).toEqual({ changed: 1 }))
  const sent = asked.length
  const now = await look()
  expect(now).toMatchObject({ position: 1, first: 0, trouble: [0], over: false })
  expect(now.pair).toMatchObject({ live: { reply: { status: 202 } } })
  expect(now.rows[0]).toMatchObject({ standing: 'changed', sent: true })

  // Before the first exchange nothing was sent, and looking there sends nothing.
  const before = await face.look({ agenda: { limit: 100 }, playback: { at: 0 } })
  const after = await face.look({ agenda: { limit: 100 } })
  expect(before.agenda.length).toBe(after.agenda.length + 1)
  expect(asked.length).toBe(sent)

  const status = now.pair?.differences.find(({ where }) => where === '/status')
  if (!status) throw new Error('the status does not differ')
  for (const difference of now.pair?.differences ?? [])
    await face.playback?.accept(0, difference, { as: 'ignore' })
  expect(files.kept.rules).toContainEqual(
    expect.objectContaining({ at: '$.status', side: 'reply', operation: 'getOrder', from: 'user' }),
  )
  expect((await look()).counts).toEqual({ noise: 1 })
  expect((await look()).trouble).toEqual([])
  await face.step()
  await vi.waitFor(async () => expect((await look()).counts).toEqual({ noise: 2 }))
  playback.stop()
  expect(player.rejudge(await running).counts).toEqual({ noise: 2 })
})
