/** Whether a replay opens on the dashboard: on an interactive terminal, unless a flag asks for lines. */
import type { Io } from '../io.ts'
import { canShowDashboard } from '../session-output.ts'
import type { ReplayFlags } from './flags.ts'

/** Flags for machine-readable or line output, or of another driver. */
const lineFlags = ['json', 'quiet', 'reporter', 'twice', 'bisect', 'step', 'subject'] as const

export function wantsScreen(flags: ReplayFlags, io: Io): boolean {
  if (!canShowDashboard(io) || lineFlags.some((name) => flags[name] !== undefined)) return false
  return flags.as === undefined || (flags.as === 'client' && flags.to !== undefined)
}
