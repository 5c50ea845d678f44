/** What a saved scenario waits for between its steps: what the service had learned and called, each once. */
import { expect, test } from 'vitest'
import type { SessionApi } from '../session-api/session-api.ts'
import { SavedAwaits, type SavedEntry } from './save-awaits.ts'
import { createSavedNames } from './save-names.ts'
import type { SavedRequest } from './save-story.ts'

const call = (seq: number, trigger: string): SavedRequest => ({
  seq,
  orderId: 'a',
  trigger,
  isCall: true,
})

/** The waits before entries about an order `a`, whose events the service had learned by these facts. */
async function awaitsOf(
  {
    learned = {},
    requests = [],
    from = 0,
  }: {
    readonly learned?: Readonly<Record<string, number>>
    readonly requests?: readonly SavedRequest[]
    readonly from?: number
  },
  ...entries: readonly Omit<SavedEntry, 'about'>[]
) {
  const eventsAt = (at: number) =>
    Object.entries(learned).map(([eventType, seq]) => ({
      eventId: eventType,
      eventType,
      state: seq <= at ? 'delivered' : 'offered',
    }))
  const session = {
    look: ({ at = 0 }: { at?: number }) => Promise.resolve({ order: { events: eventsAt(at) } }),
  } as unknown as SessionApi
  const story = { requests, from, entries: [], needed: ['a'], earlier: ['a'] }
  const awaits = new SavedAwaits(session, story, createSavedNames(session, ['a']))
  await awaits.begin(from)
  const waits: unknown[] = []
  for (const entry of entries) waits.push(await awaits.before({ ...entry, about: ['a'] }))
  return waits
}

const confirmCalled = { await: { call: 'confirmOrder', order: 'o1' } }

test('a call is waited for before the next step about its order, once', async () => {
  const requests = [call(5, 'confirm')]
  expect(await awaitsOf({ requests }, { after: 4 }, { after: 6 }, { after: 7 })).toEqual([
    [],
    [confirmCalled],
    [],
  ])
})

test('a step that waits for what comes of a call needs no other wait', async () => {
  const requests = [call(5, 'confirm')]
  expect(await awaitsOf({ requests }, { after: 6, trigger: 'confirm' })).toEqual([[]])
})

test('where the operator requested the same, what comes could be of either: the call is waited for', async () => {
  const requests = [{ ...call(3, 'confirm'), isCall: false }, call(5, 'confirm')]
  expect(await awaitsOf({ requests }, { after: 6, trigger: 'confirm' })).toEqual([[confirmCalled]])
})

test('a call that was made again is waited for so often', async () => {
  const requests = [call(5, 'confirm'), call(8, 'confirm')]
  expect(await awaitsOf({ requests }, { after: 6 }, { after: 9 })).toEqual([
    [confirmCalled],
    [{ await: { call: 'confirmOrder', order: 'o1', times: 2 } }],
  ])
})

test('what the service learned is waited for where it or the operator goes on from there', async () => {
  const learned = { CREATED: 2 }
  const wait = { await: { acknowledged: 'CREATED', order: 'o1' } }
  expect(await awaitsOf({ learned, requests: [call(9, 'confirm')] }, { after: 3 })).toEqual([
    [wait],
  ])
  expect(await awaitsOf({ learned }, { after: 3 }, { after: 4, moved: 'a' })).toEqual([[], [wait]])
  expect(await awaitsOf({ learned }, { after: 3 }, { after: 4, moved: 'b' })).toEqual([[], []])
})

test('a call that was made after an event was learned stands for both', async () => {
  const requests = [call(5, 'confirm'), call(9, 'preparing')]
  expect(await awaitsOf({ learned: { CREATED: 2 }, requests }, { after: 6 })).toEqual([
    [confirmCalled],
  ])
})

test('what came about before the story begins is not waited for', async () => {
  const requests = [call(5, 'confirm'), call(9, 'preparing')]
  expect(await awaitsOf({ learned: { CREATED: 2 }, requests, from: 6 }, { after: 7 })).toEqual([[]])
})
