/** Implements `sparring replay`: on the dashboard where there is a terminal for it, else by lines. */
import type { ExitCode } from '../../../terminal/cli/exit-code.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { canShowSession } from '../../../terminal/cli/session-output.ts'
import type { ReplayFlags } from './flags.ts'
import { playRecording } from './play-recording.ts'

export async function runReplay(flags: ReplayFlags, io: Io): Promise<ExitCode> {
  const screens = wantsScreen(flags, io) ? await import('./screen.ts') : undefined
  if (screens && flags.to === undefined) return screens.browseRecording(flags, io)
  return playRecording(flags, io, screens?.openReplayScreen)
}

/** Flags for machine-readable or line output, or of another driver. */
const lineFlags = [
  'json',
  'quiet',
  'reporter',
  'twice',
  'bisect',
  'step',
  'subject',
  'start',
] as const

/** Whether a replay opens on the dashboard: on an interactive terminal, unless a flag asks for lines. */
export function wantsScreen(flags: ReplayFlags, io: Io): boolean {
  if (!canShowSession(flags, io) || lineFlags.some((name) => flags[name] !== undefined))
    return false
  return flags.driver === undefined || (flags.driver === 'client' && flags.to !== undefined)
}
