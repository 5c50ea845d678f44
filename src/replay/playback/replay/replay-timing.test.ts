// @module-tag slow
/** Trust in a replay's timing over real sockets: a slow service, and a busy machine. */
import { expect, test } from 'vitest'
import { openPlayback } from './replay.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'

/** The timing report when every reply takes this long, and so does our processing of each. */
async function trust(service: { readonly answerMs: number }, us: { readonly workMs: number }) {
  const answer = { status: 204 }
  await using receiver = await openReceiver({
    reply: () =>
      service.answerMs === 0
        ? answer
        : new Promise((resolve) => setTimeout(() => resolve(answer), service.answerMs)),
  })
  const options = {
    recording: webhookRecording(160),
    to: receiver.url,
    port: 0,
    pace: { mode: 'rate', perSecond: 1000 },
  } as const
  await using playback = await openPlayback(options, {
    onReplayed() {
      const until = performance.now() + us.workMs
      while (performance.now() < until);
    },
  })
  const { timing } = await playback.run()
  return timing
}

test('a service slower than the schedule is named as the cause of distrust', async () => {
  // So slow that a machine that is busy with something else makes no difference.
  const timing = await trust({ answerMs: 1000 }, { workMs: 0 })
  expect(timing?.sends).toBe(160)
  expect(timing?.distrust).toMatch(/^your service is too slow for the timing to be trusted: half/)
  expect(timing?.distrust).toContain('all 64 connections were busy')
})

test('when this process is too busy for its sends, the service is not blamed', async () => {
  const timing = await trust({ answerMs: 0 }, { workMs: 8 })
  expect(timing?.sends).toBe(160)
  expect(timing?.distrust).toMatch(/^this machine is too slow for the timing to be trusted/)
})
