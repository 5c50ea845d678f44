import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeWithBackpressure } from './write-with-backpressure.ts'

const slow = (): PassThrough => new PassThrough({ highWaterMark: 8 })

test('writing waits for a slow reader (backpressure)', async () => {
  const pipe = slow()
  let written = false
  const writing = writeWithBackpressure(pipe, 'more than it holds').then(() => (written = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(written).toBe(false)
  expect(String(pipe.read())).toBe('more than it holds')
  await writing
  expect(written).toBe(true)
})

test('a reader that disconnects, or has disconnected, does not block the writer', async () => {
  const leaving = slow()
  const writing = writeWithBackpressure(leaving, 'more than it holds')
  leaving.destroy()
  await expect(writing).resolves.toBeUndefined()
  await expect(writeWithBackpressure(leaving, 'more')).resolves.toBeUndefined()

  const ended = slow().end()
  await expect(writeWithBackpressure(ended, 'more')).resolves.toBeUndefined()

  const failing = new Writable({
    highWaterMark: 1,
    write: (_, _encoding, done) => done(new Error('gone')),
  })
  failing.on('error', () => undefined)
  await expect(writeWithBackpressure(failing, 'more')).resolves.toBeUndefined()
})
