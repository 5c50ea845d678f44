import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { initialModel } from '../model/model.ts'
import { createModelStore } from './store.ts'
import { createFakeSession } from '../../../../test/support/dashboard/fake-session.ts'
import { watchSession, type SessionWatcher, type SessionWatcherOptions } from './watch.ts'

const stops: SessionWatcher[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  for (const watcher of stops.splice(0)) watcher.stop()
})

const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms)

function startWatcher(
  options: Partial<
    Pick<SessionWatcherOptions, 'isDrained' | 'minIntervalMs' | 'maxIntervalMs'>
  > = {},
) {
  const face = createFakeSession()
  let looks = 0
  const counting: SessionApi = {
    ...face,
    look: (view) => {
      looks++
      return face.look(view)
    },
  }
  const store = createModelStore(initialModel(80, 24))
  const { isDrained = () => true, minIntervalMs = 30, maxIntervalMs = 100_000 } = options
  const watcher = watchSession({
    session: counting,
    store,
    isDrained,
    minIntervalMs,
    maxIntervalMs,
  })
  stops.push(watcher)
  return { face, store, watcher, looks: () => looks }
}

test('a thousand changes cause few snapshots, and the last one includes all', async () => {
  const { face, store, looks } = startWatcher()
  await pause(10)
  const before = looks()
  for (let count = 0; count < 1000; count++) face.poll()
  await pause(120)
  expect(looks() - before).toBeGreaterThanOrEqual(1)
  expect(looks() - before).toBeLessThanOrEqual(5)
  expect(store.get().snapshot?.info.counts.exchanges).toBe(1000)
})

test('no snapshot is taken while the terminal has not consumed the last frame', async () => {
  let isDrained = false
  const { face, store } = startWatcher({ isDrained: () => isDrained, minIntervalMs: 10 })
  await pause(10)
  face.poll()
  await pause(80)
  expect(store.get().snapshot?.info.counts.exchanges).toBe(0)
  isDrained = true
  await pause(60)
  expect(store.get().snapshot?.info.counts.exchanges).toBe(1)
})

test('without news a snapshot is taken after an interval that begins with the last one', async () => {
  const { face, looks } = startWatcher({ minIntervalMs: 10, maxIntervalMs: 1000 })
  await pause(900)
  expect(looks()).toBe(1)
  face.poll()
  await pause(950)
  expect(looks()).toBe(2)
  await pause(100)
  expect(looks()).toBe(3)
})

test('a key that changes the query causes a snapshot at once', async () => {
  const { store, looks } = startWatcher({ isDrained: () => false, minIntervalMs: 100_000 })
  await pause(10)
  const before = looks()
  store.send({ kind: 'focused', pane: 'facts' })
  await pause(10)
  expect(looks()).toBe(before + 1)
  store.send({ kind: 'notice', notice: { text: 'nothing to look at', tone: 'plain' } })
  await pause(10)
  expect(looks()).toBe(before + 1)
})

test('an unreachable session is reported, and queried again', async () => {
  const face = createFakeSession()
  let broken = true
  const shaky: SessionApi = {
    ...face,
    look: (view) => (broken ? Promise.reject(new Error('connection refused')) : face.look(view)),
  }
  const store = createModelStore(initialModel(80, 24))
  stops.push(
    watchSession({
      session: shaky,
      store,
      isDrained: () => true,
      minIntervalMs: 10,
      maxIntervalMs: 30,
    }),
  )
  await pause(10)
  expect(store.get().lost).toBe('connection refused')
  broken = false
  await pause(100)
  expect(store.get().lost).toBeUndefined()
  expect(store.get().snapshot).toBeDefined()
})

test('no snapshot is taken after stop', async () => {
  const { face, watcher, looks } = startWatcher()
  await pause(10)
  watcher.stop()
  const before = looks()
  face.poll()
  await pause(60)
  expect(looks()).toBe(before)
})

test('a notice goes by itself after a while, though the clock of the session stands', async () => {
  const { store } = startWatcher()
  await pause(10)
  const notice = { text: 'configuration: conduct.emptyPoll is 200 now', tone: 'ok' } as const
  store.send({ kind: 'notice', notice })
  await pause(10_000)
  expect(store.get().notice).toBe(notice)
  await pause(6000)
  expect(store.get().notice).toBeUndefined()
  expect(store.get().notices).toEqual([notice])
})

test('a later notice has its own time, and the next key takes it away at once', async () => {
  const { store } = startWatcher()
  await pause(10)
  store.send({ kind: 'notice', notice: { text: 'first', tone: 'ok' } })
  await pause(10_000)
  store.send({ kind: 'notice', notice: { text: 'second', tone: 'ok' } })
  await pause(10_000)
  expect(store.get().notice?.text).toBe('second')
  store.send({ kind: 'pressed', key: 'j' })
  expect(store.get().notice).toBeUndefined()
})
