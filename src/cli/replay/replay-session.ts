/** The session of a replay, as its flags and the configuration have it. */
import { compact } from '../../compact.ts'
import { readSessionOptions } from '../session-options.ts'
import type { Drive } from './driver.ts'

/** What the configuration says of the user's service stands by itself; what it says of recording is not about replays. */
export async function sessionOf({ flags, io, seed }: Drive, port: number | undefined) {
  const { config, fault } = flags
  const { input, configuration } = await readSessionOptions(
    { ...compact({ config, fault, port }), seed },
    io.cwd,
  )
  const { subject: configured, recording: _recording, ...session } = input
  return { configured, session, configuration }
}
