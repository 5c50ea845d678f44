/** Whether a service that we started is still there when a session has been played: its process, and its answers at its URL. */
import { abortableSleep } from '../../../core/runtime/clock/abortable-sleep.ts'

export interface SubjectEndOptions {
  /** Where it has answered before; undefined for one that does not listen. */
  readonly url: string | undefined
  /** Why it does not answer at its URL; undefined when it does. */
  readonly probe: (url: string) => Promise<string | undefined>
  /** How its process ended; undefined while it runs. */
  readonly endReason: () => string | undefined
  /** Aborts when its process ends, and when the answer is of no use any more. */
  readonly enough: AbortSignal
  /** How long it may be silent before it counts as gone for good, in ms. */
  readonly timeoutMs?: number
}

/** A busy machine answers by then; a process whose service has ended has ended too. */
const defaultTimeoutMs = 10_000
const pauseMs = 200

/** How it ended, or that it does not answer any more; undefined when it is there. */
export async function findSubjectEnd(options: SubjectEndOptions): Promise<string | undefined> {
  const { url, probe, endReason, enough, timeoutMs = defaultTimeoutMs } = options
  const begin = performance.now()
  for (;;) {
    const ended = endReason()
    if (ended !== undefined || url === undefined) return ended
    const why = await probe(url)
    if (why === undefined || enough.aborted) return endReason()
    if (performance.now() - begin >= timeoutMs)
      return endReason() ?? `it does not answer at ${url} any more (${why})`
    await abortableSleep(pauseMs, enough)
  }
}
