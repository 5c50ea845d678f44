/** Opens a session: prepared, begun, and with its faults loaded. */
import type { SessionOptions } from './options.ts'
import type { Session } from '../session-api/session.ts'
import { prepareSession } from './session.ts'

export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const session = await prepareSession(options)
  // Loaded before anything runs: a service on our clock would act while the first command waits for a module.
  const checking = import('../runtime/control/command-check.ts')
  try {
    await Promise.all([session.begin(), session.loadFaults(), checking])
  } catch (error) {
    await session.close()
    throw error
  }
  return {
    ...session,
    async submit(command) {
      const { checkCommand } = await checking
      const checked = checkCommand(command)
      return checked.ok ? session.submit(command) : checked
    },
    async setClock(change) {
      const { checkClockChange } = await checking
      checkClockChange(change)
      await session.setClock(change)
    },
  }
}
