/** Reads the session options of a replay from its flags and the configuration. */
import { compact } from '../../../core/base/compact.ts'
import { readSessionOptions } from '../../../terminal/cli/session-options.ts'
import type { DriverInput } from './driver.ts'

/**
 * `subject` of the configuration is returned separately; `recording` is dropped, because replays have their own flag.
 * The ports are those of `sparring up`, where the service looks for us.
 */
export async function readReplaySession({ flags, io, seed }: DriverInput) {
  const { config, contract, fault, port } = flags
  const { input, configuration } = await readSessionOptions(
    { ...compact({ config, contract, fault, port }), seed },
    io.cwd,
  )
  const { subject: configured, recording: _recording, ...session } = input
  return { configured, session, configuration }
}
