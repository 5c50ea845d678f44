/** A session of this machine in words. */
import type { SessionDetails, SessionEntry } from './session-entry.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

/** The local time of day, with the day where that is not today: `10:02`, `2026-11-24 10:02`. */
export function sinceText({ since }: Pick<SessionEntry, 'since'>, today = new Date()): string {
  const at = new Date(since)
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`
  if (at.toDateString() === today.toDateString()) return time
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${time}`
}

/** The process id means every session of its process, and that of `mcp` serves an agent. */
export const stopCommand = ({ verb, control, pid }: SessionEntry): string =>
  `sparring stop ${verb === 'mcp' ? (control ?? pid) : pid}`

export const serviceText = ({ role, subject }: SessionDetails): string =>
  role === undefined ? 'none: every role is played' : `${role}${subject ? ` at ${subject}` : ''}`

/** One line: `12345  since 10:02  http://127.0.0.1:7100  your service: software-service` */
export const sessionLine = (session: SessionEntry): string =>
  [
    String(session.pid),
    `since ${sinceText(session)}`,
    session.control ?? `${session.verb} ${Object.values(session.counterparts)[0] ?? ''}`.trim(),
    session.role === undefined ? 'plays every role' : `your service: ${serviceText(session)}`,
  ].join('  ')
