/** An aborted replay: sends in flight end, and no more are made. */
import { expect, test } from 'vitest'
import { replayRecording } from './library.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('queued sends are not made after an abort', async () => {
  const stop = new AbortController()
  let [asked, answered, answeredBefore] = [0, 0, 0]
  await using receiver = await openReceiver({
    async reply() {
      if (++asked === 10) {
        answeredBefore = answered
        stop.abort()
      }
      await pause(100)
      answered++
      return { status: 204 }
    },
  })
  const report = await replayRecording({
    recording: webhookRecording(300),
    to: receiver.url,
    port: 0,
    pace: { mode: 'asap' },
    signal: stop.signal,
  })
  await pause(400)
  expect(report.interrupted).toBe(true)
  // Connection limit per host, for those that were not answered yet.
  expect(asked).toBeLessThanOrEqual(64 + answeredBefore)
})
