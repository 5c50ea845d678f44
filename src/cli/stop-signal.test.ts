import { expect, test } from 'vitest'
import { createTestIo } from '../../test/support/test-io.ts'
import { listenForStop } from './stop-signal.ts'

test('the first interruption is a wish, the second is obeyed at once', async () => {
  const { io, interrupt, exits } = createTestIo()
  using stopping = listenForStop(io)
  expect(stopping.signal.aborted).toBe(false)
  interrupt('SIGTERM')
  await stopping.stopped
  expect(stopping.signal.aborted).toBe(true)
  expect(stopping.why()).toBe('SIGTERM')
  expect(exits).toEqual([])
  interrupt('SIGINT')
  expect(exits).toEqual([130])
})

test('whoever is done no longer listens', () => {
  const { io, interrupt, exits } = createTestIo()
  {
    using stopping = listenForStop(io)
    expect(stopping.why()).toBeUndefined()
  }
  interrupt('SIGINT')
  interrupt('SIGINT')
  expect(exits).toEqual([])
})
