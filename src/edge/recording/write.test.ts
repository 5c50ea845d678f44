import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeAll } from './write.ts'

const slow = (): PassThrough => new PassThrough({ highWaterMark: 8 })

test('writing waits for a slow reader (backpressure)', async () => {
  const pipe = slow()
  let written = false
  const writing = writeAll(pipe, 'more than it holds').then(() => (written = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(written).toBe(false)
  expect(String(pipe.read())).toBe('more than it holds')
  await writing
  expect(written).toBe(true)
})

test('a reader that disconnects, or has disconnected, does not block the writer', async () => {
  const leaving = slow()
  const writing = writeAll(leaving, 'more than it holds')
  leaving.destroy()
  await expect(writing).resolves.toBeUndefined()
  await expect(writeAll(leaving, 'more')).resolves.toBeUndefined()

  const ended = slow().end()
  await expect(writeAll(ended, 'more')).resolves.toBeUndefined()

  const failing = new Writable({
    highWaterMark: 1,
    write: (_, _encoding, done) => done(new Error('gone')),
  })
  failing.on('error', () => undefined)
  await expect(writeAll(failing, 'more')).resolves.toBeUndefined()
})
