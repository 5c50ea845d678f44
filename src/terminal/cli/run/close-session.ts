/** Closes a session without waiting long for exchanges that do not end. */
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import type { PreparedSession } from '../../../core/session/types.ts'

/** Time limit for open exchanges to end. */
const closeTimeoutMs = 1500

export async function closeSession(session: PreparedSession): Promise<void> {
  const late = new AbortController()
  await Promise.race([session.close(), abortableSleep(closeTimeoutMs, late.signal)])
  late.abort()
}
