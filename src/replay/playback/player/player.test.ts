// @module-tag slow
/** The recording player, without a screen. */
import { compact } from '../../../core/base/compact.ts'
import { rmSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import {
  numberedExchange,
  recordingContentOf,
  withReadCount,
  filesInMemory,
  openPlayer,
  removeRecordings,
  writeRecording,
} from '../../../../test/support/dashboard/recording.ts'
import {
  type IndexOptions,
  openRecordingIndex,
} from '../../../core/runtime/recording/recording-index.ts'
import { createFilterSearch } from './search.ts'
import { timelineOfContent, timelineOfIndex } from './timeline.ts'
import { openPlayback } from '../replay/replay.ts'
import { RecordingPlayer } from './player.ts'
import { sampleT0 } from '../../../../test/support/sample-exchange.ts'

afterAll(removeRecordings)

async function indexed(count: number, options?: IndexOptions) {
  const index = await openRecordingIndex(writeRecording(count), options)
  if (!index.ok) throw new Error(index.error)
  return index.value
}

test('of 20,000 exchanges only those shown are read', async () => {
  const index = await indexed(20_000)
  const { timeline, reads } = withReadCount(timelineOfIndex(index))
  await using opened = await openPlayer(timeline)
  const { playback } = await opened.face.look({})
  expect(playback).toMatchObject({ total: 20_000, position: 0, rows: [] })
  expect(reads()).toBe(0)
  const far = await opened.face.look({
    agenda: { limit: 10 },
    playback: {
      at: 10_000,
      rows: { around: 10_000, limit: 20 },
      orders: { limit: 5 },
      lane: { orderId: 'order-03', limit: 4 },
    },
  })
  expect(far.playback?.rows.map(({ place }) => place)).toEqual(
    Array.from({ length: 40 }, (_, row) => 9_980 + row),
  )
  expect(far.playback?.orders.map(({ orderId }) => orderId)).toEqual(
    [10_000, 9_999, 9_998, 9_997, 9_996].map((seq) => numberedExchange(seq).orderId),
  )
  expect(far.playback?.lane.map(({ seq }) => seq)).toEqual([9_923, 9_943, 9_963, 9_983])
  expect(far.agenda[0]).toMatchObject({ id: 10_001, kind: 'playback.send' })
  // 40 rows, 10 next items, 5 orders, 4 lane rows, mostly the same exchanges.
  expect(reads()).toBeLessThan(60)
  index.close()
})

const rows = (around: number) => ({ playback: { at: around, rows: { around, limit: 10 } } })

test('the first screen needs a bounded part of the recording; the rest follows and is told', async () => {
  const index = await indexed(12_000, { first: 1000 })
  await using opened = await openPlayer(timelineOfIndex(index))
  const grown = vi.fn()
  opened.face.subscribe(grown)
  const first = await opened.face.look(rows(0))
  const total = first.playback?.total ?? 0
  expect(first.playback).toMatchObject({ growing: true })
  expect(first.playback?.rows).toHaveLength(10)
  // As many as a block holds, however long the recording is; and no more until the screen is complete.
  expect(total).toBeGreaterThanOrEqual(1000)
  expect(total).toBeLessThan(3000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(index.count).toBe(total)
  await opened.face.look(rows(0))
  await vi.waitFor(() => expect(index.isWhole).toBe(true), 20_000)
  await vi.waitFor(() => expect(grown).toHaveBeenCalled())
  const whole = await opened.face.look(rows(11_999))
  expect(whole.playback).toMatchObject({ total: 12_000 })
  expect(whole.playback).not.toHaveProperty('growing')
  expect(whole.playback?.rows.at(-1)).toMatchObject({ seq: 12_000 })
  index.close()
})

test('what is not indexed yet is waited for: a number, a search, bookmarks and a filter', async () => {
  const index = await indexed(12_000, { first: 1000 })
  const files = filesInMemory([
    { seq: 5, text: 'early' },
    { seq: 11_000, text: 'late' },
  ])
  await using opened = await openPlayer(
    timelineOfIndex(index),
    undefined,
    'ordering-application',
    files,
  )
  const filtered = { playback: { ...rows(0).playback, filter: 'order-03' } }
  const early = (await opened.face.look(filtered)).playback
  expect(early?.marks).toEqual([{ place: 4, text: 'early' }])
  expect(await opened.face.playback?.seek({ kind: 'seq', seq: 20 })).toEqual({
    ok: true,
    value: 19,
  })
  expect(index.isWhole).toBe(false)
  expect(await opened.face.playback?.next(4, 'mark', 1)).toBe(10_999)
  expect(index.isWhole).toBe(true)
  expect(await opened.face.playback?.seek({ kind: 'seq', seq: 12_000 })).toEqual({
    ok: true,
    value: 11_999,
  })
  await vi.waitFor(async () => {
    const { playback } = await opened.face.look(filtered)
    expect(playback).toMatchObject({ passing: 600, marks: [{ place: 4 }, { place: 10_999 }] })
    expect(playback).not.toHaveProperty('tried')
  }, 20_000)
  index.close()
}, 30_000)

test('a recording that is gone while it is indexed shows what was read, and says why', async () => {
  const file = writeRecording(12_000)
  const index = await openRecordingIndex(file, { first: 1000 })
  if (!index.ok) throw new Error(index.error)
  const { count } = index.value
  await using opened = await openPlayer(timelineOfIndex(index.value))
  rmSync(file)
  expect(await opened.face.playback?.seek({ kind: 'seq', seq: 12_000 })).toEqual({
    ok: false,
    error: `there is no exchange 12000: the last is ${count}`,
  })
  expect(index.value.problems).toMatchObject([
    { message: expect.stringContaining('no such file') as string },
  ])
  index.value.close()
})

test('a filter runs in time slices with a count of progress; indexed data is not read from the file', async () => {
  const index = await indexed(12_000)
  const { timeline, reads } = withReadCount(timelineOfIndex(index))
  let turns = 0
  const news = vi.fn(() => turns++)
  const search = createFilterSearch(timeline, news)
  const refused = search.resultsFor('status>=400')
  await vi.waitFor(() => expect(refused).toMatchObject({ value: { done: true } }))
  expect(refused).toMatchObject({ value: { tried: 12_000 } })
  expect(refused.ok && refused.value.places.length).toBe(Math.floor(12_000 / 7))
  expect(reads()).toBe(0)
  // A matching operation is known from the index; otherwise the word may occur in a path.
  const some = search.resultsFor('order-03')
  expect(some).toMatchObject({ value: { done: false } })
  const counts = new Set<number>()
  await vi.waitFor(() => {
    if (some.ok) counts.add(some.value.places.length)
    expect(some).toMatchObject({ value: { done: true } })
  }, 20_000)
  expect(some.ok && some.value.places.length).toBe(600)
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
  const again = new RecordingPlayer({
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
  const player = new RecordingPlayer({
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
  const face = player.over(playback.session, playback)
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
