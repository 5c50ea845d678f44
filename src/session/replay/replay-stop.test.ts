/** A replay that somebody breaks off: what is under way comes to its end, and nothing more goes out. */
import { expect, test } from 'vitest'
import { replayRecording } from './library.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { webhooksOf } from '../../../test/support/webhook-recording.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('what waited for a connection stays here when it is broken off', async () => {
  const stop = new AbortController()
  let asked = 0
  await using receiver = await openReceiver({
    async reply() {
      if (++asked === 10) stop.abort()
      await pause(100)
      return { status: 204 }
    },
  })
  const report = await replayRecording({
    recording: webhooksOf(300),
    to: receiver.url,
    pace: { mode: 'asap' },
    signal: stop.signal,
  })
  await pause(400)
  expect(report.interrupted).toBe(true)
  // So many connections there are to one host.
  expect(asked).toBeLessThanOrEqual(64)
})
