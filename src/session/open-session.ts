/** Opens a session: prepared, begun, and with its faults loaded. */
import type { SessionOptions } from './options.ts'
import type { Session } from '../session-api/session.ts'
import { prepareSession } from './session.ts'

export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const session = await prepareSession(options)
  try {
    await Promise.all([session.begin(), session.loadFaults()])
  } catch (error) {
    await session.close()
    throw error
  }
  return {
    ...session,
    async submit(command) {
      // Loaded with the first command: most tests submit none.
      const { checkCommand } = await import('../edge/control/command-check.ts')
      const checked = checkCommand(command)
      return checked.ok ? session.submit(command) : checked
    },
  }
}
