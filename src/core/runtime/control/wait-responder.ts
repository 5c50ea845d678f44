/** Sends answers that come later: a bounded number at once, each until its client disconnects or the server closes. */
import type { ServerResponse } from 'node:http'
import { type ControlWait, errorAnswer } from './answer.ts'
import { sendAnswer } from './send-answer.ts'

/** Maximum number of concurrent waits; each looks at the session again and again. */
export const maxWaits = 32

/** `closing` is aborted when the server closes. */
export function createWaitResponder(closing: AbortSignal) {
  let waits = 0
  return async ({ wait }: ControlWait, response: ServerResponse): Promise<void> => {
    if (waits >= maxWaits)
      return sendAnswer(response, errorAnswer('UNAVAILABLE', `${maxWaits} requests wait already`))
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    if (response.destroyed) return
    waits++
    try {
      const answer = await wait(AbortSignal.any([gone.signal, closing]))
      if (!response.destroyed) sendAnswer(response, answer)
    } finally {
      waits--
    }
  }
}
