/** Whether a recording opens on the dashboard: where a person sits at a terminal and asked for nothing else. */
import type { Io } from '../io.ts'
import { hasScreen } from '../session-output.ts'
import type { ReplayFlags } from './flags.ts'

/** What is for machines, goes line by line, or is another driver's. */
const ofLines = ['json', 'quiet', 'reporter', 'twice', 'bisect', 'step', 'subject'] as const

export function wantsScreen(flags: ReplayFlags, io: Io): boolean {
  if (!hasScreen(io) || ofLines.some((name) => flags[name] !== undefined)) return false
  return flags.as === undefined || (flags.as === 'client' && flags.to !== undefined)
}
