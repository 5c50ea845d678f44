/** Closes a session without waiting long for exchanges that do not end. */
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import type { Io } from '../io.ts'
import { reportLoss } from '../losses.ts'

/** Time limit for open exchanges to end, so that stopping takes at most two seconds. */
const closeTimeoutMs = 1500

export async function closeSession(
  session: PreparedSession,
  io: Io,
  timeoutMs = closeTimeoutMs,
): Promise<void> {
  const late = new AbortController()
  const closing = session.close().then(() => true)
  const timeout = abortableSleep(timeoutMs, late.signal).then(() => false)
  const isClosed = await Promise.race([closing, timeout])
  late.abort()
  if (isClosed) return
  const { recording } = (await session.look({})).info
  if (recording)
    await reportLoss(io, `the recording ${recording.file} is not closed after ${timeoutMs} ms`)
}
