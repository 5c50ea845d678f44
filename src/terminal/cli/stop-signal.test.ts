import { expect, test } from 'vitest'
import { createTestIo } from '../../../test/support/test-io.ts'
import { listenForStop } from './stop-signal.ts'

test('the first interruption aborts the signal, the second exits at once', async () => {
  const { io, interrupt, exits } = createTestIo()
  using stopping = listenForStop(io)
  expect(stopping.signal.aborted).toBe(false)
  interrupt('SIGTERM')
  await stopping.stopped
  expect(stopping.signal.aborted).toBe(true)
  expect(stopping.reason()).toBe('SIGTERM')
  expect(exits).toEqual([])
  interrupt('SIGINT')
  expect(exits).toEqual([130])
})

test('after disposal interruptions are ignored', () => {
  const { io, interrupt, exits } = createTestIo()
  {
    using stopping = listenForStop(io)
    expect(stopping.reason()).toBeUndefined()
  }
  interrupt('SIGINT')
  interrupt('SIGINT')
  expect(exits).toEqual([])
})
